"""Doors to matches: finding them, who plays where and when, and their results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from tournaments.api.base import done, door, foreseen, look, organised, reader
from tournaments.lookups import match_of
from tournaments.models import Act, Entry, Pairing, Place, Result
from tournaments.public import match_page
from tournaments.services.entries import substitutes
from tournaments.services.matches import match_scheduling, result_lines, results
from tournaments.services.previews import preview_of_result
from web.errors import Refused

Form = Mapping[str, Any]

# Looking


@look(response_serializers.MatchPage, asks=request_serializers.WhichMatches, name="events_matches_list")
def matches(request: Request, event: str) -> Response:
    """The matches of an event, by stage, round, entry or status."""
    found = access.open_event(reader(request), event)
    query = read_query(request_serializers.WhichMatches, request)
    rows = Pairing.objects.filter(round__stage__tournament=found, pk__gt=query["since"]).order_by("pk")
    for name, field in (("stage", "round__stage__number"), ("round", "round__number"), ("status", "status")):
        if name in query:
            rows = rows.filter(**{field: query[name]})
    if "entry" in query:
        rows = rows.filter(pk__in=Place.objects.filter(entry__number=query["entry"]).values("pairing"))
    page, more = facts.a_page(facts.with_places(rows)[: query["limit"] + 1], query["limit"])
    return answer(
        request,
        response_serializers.MatchPage,
        {"matches": facts.matches(page), "more": more, "version": found.version},
    )


@look(response_serializers.WholeMatch, name="events_matches_retrieve")
def match(request: Request, event: str, stage: int, match: str) -> Response:
    """A match with every entered result."""
    found = access.open_event(reader(request), event)
    row = match_page.find(found, stage, match)
    told = facts.results(row)
    (data,) = facts.matches([row])
    more = {
        "table_url": match_page.table_url(row, reader(request)),
        "results": told,
        "newest": told[0]["id"] if told else 0,
        "version": found.version,
    }
    return answer(request, response_serializers.WholeMatch, {**data, **more})


# Results by who plays


@door("POST", "events_results", takes=request_serializers.Report)
def report(request: Request, event: str, stage: int, match: str) -> Response:
    """Enter the result of your match. The other side is asked, and confirms it by entering the same."""
    found = access.open_event(player(request), event)
    row = match_of(found, stage, match)
    form = read(request_serializers.Report, request.data)
    return done(request, found, form, partial(results.report, row.pk, _lines(row, form["lines"]), by=player(request)))


@door("POST", "events_results", takes=request_serializers.AnswerIn)
def answer_result(request: Request, event: str, stage: int, match: str) -> Response:
    """Confirm or dispute the other side’s result. A disputed result waits for an organiser."""
    found = access.open_event(player(request), event)
    row = _result(match_of(found, stage, match), form := read(request_serializers.AnswerIn, request.data))
    words = " ".join(form["words"].split())
    if not form["agrees"] and not words:
        raise Refused(
            "no_words", gettext("Describe the problem in a few words. The other side and the organisers will read it.")
        )
    act = partial(results.answer, row.pk, by=player(request), agrees=form["agrees"], words=words)
    return done(request, found, form, act)


# Results by organisers


@door("POST", "events_results", takes=request_serializers.Confirm)
def confirm(request: Request, event: str, stage: int, match: str) -> Response:
    """Confirm a result as entered, as an organiser."""
    found = organised(request, event, "results")
    row = _result(match_of(found, stage, match), form := read(request_serializers.Confirm, request.data))
    return done(request, found, form, partial(results.confirm, row.pk, by=player(request)))


@door("POST", "events_results", takes=request_serializers.Decide)
def decide(request: Request, event: str, stage: int, match: str) -> Response:
    """Enter a result as an organiser, or correct one at any time, with a reason.

    Matches started on the old one stay, unless `pair_again`. `preview` shows the effects first.
    """
    found = organised(request, event, "results")
    row = match_of(found, stage, match)
    form = read(request_serializers.Decide, request.data)
    lines = _lines(row, form["lines"])
    absent = [line for line in lines if line["forfeit"]]
    kind = Result.Kind.DECIDED
    if absent:
        kind = Result.Kind.FORFEIT if len(absent) < len(lines) else Result.Kind.DOUBLE_FORFEIT
    winner = form.get("winner")
    what: dict[str, Any] = {
        "kind": kind,
        "winner": None if winner is None else _ids(row).get(winner, 0),
        "known": form.get("known"),
    }
    if form["preview"]:
        seen = preview_of_result(row, lines, by=player(request), reason=form.get("reason") or "-", **what)
        return foreseen(
            found, gettext("Result of %(row)s: %(lines)s.") % {"row": row, "lines": result_lines.in_words(lines)}, seen
        )
    act = partial(results.decide, row.pk, lines, by=player(request), pair_again=form["pair_again"], **what)
    return done(request, found, form, act)


@door("POST", "events_results", takes=request_serializers.Reasoned)
def take_back(request: Request, event: str, stage: int, match: str) -> Response:
    """Remove a result: the match is open again. `preview` shows the effects first."""
    return _at_match(request, event, stage, match, request_serializers.Reasoned, results.take_back)


@door("POST", "events_results", takes=request_serializers.Walkover)
def walkover(request: Request, event: str, stage: int, match: str) -> Response:
    """Give a walkover against absent entries. If all are absent, nobody wins."""
    found = organised(request, event, "play")
    row = match_of(found, stage, match)
    form = read(request_serializers.Walkover, request.data)
    ids = _ids(row)
    if any(number not in ids for number in form["absent"]):
        raise Refused("bad_entries", gettext("Choose the entries of this match that did not come."))
    act = partial(results.walkover, row.pk, [ids[number] for number in form["absent"]], by=player(request))
    return done(request, found, form, act)


# When, where and by whom it is played


@door("POST", "events_organise", takes=request_serializers.Times)
def times(request: Request, event: str, stage: int, match: str) -> Response:
    """Set the time and deadline of one match, instead of those of its round."""
    found = organised(request, event, "play")
    row = match_of(found, stage, match)
    form = read(request_serializers.Times, request.data)
    moments = {"starts_at": form["starts_at"], "deadline_at": form["deadline_at"]}
    return done(request, found, form, partial(match_scheduling.set_match_times, row.pk, player(request), **moments))


@door("POST", "events_organise", takes=request_serializers.Where)
def where(request: Request, event: str, stage: int, match: str) -> Response:
    """Set a match that has not started to online or in person."""
    found = organised(request, event, "play")
    row = match_of(found, stage, match)
    form = read(request_serializers.Where, request.data)
    return done(
        request, found, form, partial(match_scheduling.play_where, row.pk, player(request), online=form["online"])
    )


@door("POST", "events_organise", takes=request_serializers.Acting)
def call_off(request: Request, event: str, stage: int, match: str) -> Response:
    """Stop a match without a confirmed result. It must be played again. A challenge is cancelled."""
    found = organised(request, event, "play")
    row = match_of(found, stage, match)
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(match_scheduling.call_off, row.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def ask(request: Request, event: str, stage: int, match: str) -> Response:
    """Ask the players of a match for their result."""
    found = organised(request, event, "play")
    row = match_of(found, stage, match)
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(match_scheduling.ask, row.pk, player(request)))


def _field(request: Request, event: str, stage: int, match: str, *, is_organiser: bool) -> Response:
    found = organised(request, event, "play") if is_organiser else access.open_event(player(request), event)
    row = match_of(found, stage, match)
    form = read(request_serializers.Substitute, request.data)
    places = row.places.filter(entry__number=form["entry"]) if "entry" in form else row.places.none()
    if not is_organiser:
        _, own = access.own_entry(player(request), event)
        places = row.places.filter(entry=own)
    place = places.first()
    if place is None:
        raise Refused("not_in_match", gettext("Choose an entry of this match."))
    act = partial(substitutes.field_substitute, place.pk, player(request), member_ids=form["members"])
    return done(request, found, form, act)


@door("POST", "events_enter", takes=request_serializers.Substitute)
def own_substitute(request: Request, event: str, stage: int, match: str) -> Response:
    """Set the players of your entry for this match, until it has a result."""
    return _field(request, event, stage, match, is_organiser=False)


@door("POST", "events_organise", takes=request_serializers.Substitute)
def substitute(request: Request, event: str, stage: int, match: str) -> Response:
    """Set the players of an entry for this match, as an organiser."""
    return _field(request, event, stage, match, is_organiser=True)


# Parts


def _at_match(
    request: Request, event: str, stage: int, match: str, takes: type[request_serializers.Acting], service: Any
) -> Response:
    found = organised(request, event, "play")
    row = match_of(found, stage, match)
    form = read(takes, request.data)

    def act(**how: Any) -> Act:
        made: Act = service(row.pk, by=player(request), **how)
        return made

    return done(request, found, form, act)


def _ids(pairing: Pairing) -> dict[int, int]:
    """Ids of the entries of a match by their numbers."""
    return dict(Entry.objects.filter(places__pairing=pairing).values_list("number", "pk"))


def _lines(pairing: Pairing, lines: Sequence[Form]) -> list[dict[str, Any]]:
    """The lines of a result with ids for numbers. Raises `Refused` for who is not of the match."""
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
    """The result that is meant. Raises `Http404`."""
    found = Result.objects.filter(pairing=pairing, pk=form["result"]).first()
    if found is None:
        raise Http404(gettext("Result not found for this match."))
    return found
