"""The page of a score sheet, for who comes to it from the match and for who comes with the table's card."""

from __future__ import annotations

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
from gameplay.score_sheets import display, paper_scoring, phone, score_form
from gameplay.score_sheets.display import Seating
from gameplay.score_sheets.numbers import numbers
from gameplay.score_sheets.paper_scoring import Deal
from gameplay.score_sheets.photo_services import MOST as MOST_PHOTOS
from gameplay.score_sheets.score_form import BY_BOOKS, BY_DEALS, BY_END, Typed, field_name
from tournaments.models import Entry, Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import reports
from tournaments.round_names import round_name
from tournaments.score_sheets import photos
from tournaments.score_sheets import services as score_sheets
from tournaments.score_sheets.services import Kept
from web.errors import Refused, Stale


@dataclass(frozen=True)
class Desk:
    """Who fills in the sheet of which match, and where."""

    match: score_sheets.Match
    entry: Entry
    user: User | None
    origin: Result.Origin
    url: str
    sync_url: str
    answer_url: str
    back: str
    """Where the match is shown."""
    photos_url: str
    """Where a photograph of the paper sheet is sent."""


def page(request: HttpRequest, desk: Desk) -> HttpResponse:
    """The sheet as it is kept; posted, count, save or send what was typed."""
    kept = score_sheets.kept_sheet(desk.match, desk.entry.pk)
    deals, terms = kept.deals, desk.match.terms
    is_ended = paper_scoring.reckon(terms, deals).is_over or kept.is_stopped
    asked = request.POST if request.method == "POST" else request.GET
    number = _number(asked.get("deal", ""), len(deals) + (not is_ended))
    usual = BY_DEALS if terms.shape is None or (deals and "points" in deals[-1]) else BY_BOOKS
    if number is not None and number <= len(deals):
        usual = BY_DEALS if "points" in deals[number - 1] else BY_BOOKS
    way = asked.get("by", "") if asked.get("by") in score_form.ways(terms) else usual
    if number is None and not is_ended:
        number = len(deals) + 1
    if request.method == "POST":
        return _post(request, desk, kept, number, way)
    known = deals[number - 1] if number is not None and number <= len(deals) else None
    return _show(request, desk, kept, number, score_form.from_deal(terms, way, known))


def _number(text: str, most: int) -> int | None:
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 4 and 1 <= int(text) <= most else None


def _post(request: HttpRequest, desk: Desk, kept: Kept, number: int | None, way: str) -> HttpResponse:
    act, terms, deals = request.POST.get("act", ""), desk.match.terms, kept.deals
    typed = score_form.read(terms, way, request.POST) if number is not None or way == BY_END else Typed(way)
    pk, entry = desk.match.pairing.pk, desk.entry.pk
    try:
        if act == "save" and number is not None and way != BY_END:
            _check(typed)
            seen = request.POST.get("seen")
            total = score_sheets.save(pk, entry, number, typed.deal, seen=seen)
            sentence = (
                gettext("Deal %(number)s saved. The match is over.")
                if total.is_over
                else gettext("Deal %(number)s saved.")
            )
            messages.success(request, sentence % {"number": number})
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
        return _show(request, desk, kept, number, typed, refusal)
    return _show(request, desk, kept, number, typed)


def _check(typed: Typed) -> None:
    if typed.wrong:
        raise Refused("bad_figures", " ".join(typed.wrong.values()))


def _send(request: HttpRequest, desk: Desk, key: str, **what: Any) -> str:
    """Send the sheet as a result, and say so; where to go then."""
    score_sheets.send(
        desk.match.pairing.pk,
        desk.entry.pk,
        by=desk.user,
        origin=desk.origin,
        request_key=f"score:{desk.match.pairing.pk}:{desk.entry.pk}:{key}"[:64] if key else None,
        **what,
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


def told(find: Callable[[], Desk], request: HttpRequest) -> HttpResponse:
    """The sheet as it is kept, for a phone; posted, put that phone's deals in its place, or send them as the result.

    Refusals are JSON: 409 where a partner has changed the sheet, 410 where the match takes no score any more, with what
    is kept of it as long as the match is open.
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
        found: dict[str, Any] = phone.blamed(refusal)
        is_closed = refusal.code in score_sheets.CLOSED
        if desk is not None and not is_closed and not score_sheets.closed(desk.match.pairing):
            found["state"] = _state(desk)
        return JsonResponse(found, status=410 if is_closed and refusal.status == 422 else refusal.status)


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
    """The sheet as the script has it, as it is kept now."""
    match = score_sheets.read(Pairing.objects.select_related("round__stage__tournament").get(pk=desk.match.pairing.pk))
    kept = score_sheets.kept_sheet(match, desk.entry.pk)
    return _written(kept, match)


def _written(kept: Kept, match: score_sheets.Match) -> dict[str, Any]:
    return {
        "version": kept.version,
        "deals": kept.deals,
        "isStopped": kept.is_stopped,
        "names": list(match.terms.names),
    }


# Showing it


def _show(
    request: HttpRequest,
    desk: Desk,
    kept: Kept,
    number: int | None,
    typed: Typed,
    refusal: Refused | None = None,
) -> HttpResponse:
    terms, is_sent, deals = desk.match.terms, request.method == "POST", kept.deals
    wrong = dict(typed.wrong) if is_sent else {}
    if refusal is not None and "row" in refusal.details:
        wrong[field_name(refusal.details["side"], refusal.details["row"])] = refusal.sentence
    own = desk.match.side_of(desk.entry.pk)
    chosen = _number(request.POST.get("side", ""), 10)
    shown = display.sheet(
        terms, deals, number, typed, seating=Seating(desk.match.seats), url=desk.url, wrong=wrong, own=own
    )
    title = match_title(desk.match.pairing)
    drawn = score_sheets.drawn(desk.match, desk.entry.pk)
    numbered = {**numbers(terms, desk.match.seats), "ways": list(score_form.ways(terms))}
    context = {
        **shown,
        "desk": desk,
        "url": desk.url,
        "forms": display.forms(terms, deals, number, typed, wrong),
        "is_stopped": kept.is_stopped,
        "above": "tournaments/score/sent.html",
        "below": "tournaments/score/sending.html",
        "dock": "tournaments/score/send.html",
        "event": desk.match.pairing.round.stage.tournament,
        "title": title,
        "round_name": round_name(desk.match.pairing.round.name),
        "chosen": (chosen - 1) if chosen else own,
        "problem": display.problem(terms, typed) if is_sent and shown["entering"] and refusal is None else "",
        "refusal": refusal,
        "seen": _seen(deals, number, refusal),
        "key": request.POST.get("key", "")[:32] or secrets.token_hex(12),
        "sent": [one for one in reports(desk.match, desk.entry) if one.is_own],
        "photos": photos.of(desk.match.pairing).count(),
        "most_photos": MOST_PHOTOS,
        "data": {
            "slug": f"match-{drawn}",
            "drawn": drawn,
            "where": score_sheets.where(desk.match.pairing),
            "numbers": numbered,
            "title": title,
            "url": desk.url,
            "sync": desk.sync_url,
            "back": desk.back,
            "state": _written(kept, desk.match),
        },
    }
    status = refusal.status if refusal else 200
    return render(request, "tournaments/score/sheet.html", context, status=status)


def _seen(deals: Sequence[Deal], number: int | None, refusal: Refused | None) -> str:
    if isinstance(refusal, Stale):
        return str(refusal.details.get("mark", ""))
    return score_sheets.mark(deals, number) if number is not None else ""
