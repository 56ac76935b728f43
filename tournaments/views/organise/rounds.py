"""Rounds: the go for the next one, pairing by hand, drawing anew, times; and when, where and by whom a match is played."""

from __future__ import annotations

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
from tournaments.services.stages import arenas, manual_pairing, redraws, stage_decisions
from tournaments.views.organise import form_actions
from tournaments.views.organise.desk import opened, page_of, show_desk, show_match, show_round, times_form
from tournaments.views.organise.form_actions import Refusal, event_for, person
from web.errors import Refused

# Rounds


@require_POST
def go(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Give the next round of a stage its go. Pressed twice, or by two organisers, it makes one round."""
    found = event_for(request, event, "play")
    own = stage_of(found, stage)

    def do() -> Act:
        round_number = form_actions.chosen(request, "number", gettext("Choose a round."))
        return stage_decisions.give_go(own.pk, round_number, by=person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_desk(request, found, None, refusal)

    return form_actions.act(request, found, "dock", do, show, reverse("tournaments:organise", args=[found.slug]))


@require_POST
def swap(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Let two entries change places."""

    def do(row: Round) -> Act:
        one = form_actions.chosen(request, "one", gettext("Choose two entries."))
        other = form_actions.chosen(request, "other", gettext("Choose two entries."))
        return manual_pairing.swap(
            row.pk, person(request), one=one, other=other, **form_actions.how(request, seen=True)
        )

    return _round_act(request, event, stage, round, "swap", do)


@require_POST
def move(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Seat an entry at another table, or let it sit out."""

    def do(row: Round) -> Act:
        entry = form_actions.chosen(request, "one", gettext("Choose an entry."))
        to = request.POST.get("to", "")
        table = form_actions.number(request, "to")
        if table is None and to not in manual_pairing.SITS_OUT:
            raise Refused("nothing_chosen", gettext("Choose a table."))
        kind = to if table is None else "zero_bye"
        return manual_pairing.move(
            row.pk, person(request), entry=entry, table=table, kind=kind, **form_actions.how(request, seen=True)
        )

    return _round_act(request, event, stage, round, "move", do)


@require_POST
def redraw(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Draw a round anew by today's results."""

    def do(row: Round) -> Act:
        return redraws.redraw(row.stage_id, round, by=person(request), **form_actions.how(request, seen=True))

    return _round_act(request, event, stage, round, "redraw", do)


@require_POST
def round_times(request: HttpRequest, event: str, stage: int, round: int) -> HttpResponse:
    """Say when a round begins and until when it is played."""
    found = event_for(request, event, "play")
    row = round_of(found, stage, round)
    form = TimesForm(request.POST, event=found)
    if not form.is_valid():
        return show_round(request, found, row, refusal=Refusal("times", gettext("Check the times below.")), times=form)

    def do() -> Act:
        return match_scheduling.set_round_times(
            row.pk, person(request), **form.cleaned_data, **form_actions.how(request)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_round(request, found, row, refusal=refusal, times=form)

    return form_actions.act(request, found, "times", do, show, _round_page(found.slug, stage, round))


def _round_act(
    request: HttpRequest, event: str, stage: int, round: int, at: str, do: Callable[[Round], Act]
) -> HttpResponse:
    found = event_for(request, event, "play")
    row = round_of(found, stage, round)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_round(request, found, round_of(found, stage, round), refusal=refusal)

    return form_actions.act(request, found, at, lambda: do(row), show, _round_page(found.slug, stage, round))


def _round_page(slug: str, stage: int, round: int) -> str:
    return reverse("tournaments:organise_round", args=[slug, stage, round])


# Ladders and arenas


@require_POST
def challenge(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """In a ladder: let one entry challenge another, for those who have no account."""

    def do(own: Stage) -> Act:
        one = form_actions.chosen(request, "one", gettext("Choose both entries of the challenge."))
        other = form_actions.chosen(request, "other", gettext("Choose both entries of the challenge."))
        return arenas.challenge(own.pk, one, other, by=person(request), request_key=form_actions.key_of(request))

    return _endless_act(request, event, stage, "challenge", do)


@require_POST
def free(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """In an arena: say that an entry waits for its next table, or takes a break."""

    def do(own: Stage) -> Act:
        entry = form_actions.chosen(request, "one", gettext("Choose an entry."))
        return arenas.free(own.pk, entry, by=person(request), is_free=request.POST.get("to") != "break")

    return _endless_act(request, event, stage, "free", do)


def _endless_act(request: HttpRequest, event: str, stage: int, at: str, do: Callable[[Stage], Act]) -> HttpResponse:
    """An act in a stage that has one round only, which goes on and on."""
    found = event_for(request, event, "play")
    own = stage_of(found, stage)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_round(request, found, round_of(found, stage, 1), refusal=refusal)

    return form_actions.act(request, found, at, lambda: do(own), show, _round_page(found.slug, stage, 1))


# Matches


@require_POST
def match_times(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Postpone one match, or give it a deadline of its own."""
    found = event_for(request, event, "play")
    pairing = match_of(found, stage, match)
    form = times_form(found, pairing, request.POST)

    def do() -> Act:
        if not form.is_valid():
            raise Refused("bad_times", gettext("Check the times below."))
        return match_scheduling.set_match_times(
            pairing.pk, person(request), **form.cleaned_data, **form_actions.how(request)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_match(request, found, pairing, opened(found, pairing, times=form), refusal)

    return form_actions.act(request, found, "match-times", do, show, page_of(request, found, pairing))


@require_POST
def play_where(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Let a match be played online, or face to face."""

    def do(pairing_id: int) -> Act:
        online = request.POST.get("where") == "online"
        return match_scheduling.play_where(pairing_id, person(request), online=online, **form_actions.how(request))

    return _match_act(request, event, stage, match, "match-where", do)


@require_POST
def call_off(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Stop a match, to be played anew; take a challenge away."""

    def do(pairing_id: int) -> Act:
        return match_scheduling.call_off(pairing_id, person(request), **form_actions.how(request, seen=True))

    return _match_act(request, event, stage, match, "match-call-off", do)


@require_POST
def ask(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Ask the players of a match for its result."""

    def do(pairing_id: int) -> Act:
        return match_scheduling.ask(pairing_id, person(request), **form_actions.how(request))

    return _match_act(request, event, stage, match, "match-ask", do)


@require_POST
def field(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Say who of an entry plays this match for it."""

    def do(pairing_id: int) -> Act:
        place = form_actions.chosen(request, "place", gettext("Choose an entry."))
        if not Place.objects.filter(pk=place, pairing=pairing_id).exists():
            raise Refused("no_such_place", gettext("That entry does not play this match."))
        people = [int(one) for one in request.POST.getlist("people") if one.isdecimal() and len(one) < 10]
        return substitutes.field_substitute(place, person(request), member_ids=people, **form_actions.how(request))

    return _match_act(request, event, stage, match, "match-people", do)


def _match_act(
    request: HttpRequest,
    event: str,
    stage: int,
    match: str,
    at: str,
    do: Callable[[int], Act],
    *,
    needs: str = "play",
) -> HttpResponse:
    found = event_for(request, event, needs)
    pairing = match_of(found, stage, match)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_match(request, found, pairing, opened(found, pairing), refusal)

    return form_actions.act(request, found, at, lambda: do(pairing.pk), show, page_of(request, found, pairing))


_ROUND = "events/<slug:event>/organise/<int:stage>/rounds/<int:round>"
_MATCH = "events/<slug:event>/organise/<int:stage>/<str:match>"
urls = [
    path("events/<slug:event>/organise/<int:stage>/go/", go, name="organise_go"),
    path("events/<slug:event>/organise/<int:stage>/challenge/", challenge, name="organise_challenge"),
    path("events/<slug:event>/organise/<int:stage>/free/", free, name="organise_free"),
    path(f"{_ROUND}/swap/", swap, name="organise_swap"),
    path(f"{_ROUND}/move/", move, name="organise_move"),
    path(f"{_ROUND}/redraw/", redraw, name="organise_redraw"),
    path(f"{_ROUND}/times/", round_times, name="organise_round_times"),
    path(f"{_MATCH}/times/", match_times, name="organise_match_times"),
    path(f"{_MATCH}/where/", play_where, name="organise_where"),
    path(f"{_MATCH}/call-off/", call_off, name="organise_call_off"),
    path(f"{_MATCH}/ask/", ask, name="organise_ask"),
    path(f"{_MATCH}/people/", field, name="organise_field"),
]
