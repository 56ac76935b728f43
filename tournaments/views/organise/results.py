"""Results by an organiser: entered, confirmed, decided between two sheets; changed and taken back with a preview."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from tournaments.forms.result import ResultForm
from tournaments.lookups import match_of
from tournaments.models import Act, Pairing, Place, Result, Tournament
from tournaments.organiser.tables import result_words
from tournaments.plan import Plan
from tournaments.round_names import round_name
from tournaments.services import previews
from tournaments.services.matches import results, scores
from tournaments.views.organise import form_actions
from tournaments.views.organise.desk import Foreseen, Opened, opened, page_of, result_form, show_match
from tournaments.views.organise.form_actions import Refusal, event_for, person
from web.errors import Refused
from web.text import number, ordinal


@require_POST
def enter(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Enter the result of a match, or change one that counts, with a reason."""
    found = event_for(request, event, "results")
    pairing = match_of(found, stage, match)
    form = result_form(pairing, request.POST)
    is_change = pairing.result_id is not None
    if not form.is_valid():
        return _show(
            request, found, pairing, Refusal("result", gettext("Nothing was entered yet. Check the fields.")), form
        )

    def do() -> Act:
        return results.decide(
            pairing.pk,
            form.lines(),
            by=person(request),
            reason=form.cleaned_data["reason"].strip(),
            kind=form.kind(),
            winner=form.goes_on(),
            pair_again=form.cleaned_data["pair_again"] == "yes",
            known=form.cleaned_data["known"],
            seen=form_actions.seen_of(request) if is_change else None,
            request_key=form_actions.key_of(request),
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        fresh = match_of(found, stage, match)
        if is_change and fresh.result_id is not None:
            return _foresee_change(request, found, fresh, refusal)
        return _show(request, found, fresh, refusal, _with_fresh_state(fresh, request))

    return form_actions.act(request, found, "result", do, show, page_of(request, found, pairing))


@require_POST
def foresee(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """What changing a result, or taking it back, would bring about; nothing is done."""
    found = event_for(request, event, "play")
    pairing = match_of(found, stage, match)
    if request.POST.get("act") == "take_back":
        return _foresee_take_back(request, found, pairing, None)
    return _foresee_change(request, found, pairing, None)


@require_POST
def take_back(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Take a result back: the match is open again."""
    found = event_for(request, event, "play")
    pairing = match_of(found, stage, match)

    def do() -> Act:
        return results.take_back(pairing.pk, by=person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return _foresee_take_back(request, found, match_of(found, stage, match), refusal)

    return form_actions.act(request, found, "result", do, show, page_of(request, found, pairing))


@require_POST
def confirm(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Take a reported result as it is; between two sheets that differ, one of them."""
    found = event_for(request, event, "results")
    pairing = match_of(found, stage, match)

    def do() -> Act:
        chosen = form_actions.chosen(request, "result", gettext("Choose the correct result."))
        if not Result.objects.filter(pk=chosen, pairing=pairing).exists():
            raise Refused("no_result", gettext("That result does not belong to this match."))
        goes_on = form_actions.number(request, "goes_on")
        if goes_on is not None:
            return _decide_level(pairing, chosen, goes_on, request)
        return results.confirm(chosen, by=person(request), request_key=form_actions.key_of(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_match(request, found, pairing, None, refusal)

    return form_actions.act(request, found, f"confirm-{pairing.pk}", do, show, page_of(request, found, pairing))


def _decide_level(pairing: Pairing, chosen: int, goes_on: int, request: HttpRequest) -> Act:
    """Let one side of a match that ended level in a knockout go on."""
    lines = Result.objects.get(pk=chosen).lines
    key = form_actions.key_of(request)
    return results.decide(pairing.pk, lines, by=person(request), winner=goes_on, known=chosen, request_key=key)


# Previews


def _foresee_change(request: HttpRequest, event: Tournament, pairing: Pairing, refusal: Refusal | None) -> HttpResponse:
    form = _with_fresh_state(pairing, request)
    if not form.is_valid():
        return _show(request, event, pairing, refusal or Refusal("result", gettext("Check the fields below.")), form)

    try:
        seen = previews.preview_of_result(
            pairing,
            form.lines(),
            by=person(request),
            reason=form.cleaned_data["reason"].strip() or "-",
            kind=form.kind(),
            winner=form.goes_on(),
        )
    except Refused as refused:
        return _show(request, event, pairing, Refusal("result", refused.sentence, refused.status), form)
    lines = _both(pairing, form)
    foreseen = Foreseen(
        gettext("Correct the result of %(match)s") % {"match": pairing}, _note(pairing), lines, seen, "result", form
    )
    return _show(request, event, pairing, refusal, form, foreseen, refusal.status if refusal else 200)


def _foresee_take_back(
    request: HttpRequest, event: Tournament, pairing: Pairing, refusal: Refusal | None
) -> HttpResponse:
    def do() -> Act:
        return results.take_back(pairing.pk, by=person(request), reason="-")

    try:
        _, seen = previews.preview_of(event.pk, do)
    except Refused as refused:
        return _show(request, event, pairing, Refusal("result", refused.sentence, refused.status), result_form(pairing))
    was = [(side, words, gettext("not played yet")) for side, words, _ in _both(pairing, None)]
    foreseen = Foreseen(
        gettext("Remove the result of %(match)s") % {"match": pairing}, _note(pairing), was, seen, "take_back"
    )
    return _show(request, event, pairing, refusal, result_form(pairing), foreseen)


def _both(pairing: Pairing, form: ResultForm | None) -> list[tuple[str, str, str]]:
    """Each side of a match: who, how it was, and how it becomes by the form."""
    places = list(pairing.places.select_related("entry"))
    was = (
        _told(pairing, places, pairing.result.kind, pairing.result.lines, pairing.result.winner_id)
        if pairing.result
        else {}
    )
    now = _told(pairing, places, form.kind(), form.lines(), form.goes_on()) if form else {}
    sides = result_form(pairing).sides
    return [(side.names, was.get(side.number, gettext("nothing")), now.get(side.number, "")) for side in sides]


def _told(
    pairing: Pairing, places: list[Place], kind: str, lines: list[dict[str, Any]], winner: int | None
) -> dict[int, str]:
    """By side, its card points and its place at the table: `3,980, 1st`."""
    order = {line["entry"]: line for line in lines}
    in_order = [order.get(place.entry_id, {"entry": place.entry_id, "score": None}) for place in places]
    plan = Plan.read(pairing.round.stage.plan_json)
    scored = scores.score_lines(plan, kind, in_order, [place.side for place in places], winner)
    told = {}
    for place, line, one in zip(places, in_order, scored, strict=True):
        points = (
            gettext("did not come")
            if line.get("forfeit")
            else gettext("walkover")
            if one.score is None
            else number(one.score)
        )
        told[place.side] = f"{points}, {ordinal(one.rank)}"
    return told


def _note(pairing: Pairing) -> str:
    words = result_words(pairing, list(pairing.places.select_related("entry")))
    values = {"round": round_name(pairing.round.name), "result": words}
    if pairing.result and pairing.result.by:
        told = gettext("%(round)s: %(result)s, entered by %(name)s.")
        return told % {**values, "name": pairing.result.by}
    return gettext("%(round)s: %(result)s.") % values


# Showing


def _with_fresh_state(pairing: Pairing, request: HttpRequest) -> ResultForm:
    """What was typed, on the match as it is now: pressed again it is meant for that."""
    data = request.POST.copy()
    data["known"] = str(max(pairing.results.values_list("pk", flat=True), default=0))
    return result_form(pairing, data)


def _show(
    request: HttpRequest,
    event: Tournament,
    pairing: Pairing,
    refusal: Refusal | None,
    form: ResultForm,
    foreseen: Foreseen | None = None,
    status: int = 200,
) -> HttpResponse:
    open_one: Opened = opened(event, pairing, form=form, foreseen=foreseen)
    return show_match(request, event, pairing, open_one, refusal)


_AT = "events/<slug:event>/organise/<int:stage>/<str:match>"
urls = [
    path(f"{_AT}/result/", enter, name="organise_result"),
    path(f"{_AT}/preview/", foresee, name="organise_result_preview"),
    path(f"{_AT}/take-back/", take_back, name="organise_take_back"),
    path(f"{_AT}/confirm/", confirm, name="organise_confirm"),
]
