"""Results by an organiser: enter, confirm, decide between two sheets; correct and remove with a preview."""

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
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.desk import OpenedMatch, ResultPreview, open_match, page_of, result_form, show_match
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from web.errors import Refused
from web.text import number, ordinal


@require_POST
def enter(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Enter the result of a match, or correct a final one, with a reason."""
    tournament = event_for(request, event, "results")
    pairing = match_of(tournament, stage, match)
    form = result_form(pairing, request.POST)
    is_change = pairing.result_id is not None
    if not form.is_valid():
        return _show(
            request, tournament, pairing, Refusal("result", gettext("Nothing was entered yet. Check the fields.")), form
        )

    def do() -> Act:
        return results.decide(
            pairing.pk,
            form.lines(),
            by=person(request),
            reason=form.cleaned_data["reason"].strip(),
            kind=form.kind(),
            winner=form.winner_id(),
            pair_again=form.cleaned_data["pair_again"] == "yes",
            known=form.cleaned_data["known"],
            seen=form_actions.seen_of(request) if is_change else None,
            request_key=form_actions.key_of(request),
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        fresh = match_of(tournament, stage, match)
        if is_change and fresh.result_id is not None:
            return _preview_change(request, tournament, fresh, refusal)
        return _show(request, tournament, fresh, refusal, _with_fresh_state(fresh, request))

    return form_actions.act(request, tournament, "result", do, show, page_of(request, tournament, pairing))


@require_POST
def preview_change(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """The effects of correcting or removing a result; nothing is done."""
    tournament = event_for(request, event, "play")
    pairing = match_of(tournament, stage, match)
    if request.POST.get("act") == "take_back":
        return _preview_removal(request, tournament, pairing, None)
    return _preview_change(request, tournament, pairing, None)


@require_POST
def remove_result(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Remove a result: the match is open again."""
    tournament = event_for(request, event, "play")
    pairing = match_of(tournament, stage, match)

    def do() -> Act:
        return results.remove_result(pairing.pk, by=person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return _preview_removal(request, tournament, match_of(tournament, stage, match), refusal)

    return form_actions.act(request, tournament, "result", do, show, page_of(request, tournament, pairing))


@require_POST
def confirm(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Confirm an entered result; between two sheets that differ, one of them."""
    tournament = event_for(request, event, "results")
    pairing = match_of(tournament, stage, match)

    def do() -> Act:
        chosen = form_actions.chosen(request, "result", gettext("Choose the correct result."))
        if not Result.objects.filter(pk=chosen, pairing=pairing).exists():
            raise Refused("no_result", gettext("That result does not belong to this match."))
        goes_on = form_actions.number(request, "goes_on")
        if goes_on is not None:
            return _decide_tie(pairing, chosen, goes_on, request)
        return results.confirm(chosen, by=person(request), request_key=form_actions.key_of(request))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_match(request, tournament, pairing, None, refusal)

    to = page_of(request, tournament, pairing)
    return form_actions.act(request, tournament, f"confirm-{pairing.pk}", do, show, to)


def _decide_tie(pairing: Pairing, chosen: int, goes_on: int, request: HttpRequest) -> Act:
    """Choose the side that goes through after a tied match in a knockout."""
    lines = Result.objects.get(pk=chosen).lines
    key = form_actions.key_of(request)
    return results.decide(pairing.pk, lines, by=person(request), winner=goes_on, known=chosen, request_key=key)


# Previews


def _preview_change(request: HttpRequest, event: Tournament, pairing: Pairing, refusal: Refusal | None) -> HttpResponse:
    form = _with_fresh_state(pairing, request)
    if not form.is_valid():
        return _show(request, event, pairing, refusal or Refusal("result", gettext("Check the fields below.")), form)

    try:
        preview = previews.preview_of_result(
            pairing,
            form.lines(),
            by=person(request),
            reason=form.cleaned_data["reason"].strip() or "-",
            kind=form.kind(),
            winner=form.winner_id(),
        )
    except Refused as refused:
        return _show(request, event, pairing, Refusal("result", refused.sentence, refused.status), form)
    lines = _both(pairing, form)
    foreseen = ResultPreview(
        gettext("Correct the result of %(match)s") % {"match": results.words_of(pairing)},
        _note(pairing),
        lines,
        preview,
        "result",
        form,
    )
    return _show(request, event, pairing, refusal, form, foreseen, refusal.status if refusal else 200)


def _preview_removal(
    request: HttpRequest, event: Tournament, pairing: Pairing, refusal: Refusal | None
) -> HttpResponse:
    def do() -> Act:
        return results.remove_result(pairing.pk, by=person(request), reason="-")

    try:
        _, preview = previews.preview_of(event.pk, do)
    except Refused as refused:
        return _show(request, event, pairing, Refusal("result", refused.sentence, refused.status), result_form(pairing))
    was = [(side, words, gettext("not played yet")) for side, words, _ in _both(pairing, None)]
    foreseen = ResultPreview(
        gettext("Remove the result of %(match)s") % {"match": results.words_of(pairing)},
        _note(pairing),
        was,
        preview,
        "take_back",
    )
    return _show(request, event, pairing, refusal, result_form(pairing), foreseen)


def _both(pairing: Pairing, form: ResultForm | None) -> list[tuple[str, str, str]]:
    """Each side of a match: its name, its result before, and its result in the form."""
    places = list(pairing.places.select_related("entry"))
    was = (
        _outcomes(pairing, places, pairing.result.kind, pairing.result.lines, pairing.result.winner_id)
        if pairing.result
        else {}
    )
    now = _outcomes(pairing, places, form.kind(), form.lines(), form.winner_id()) if form else {}
    sides = result_form(pairing).sides
    return [(side.names, was.get(side.number, gettext("nothing")), now.get(side.number, "")) for side in sides]


def _outcomes(
    pairing: Pairing, places: list[Place], kind: str, lines: list[dict[str, Any]], winner: int | None
) -> dict[int, str]:
    """The card points and the place at the table by side: `3,980, 1st`."""
    order = {line["entry"]: line for line in lines}
    in_order = [order.get(place.entry_id, {"entry": place.entry_id, "score": None}) for place in places]
    plan = Plan.read(pairing.round.stage.plan_json)
    scored = scores.score_lines(plan, kind, in_order, [place.side for place in places], winner)
    texts = {}
    for place, line, outcome in zip(places, in_order, scored, strict=True):
        points = (
            gettext("did not come")
            if line.get("forfeit")
            else gettext("walkover")
            if outcome.score is None
            else number(outcome.score)
        )
        texts[place.side] = f"{points}, {ordinal(outcome.rank)}"
    return texts


def _note(pairing: Pairing) -> str:
    words = result_words(pairing, list(pairing.places.select_related("entry")))
    values = {"round": round_name(pairing.round.name), "result": words}
    if pairing.result and pairing.result.by:
        text = gettext("%(round)s: %(result)s, entered by %(name)s.")
        return text % {**values, "name": pairing.result.by}
    return gettext("%(round)s: %(result)s.") % values


# Showing


def _with_fresh_state(pairing: Pairing, request: HttpRequest) -> ResultForm:
    """The typed form on the current state of the match, for which it is sent again."""
    data = request.POST.copy()
    data["known"] = str(max(pairing.results.values_list("pk", flat=True), default=0))
    return result_form(pairing, data)


def _show(
    request: HttpRequest,
    event: Tournament,
    pairing: Pairing,
    refusal: Refusal | None,
    form: ResultForm,
    foreseen: ResultPreview | None = None,
    status: int = 200,
) -> HttpResponse:
    open_one: OpenedMatch = open_match(event, pairing, form=form, foreseen=foreseen)
    return show_match(request, event, pairing, open_one, refusal)


_AT = "events/<slug:event>/organise/<int:stage>/<str:match>"
urls = [
    path(f"{_AT}/result/", enter, name="organise_result"),
    path(f"{_AT}/preview/", preview_change, name="organise_result_preview"),
    path(f"{_AT}/take-back/", remove_result, name="organise_take_back"),
    path(f"{_AT}/confirm/", confirm, name="organise_confirm"),
]
