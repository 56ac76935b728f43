"""Score sheet page, for players of the match and by table card."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from accounts.models import User
from gameplay.score_sheets import deal_names, display, paper_scoring, phone, score_form
from gameplay.score_sheets.display import Seating
from gameplay.score_sheets.numbers import numbers
from gameplay.score_sheets.paper_scoring import Deal
from gameplay.score_sheets.photo_services import MOST as MOST_PHOTOS
from gameplay.score_sheets.score_form import BY_BOOKS, BY_DEALS, BY_END, Typed, field_name
from tournaments import terms as played_by
from tournaments.models import Entry, Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import reports
from tournaments.round_names import round_name
from tournaments.rules_text import phrase
from tournaments.score_sheets import photos
from tournaments.score_sheets import services as score_sheets
from tournaments.score_sheets.services import Sheet
from web.errors import Refused, Stale
from web.sent_numbers import read_whole


@dataclass(frozen=True)
class Desk:
    """Author of a score sheet, with its match and addresses."""

    match: score_sheets.Match
    entry: Entry
    user: User | None
    origin: Result.Origin
    url: str
    sync_url: str
    answer_url: str
    back: str
    """Address of the match."""
    photos_url: str
    """Address for a photograph of the paper sheet."""


def page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The saved sheet; posted, count, save or send the typed scores."""
    saved = score_sheets.saved_sheet(desk.match, desk.entry.pk)
    deals, terms = saved.deals, desk.match.terms
    is_ended = paper_scoring.reckon(terms, deals).is_over or saved.is_stopped
    query = request.POST if request.method == "POST" else request.GET
    number = _number(query.get("deal", ""), len(deals) + (not is_ended))
    usual = BY_DEALS if terms.shape is None or (deals and "points" in deals[-1]) else BY_BOOKS
    if number is not None and number <= len(deals):
        usual = BY_DEALS if "points" in deals[number - 1] else BY_BOOKS
    way = query.get("by", "") if query.get("by") in score_form.ways(terms) else usual
    if number is None and not is_ended:
        number = len(deals) + 1
    if request.method == "POST":
        return _post(request, desk, saved, number, way)
    old_deal = deals[number - 1] if number is not None and number <= len(deals) else None
    return _show(request, desk, saved, number, score_form.from_deal(terms, way, old_deal))


def _number(text: str, most: int) -> int | None:
    number = read_whole(text, digits=3)
    return number if number is not None and 1 <= number <= most else None


def _post(request: HttpRequest, desk: Desk, saved: Sheet, number: int | None, way: str) -> HttpResponse:
    act, terms, deals = request.POST.get("act", ""), desk.match.terms, saved.deals
    typed = score_form.read(terms, way, request.POST) if number is not None or way == BY_END else Typed(way)
    pk, entry = desk.match.pairing.pk, desk.entry.pk
    try:
        if act == "save" and number is not None and way != BY_END:
            _check(typed)
            mark = request.POST.get("seen")
            total = score_sheets.save(pk, entry, number, typed.deal, seen=mark)
            text = "Deal %(number)s saved. The match is over." if total.is_over else "Deal %(number)s saved."
            messages.success(request, deal_names.words(terms.boards, text, number))
            return redirect(f"{desk.url}?by={way}" if not total.is_over else desk.url)
        if act == "away":
            score_sheets.drop_last(pk, entry, len(deals) if request.POST.get("last") == str(len(deals)) else 0)
            return redirect(desk.url)
        if act in ("stop", "go_on"):
            score_sheets.stop(pk, entry, is_stopped=act == "stop")
            return redirect(desk.url)
        if act == "send":
            if way == BY_END:
                _check(typed)
            final = typed.points if typed.way == BY_END else None
            return redirect(_send(request, desk, request.POST.get("key", "")[:32], final=final))
    except Refused as refusal:
        return _show(request, desk, saved, number, typed, refusal)
    return _show(request, desk, saved, number, typed)


def _check(typed: Typed) -> None:
    if typed.wrong:
        raise Refused("bad_figures", " ".join(typed.wrong.values()))


def _send(request: HttpRequest, desk: Desk, key: str, **options: Any) -> str:
    """Send the sheet as a result with a success message. Returns the next address."""
    score_sheets.send(
        desk.match.pairing.pk,
        desk.entry.pk,
        by=desk.user,
        origin=desk.origin,
        request_key=f"score:{desk.match.pairing.pk}:{desk.entry.pk}:{key}"[:64] if key else None,
        **options,
    )
    desk.match.pairing.refresh_from_db()
    agreed = desk.match.pairing.result_id is not None
    messages.success(
        request,
        gettext("Both sides agree. The result is final.")
        if agreed
        else gettext("Result sent. Waiting for the other side to answer."),
    )
    return desk.answer_url if desk.origin == Result.Origin.CARD else desk.back


# For the script of the page


def sync(find: Callable[[], Desk], request: HttpRequest) -> HttpResponse:
    """The saved sheet for a phone; posted, replace its deals or send them as the result.

    Refusals are JSON: 409 if a partner has changed the sheet, 410 if the match takes no more scores, with the saved
    sheet while the match is open.
    """
    desk = None
    try:
        desk = find()
        if request.method == "POST":
            return _synced(request, desk)
        if sentence := score_sheets.closed(desk.match.pairing):
            raise Refused("closed", sentence)
        return JsonResponse({"state": _state(desk), "token": get_token(request)})
    except Refused as refusal:
        data: dict[str, Any] = phone.blamed(refusal)
        is_closed = refusal.code in score_sheets.CLOSED
        if desk is not None and not is_closed and not score_sheets.closed(desk.match.pairing):
            data["state"] = _state(desk)
        return JsonResponse(data, status=410 if is_closed and refusal.status == 422 else refusal.status)


def _synced(request: HttpRequest, desk: Desk) -> HttpResponse:
    sent, terms = phone.body(request), desk.match.terms
    pk, entry, as_drawn = desk.match.pairing.pk, desk.entry.pk, str(sent.get("drawn", ""))
    if sent.get("act") == "send":
        if type(sent.get("seen")) is not int or not phone.is_key(sent.get("key")):
            raise Refused("bad_sheet", gettext("We cannot read the score sheet that was sent."))
        final = phone.final(terms, sent.get("final"))
        url = _send(request, desk, sent["key"], final=final, version=sent["seen"], as_drawn=as_drawn)
        return JsonResponse({"url": url})
    read = phone.read(terms, sent)
    score_sheets.save_all(
        pk,
        entry,
        read.deals,
        is_stopped=read.is_stopped,
        seen=read.seen,
        key=read.key,
        earlier=read.earlier,
        as_drawn=as_drawn,
    )
    return JsonResponse({"state": _state(desk)})


def _state(desk: Desk) -> dict[str, Any]:
    """The saved sheet in the form of the script."""
    match = score_sheets.read(Pairing.objects.select_related("round__stage__tournament").get(pk=desk.match.pairing.pk))
    saved = score_sheets.saved_sheet(match, desk.entry.pk)
    return _sheet_data(saved, match)


def _sheet_data(saved: Sheet, match: score_sheets.Match) -> dict[str, Any]:
    return {
        "version": saved.version,
        "deals": saved.deals,
        "isStopped": saved.is_stopped,
        "names": list(match.terms.names),
    }


# Display


def _show(
    request: HttpRequest, desk: Desk, saved: Sheet, number: int | None, typed: Typed, refusal: Refused | None = None
) -> HttpResponse:
    terms, is_sent, deals = desk.match.terms, request.method == "POST", saved.deals
    wrong = dict(typed.wrong) if is_sent else {}
    if refusal is not None and "row" in refusal.details:
        wrong[field_name(refusal.details["side"], refusal.details["row"])] = refusal.sentence
    own_side = desk.match.side_of(desk.entry.pk)
    chosen = _number(request.POST.get("side", ""), 10)
    sheet = display.sheet(
        terms, deals, number, typed, seating=Seating(desk.match.seats), url=desk.url, wrong=wrong, own_side=own_side
    )
    title = match_title(desk.match.pairing)
    drawn = score_sheets.draw_mark(desk.match, desk.entry.pk)
    numbered = {**numbers(terms, desk.match.seats), "ways": list(score_form.ways(terms))}
    context = {
        **sheet,
        "desk": desk,
        "url": desk.url,
        "forms": display.forms(terms, deals, number, typed, wrong),
        "is_stopped": saved.is_stopped,
        "above": "tournaments/score/sent.html",
        "below": "tournaments/score/sending.html",
        "dock": "tournaments/score/send.html",
        "event": desk.match.pairing.round.stage.tournament,
        "title": title,
        "round_name": round_name(desk.match.pairing.round.name),
        "played_by": phrase(played_by.of_round(desk.match.pairing.round)),
        "chosen": (chosen - 1) if chosen else own_side,
        "problem": display.problem(terms, typed) if is_sent and sheet["entering"] and refusal is None else "",
        "refusal": refusal,
        "seen": _deal_mark(deals, number, refusal),
        "key": request.POST.get("key", "")[:32] or secrets.token_hex(12),
        "sent": [report for report in reports(desk.match, desk.entry) if report.is_own or report.may_answer],
        "photos": photos.of(desk.match.pairing).count(),
        "most_photos": MOST_PHOTOS,
        "data": {
            "slug": f"match-{drawn}",
            "drawn": drawn,
            "where": score_sheets.match_position(desk.match.pairing),
            "numbers": numbered,
            "title": title,
            "url": desk.url,
            "sync": desk.sync_url,
            "back": desk.back,
            "state": _sheet_data(saved, desk.match),
        },
    }
    status = refusal.status if refusal else 200
    return render(request, "tournaments/score/sheet.html", context, status=status)


def _deal_mark(deals: Sequence[Deal], number: int | None, refusal: Refused | None) -> str:
    if isinstance(refusal, Stale):
        return str(refusal.details.get("mark", ""))
    return score_sheets.mark(deals, number) if number is not None else ""
