"""Rounds: start the next one, pair by hand, redraw, set times; matches: set time, place and players."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from tournaments.forms.times import TimesForm
from tournaments.lookups import match_of, round_of, stage_of
from tournaments.models import Act, Place, Round, Stage
from tournaments.services.entries import substitutes
from tournaments.services.matches import match_scheduling
from tournaments.services.stages import arenas, first_draw, manual_pairing, redraws, stage_decisions
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.desk import open_match, page_of, show_desk, show_match, show_round, times_form
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused
from web.sent_numbers import read_ids

# Rounds


@require_POST
def start_round(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Start the next round of a stage. Pressed twice, or by two organisers, it starts one round."""
    tournament = event_for(request, event, "play")
    stage_ = stage_of(tournament, stage)

    def do() -> Act:
        round_number = form_actions.chosen(request, "number", gettext("Choose a round."))
        args = form_actions.how(request, seen=True)
        return stage_decisions.start_round(stage_.pk, round_number, by=person(request), **args)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_desk(request, tournament, None, refusal)

    return form_actions.act(request, tournament, "dock", do, show, reverse("tournaments:organise", args=[event]))


@require_POST
def swap(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Swap two entries."""

    def do(round_: Round) -> Act:
        first = form_actions.chosen(request, "one", gettext("Choose two entries."))
        second = form_actions.chosen(request, "other", gettext("Choose two entries."))
        return manual_pairing.swap(
            round_.pk, person(request), one=first, other=second, **form_actions.how(request, seen=True)
        )

    return _round_act(request, event, stage, round, "swap", do)


@require_POST
def move(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Move an entry to another table, or give it a bye."""

    def do(round_: Round) -> Act:
        entry = form_actions.chosen(request, "one", gettext("Choose an entry."))
        to = request.POST.get("to", "")
        table = form_actions.number(request, "to")
        if table is None and to not in manual_pairing.SITS_OUT:
            raise Refused("nothing_chosen", gettext("Choose a table."))
        kind = to if table is None else "zero_bye"
        return manual_pairing.move(
            round_.pk, person(request), entry=entry, table=table, kind=kind, **form_actions.how(request, seen=True)
        )

    return _round_act(request, event, stage, round, "move", do)


@require_POST
def draw_again(request: HttpRequest, event: str) -> HttpResponse:
    """Draw the first round again, before the start."""
    tournament = event_for(request, event, "play")
    args = form_actions.how(request, seen=True)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_desk(request, tournament, None, refusal)

    def do() -> Act:
        return first_draw.draw_again(tournament.pk, person(request), **args)

    return form_actions.act(request, tournament, "again", do, show, reverse("tournaments:organise", args=[event]))


@require_POST
def redraw(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Redraw a round by current results."""

    def do(round_: Round) -> Act:
        return redraws.redraw(round_.stage_id, round, by=person(request), **form_actions.how(request, seen=True))

    return _round_act(request, event, stage, round, "redraw", do)


@require_POST
def round_times(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Set the start and the deadline of a round."""
    tournament = event_for(request, event, "play")
    round_ = round_of(tournament, stage, round)
    form = TimesForm(request.POST, event=tournament)
    if not form.is_valid():
        refusal = Refusal("times", gettext("Check the times below."))
        return show_round(request, tournament, round_, refusal=refusal, times=form)

    def do() -> Act:
        return match_scheduling.set_round_times(
            round_.pk, person(request), **form.cleaned_data, **form_actions.how(request)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_round(request, tournament, round_, refusal=refusal, times=form)

    return form_actions.act(request, tournament, "times", do, show, _round_page(event, stage, round))


def _round_act(
    request: HttpRequest, event: str, stage: int, round: int, at: str, do: Callable[[Round], Act]
) -> HttpResponse:
    tournament = event_for(request, event, "play")
    round_ = round_of(tournament, stage, round)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_round(request, tournament, round_of(tournament, stage, round), refusal=refusal)

    return form_actions.act(request, tournament, at, lambda: do(round_), show, _round_page(event, stage, round))


def _round_page(slug: str, stage: int, round: int) -> str:
    return reverse("tournaments:organise_round", args=[slug, stage, round])


# Ladders and arenas


@require_POST
def challenge(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """On a ladder: challenge an entry for another one, for people without an account."""

    def do(stage: Stage) -> Act:
        first = form_actions.chosen(request, "one", gettext("Choose both entries of the challenge."))
        second = form_actions.chosen(request, "other", gettext("Choose both entries of the challenge."))
        return arenas.challenge(stage.pk, first, second, by=person(request), request_key=form_actions.key_of(request))

    return _endless_act(request, event, stage, "challenge", do)


@require_POST
def free(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """In an arena: set whether an entry waits for its next table or takes a break."""

    def do(stage: Stage) -> Act:
        entry = form_actions.chosen(request, "one", gettext("Choose an entry."))
        return arenas.set_free(stage.pk, entry, by=person(request), is_free=request.POST.get("to") != "break")

    return _endless_act(request, event, stage, "free", do)


def _endless_act(request: HttpRequest, event: str, stage: int, at: str, do: Callable[[Stage], Act]) -> HttpResponse:
    """An act in a stage whose only round has no end."""
    tournament = event_for(request, event, "play")
    stage_ = stage_of(tournament, stage)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_round(request, tournament, round_of(tournament, stage, 1), refusal=refusal)

    return form_actions.act(request, tournament, at, lambda: do(stage_), show, _round_page(event, stage, 1))


# Matches


@require_POST
def match_times(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Reschedule one match, or give it a deadline of its own."""
    tournament = event_for(request, event, "play")
    pairing = match_of(tournament, stage, match)
    form = times_form(tournament, pairing, request.POST)

    def do() -> Act:
        if not form.is_valid():
            raise Refused("bad_times", gettext("Check the times below."))
        return match_scheduling.set_match_times(
            pairing.pk, person(request), **form.cleaned_data, **form_actions.how(request)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_match(request, tournament, pairing, open_match(tournament, pairing, times=form), refusal)

    return form_actions.act(request, tournament, "match-times", do, show, page_of(request, tournament, pairing))


@require_POST
def play_where(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Set a match to online or in person."""

    def do(pairing_id: int) -> Act:
        online = request.POST.get("where") == "online"
        return match_scheduling.set_online(pairing_id, person(request), online=online, **form_actions.how(request))

    return _match_act(request, event, stage, match, "match-where", do)


@require_POST
def cancel_match(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Stop a match, which must be played again; cancel a challenge."""

    def do(pairing_id: int) -> Act:
        return match_scheduling.cancel_match(pairing_id, person(request), **form_actions.how(request, seen=True))

    return _match_act(request, event, stage, match, "match-call-off", do)


@require_POST
def ask(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Ask the players of a match for its result."""

    def do(pairing_id: int) -> Act:
        return match_scheduling.ask_for_result(pairing_id, person(request), **form_actions.how(request))

    return _match_act(request, event, stage, match, "match-ask", do)


@require_POST
def field(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Set the people who play a match for an entry."""

    def do(pairing_id: int) -> Act:
        place = form_actions.chosen(request, "place", gettext("Choose an entry."))
        if not Place.objects.filter(pk=place, pairing=pairing_id).exists():
            raise Refused("no_such_place", gettext("That entry does not play this match."))
        people = read_ids(request.POST.getlist("people"))
        return substitutes.field_substitute(place, person(request), member_ids=people, **form_actions.how(request))

    return _match_act(request, event, stage, match, "match-people", do)


def _match_act(
    request: HttpRequest, event: str, stage: int, match: str, at: str, do: Callable[[int], Act], *, needs: str = "play"
) -> HttpResponse:
    tournament = event_for(request, event, needs)
    pairing = match_of(tournament, stage, match)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_match(request, tournament, pairing, open_match(tournament, pairing), refusal)

    to = page_of(request, tournament, pairing)
    return form_actions.act(request, tournament, at, lambda: do(pairing.pk), show, to)


_ROUND = "events/<slug:event>/organise/<int:stage>/rounds/<int:round>"
_MATCH = "events/<slug:event>/organise/<int:stage>/<str:match>"
urls = [
    path("events/<slug:event>/organise/<int:stage>/go/", start_round, name="organise_go"),
    path("events/<slug:event>/organise/<int:stage>/challenge/", challenge, name="organise_challenge"),
    path("events/<slug:event>/organise/<int:stage>/free/", free, name="organise_free"),
    path("events/<slug:event>/organise/draw-again/", draw_again, name="organise_draw_again"),
    path(f"{_ROUND}/swap/", swap, name="organise_swap"),
    path(f"{_ROUND}/move/", move, name="organise_move"),
    path(f"{_ROUND}/redraw/", redraw, name="organise_redraw"),
    path(f"{_ROUND}/times/", round_times, name="organise_round_times"),
    path(f"{_MATCH}/times/", match_times, name="organise_match_times"),
    path(f"{_MATCH}/where/", play_where, name="organise_where"),
    path(f"{_MATCH}/call-off/", cancel_match, name="organise_call_off"),
    path(f"{_MATCH}/ask/", ask, name="organise_ask"),
    path(f"{_MATCH}/people/", field, name="organise_field"),
]
