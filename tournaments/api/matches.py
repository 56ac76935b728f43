"""API views for matches: finding them, their players, place and time, and their results."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.base import player, read, read_query
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import Form, do_act, door, organised, preview_answer, read_view, reader
from tournaments.lookups import match_of
from tournaments.models import Act, Entry, Pairing, Place, Result
from tournaments.public import match_page
from tournaments.services.entries import substitutes
from tournaments.services.matches import match_scheduling, result_lines, results
from tournaments.services.previews import preview_of_result
from web.errors import Refused

# Reading


@read_view(response_serializers.MatchPage, asks=request_serializers.WhichMatches, name="events_matches_list")
def matches(request: Request, event: str) -> Response:
    """The matches of an event, by stage, round, entry or status."""
    tournament = access.open_event(reader(request), event)
    query = read_query(request_serializers.WhichMatches, request)
    rows = Pairing.objects.filter(round__stage__tournament=tournament, pk__gt=query["since"]).order_by("pk")
    for name, field in (("stage", "round__stage__number"), ("round", "round__number"), ("status", "status")):
        if name in query:
            rows = rows.filter(**{field: query[name]})
    if "entry" in query:
        rows = rows.filter(pk__in=Place.objects.filter(entry__number=query["entry"]).values("pairing"))
    page, more = facts.a_page(facts.with_places(rows)[: query["limit"] + 1], query["limit"])
    data = {"matches": facts.matches(page), "more": more, "version": tournament.version}
    return answer(request, response_serializers.MatchPage, data)


@read_view(response_serializers.WholeMatch, name="events_matches_retrieve")
def match(request: Request, event: str, stage: int, match: str) -> Response:
    """A match with every entered result."""
    tournament = access.open_event(reader(request), event)
    pairing = match_page.find(tournament, stage, match)
    reports = facts.results(pairing)
    (data,) = facts.matches([pairing])
    more = {
        "table_url": match_page.table_url(pairing, reader(request)),
        "results": reports,
        "newest": reports[0]["id"] if reports else 0,
        "version": tournament.version,
    }
    return answer(request, response_serializers.WholeMatch, {**data, **more})


# Results by players


@door("POST", "events_results", takes=request_serializers.Report)
def report(request: Request, event: str, stage: int, match: str) -> Response:
    """Enter the result of your match. The other side is asked, and confirms it by entering the same.

    The sentence of a `preview` says which of the two it would be; standings follow only after the answer.
    """
    tournament = access.open_event(player(request), event)
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Report, request.data)
    act = partial(results.report, pairing.pk, _lines(pairing, form["lines"]), by=player(request))
    return do_act(request, tournament, form, act)


@door("POST", "events_results", takes=request_serializers.AnswerIn)
def answer_result(request: Request, event: str, stage: int, match: str) -> Response:
    """Confirm or dispute the other side’s result. A disputed result waits for an organiser."""
    tournament = access.open_event(player(request), event)
    result = _result(match_of(tournament, stage, match), form := read(request_serializers.AnswerIn, request.data))
    words = " ".join(form["words"].split())
    if not form["agrees"] and not words:
        raise Refused(
            "no_words", gettext("Describe the problem in a few words. The other side and the organisers will read it.")
        )
    act = partial(results.answer, result.pk, by=player(request), agrees=form["agrees"], words=words)
    return do_act(request, tournament, form, act)


# Results by organisers


@door("POST", "events_results", takes=request_serializers.Confirm)
def confirm(request: Request, event: str, stage: int, match: str) -> Response:
    """Confirm a result as entered, as an organiser."""
    tournament = organised(request, event, "results")
    result = _result(match_of(tournament, stage, match), form := read(request_serializers.Confirm, request.data))
    return do_act(request, tournament, form, partial(results.confirm, result.pk, by=player(request)))


@door("POST", "events_results", takes=request_serializers.Decide)
def decide(request: Request, event: str, stage: int, match: str) -> Response:
    """Enter a result as an organiser, or correct one at any time, with a reason.

    Matches announced or started on the old one stay, unless `pair_again`. `preview` shows the effects first.
    """
    tournament = organised(request, event, "results")
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Decide, request.data)
    lines = _lines(pairing, form["lines"])
    absent = [line for line in lines if line["forfeit"]]
    kind = Result.Kind.DECIDED
    if absent:
        kind = Result.Kind.FORFEIT if len(absent) < len(lines) else Result.Kind.DOUBLE_FORFEIT
    winner = form.get("winner")
    options: dict[str, Any] = {
        "kind": kind,
        "winner": None if winner is None else _ids(pairing).get(winner, 0),
        "known": form.get("known"),
    }
    if form["preview"]:
        preview = preview_of_result(pairing, lines, by=player(request), reason=form.get("reason") or "-", **options)
        return preview_answer(
            tournament,
            gettext("Result of %(row)s: %(lines)s.")
            % {"row": results.words_of(pairing), "lines": result_lines.as_text(lines)},
            preview,
        )
    act = partial(results.decide, pairing.pk, lines, by=player(request), pair_again=form["pair_again"], **options)
    return do_act(request, tournament, form, act)


@door("POST", "events_results", takes=request_serializers.Reasoned)
def remove_result(request: Request, event: str, stage: int, match: str) -> Response:
    """Remove a result: the match is open again. `preview` shows the effects first."""
    return _at_match(request, event, stage, match, request_serializers.Reasoned, results.remove_result)


@door("POST", "events_results", takes=request_serializers.Walkover)
def walkover(request: Request, event: str, stage: int, match: str) -> Response:
    """Give a walkover against absent entries. If all are absent, nobody wins."""
    tournament = organised(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Walkover, request.data)
    ids = _ids(pairing)
    if any(number not in ids for number in form["absent"]):
        raise Refused("bad_entries", gettext("Choose the entries of this match that did not come."))
    act = partial(results.walkover, pairing.pk, [ids[number] for number in form["absent"]], by=player(request))
    return do_act(request, tournament, form, act)


# Time, place and players


@door("POST", "events_organise", takes=request_serializers.Times)
def times(request: Request, event: str, stage: int, match: str) -> Response:
    """Set the time and deadline of one match, instead of those of its round."""
    tournament = organised(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Times, request.data)
    moments = {"starts_at": form["starts_at"], "deadline_at": form["deadline_at"]}
    act = partial(match_scheduling.set_match_times, pairing.pk, player(request), **moments)
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Where)
def set_place(request: Request, event: str, stage: int, match: str) -> Response:
    """Set a match that has not started to online or in person."""
    tournament = organised(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Where, request.data)
    act = partial(match_scheduling.set_online, pairing.pk, player(request), online=form["online"])
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Acting)
def cancel_match(request: Request, event: str, stage: int, match: str) -> Response:
    """Stop a match without a confirmed result. It must be played again. A challenge is cancelled."""
    tournament = organised(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(match_scheduling.cancel_match, pairing.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def ask(request: Request, event: str, stage: int, match: str) -> Response:
    """Ask the players of a match for their result."""
    tournament = organised(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(match_scheduling.ask_for_result, pairing.pk, player(request)))


def _field(request: Request, event: str, stage: int, match: str, *, is_organiser: bool) -> Response:
    tournament = organised(request, event, "play") if is_organiser else access.open_event(player(request), event)
    pairing = match_of(tournament, stage, match)
    form = read(request_serializers.Substitute, request.data)
    places = pairing.places.filter(entry__number=form["entry"]) if "entry" in form else pairing.places.none()
    if not is_organiser:
        _, own_entry = access.own_entry(player(request), event)
        places = pairing.places.filter(entry=own_entry)
    place = places.first()
    if place is None:
        raise Refused("not_in_match", gettext("Choose an entry of this match."))
    act = partial(substitutes.field_substitute, place.pk, player(request), member_ids=form["members"])
    return do_act(request, tournament, form, act)


@door("POST", "events_enter", takes=request_serializers.Substitute)
def own_substitute(request: Request, event: str, stage: int, match: str) -> Response:
    """Set the players of your entry for this match, until everyone sees the line-ups: once both sides have named theirs, or it started."""
    return _field(request, event, stage, match, is_organiser=False)


@door("POST", "events_organise", takes=request_serializers.Substitute)
def substitute(request: Request, event: str, stage: int, match: str) -> Response:
    """Set the players of an entry for this match, as an organiser."""
    return _field(request, event, stage, match, is_organiser=True)


# Parts


def _at_match(
    request: Request, event: str, stage: int, match: str, takes: type[request_serializers.Acting], service: Any
) -> Response:
    tournament = organised(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = read(takes, request.data)

    def do(**how: Any) -> Act:
        act: Act = service(pairing.pk, by=player(request), **how)
        return act

    return do_act(request, tournament, form, do)


def _ids(pairing: Pairing) -> dict[int, int]:
    """Ids of the entries of a match by their numbers."""
    return dict(Entry.objects.filter(places__pairing=pairing).values_list("number", "pk"))


def _lines(pairing: Pairing, lines: Sequence[Form]) -> list[dict[str, Any]]:
    """The lines of a result with ids for numbers. Raises `Refused` for an entry of another match."""
    ids = _ids(pairing)
    if any(line["entry"] not in ids for line in lines):
        raise Refused("bad_lines", gettext("A result has one line for each entry of the match."))
    for line in lines:
        if line.get("score") is None and not line["forfeit"]:
            raise Refused(
                "no_score", gettext("Enter the score of entry %(line)s.") % {"line": line["entry"]}, entry=line["entry"]
            )
    return [{**line, "entry": ids[line["entry"]], "score": line.get("score")} for line in lines]


def _result(pairing: Pairing, form: Form) -> Result:
    """The result that the form names. Raises `Http404`."""
    result = Result.objects.filter(pairing=pairing, pk=form["result"]).first()
    if result is None:
        raise Http404(gettext("Result not found for this match."))
    return result
