"""Score sheets of tables played face to face: beginning one, writing it, looking at it, taking it away as a file."""

import secrets
from collections.abc import Sequence
from typing import Any, cast

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries import player_of
from engine.play.rule_sheet.sheet import sheet_title
from engine.play.rulesets import PRESETS
from gameplay.access import is_member
from gameplay.house_rules import rule_sources
from gameplay.score_sheets import (
    display,
    files,
    listing,
    paper_scoring,
    phone,
    photo_files,
    photo_services,
    score_form,
    session,
    start_form,
)
from gameplay.score_sheets import services as score_sheets
from gameplay.score_sheets.codes import code
from gameplay.score_sheets.display import Seating
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.numbers import numbers
from gameplay.score_sheets.paper_scoring import Deal, Terms
from gameplay.score_sheets.score_form import BY_BOOKS, BY_DEALS, BY_END, Typed, field_name
from gameplay.score_sheets.terms import LONGEST_NAME, seat_names, terms_of
from web.bodies import takes
from web.errors import Refused
from web.sent_numbers import read_whole

# Beginning one


@require_http_methods(["GET", "HEAD", "POST"])
def score(request: HttpRequest) -> HttpResponse:
    """Choose rules and names; posted, begin a sheet. Below, the sheets that one has."""
    form = start_form.read(request.POST if request.method == "POST" else request.GET, player_of(request))
    if request.method == "POST":
        try:
            return redirect(_begin(request, form).edit_url)
        except Refused as refusal:
            return _start(request, form, refusal)
    return _start(request, form)


def _begin(request: HttpRequest, form: start_form.StartForm) -> ScoreSheet:
    player = player_of(request)
    sheet = score_sheets.make(
        form.start.rules,
        form.shape,
        form.names,
        title=form.title,
        dealer=form.dealer,
        owner=player if isinstance(player, User) and is_member(player) else None,
        rules_ref=form.start.ref,
        rules_name=form.start.title if form.start.ref else "",
        request_key=request.POST.get("key", "")[:64],
    )
    if sheet.owner is None:
        session.remember(request, sheet)
    return sheet


def _start(request: HttpRequest, form: start_form.StartForm, refusal: Refused | None = None) -> HttpResponse:
    player = player_of(request)
    owned = listing.of_owner(player) if isinstance(player, User) and is_member(player) else []
    here = listing.of_keys(session.own_keys(request))
    context = {
        "form": form,
        "refusal": refusal,
        "wrong": refusal.details.get("field", "") if refusal else "",
        "longest": LONGEST_NAME,
        "key": secrets.token_urlsafe(12),
        "own": owned,
        "here": [line for line in here if line.sheet.pk not in {line.sheet.pk for line in owned}],
    }
    return render(request, "gameplay/sheet/start.html", context, status=refusal.status if refusal else 200)


# Writing it


def _editable_sheet(key: str) -> ScoreSheet:
    """The sheet that a link to write leads to. Raises `Http404`."""
    sheet = ScoreSheet.objects.filter(key=key).select_related("owner").first()
    if sheet is None:
        raise Http404(gettext("Score sheet not found."))
    return sheet


def _check_editable(key: str) -> None:
    """Raise `Http404` unless this is the key of an edit link."""
    _editable_sheet(key)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_edit(request: HttpRequest, key: str) -> HttpResponse:
    """The stored sheet, with one deal open. POST without a script: count, save, or delete the last deal."""
    sheet = _editable_sheet(key)
    terms = terms_of(sheet)
    data = request.POST if request.method == "POST" else request.GET
    is_over = paper_scoring.reckon(terms, sheet.deals).is_over or sheet.is_stopped
    number = _number(data.get("deal", ""), len(sheet.deals) + (not is_over))
    if number is None and not is_over:
        number = len(sheet.deals) + 1
    way = _way(terms, sheet.deals, number, data.get("by", ""))
    if request.method == "POST":
        return _post(request, sheet, number, way)
    deal = sheet.deals[number - 1] if number is not None and number <= len(sheet.deals) else None
    return _show(request, sheet, number, score_form.from_deal(terms, way, deal))


def _number(text: str, most: int) -> int | None:
    number = read_whole(text, digits=3)
    return number if number is not None and 1 <= number <= most else None


def _way(terms: Terms, deals: Sequence[Deal], number: int | None, chosen: str) -> str:
    if chosen in score_form.ways(terms) and chosen != BY_END:
        return chosen
    like = deals[number - 1] if number is not None and number <= len(deals) else (deals[-1] if deals else {})
    return BY_DEALS if terms.shape is None or "points" in like else BY_BOOKS


def _post(request: HttpRequest, sheet: ScoreSheet, number: int | None, way: str) -> HttpResponse:
    act, terms = request.POST.get("act", ""), terms_of(sheet)
    typed = score_form.read(terms, way, request.POST) if number is not None else Typed(way)
    try:
        if act == "save" and number is not None:
            if typed.wrong:
                raise Refused("bad_figures", " ".join(typed.wrong.values()))
            score_sheets.save_deal(sheet.pk, number, typed.deal, seen=_version(request))
            messages.success(request, gettext("Deal %(number)s saved.") % {"number": number})
            return redirect(f"{sheet.edit_url}?by={way}")
        if act == "away":
            score_sheets.drop_last(sheet.pk, _number(request.POST.get("last", ""), 999) or 0)
            return redirect(sheet.edit_url)
        if act in ("stop", "go_on"):
            score_sheets.stop(sheet.pk, is_stopped=act == "stop")
            return redirect(sheet.edit_url)
    except Refused as refusal:
        sheet.refresh_from_db()
        return _show(request, sheet, number, typed, refusal)
    return _show(request, sheet, number, typed)


def _version(request: HttpRequest) -> int:
    return _number(request.POST.get("seen", ""), 999_999_999) or 0


def _show(
    request: HttpRequest,
    sheet: ScoreSheet,
    number: int | None,
    typed: Typed,
    refusal: Refused | None = None,
    status: int = 200,
) -> HttpResponse:
    terms = terms_of(sheet)
    if number is not None and number > len(sheet.deals) + 1:
        number = len(sheet.deals) + 1
    wrong = dict(typed.wrong) if request.method == "POST" else {}
    if refusal is not None and "row" in refusal.details:
        wrong[field_name(refusal.details["side"], refusal.details["row"])] = refusal.sentence
    seating = Seating(tuple(seat_names(sheet)), sheet.dealer)
    page = display.sheet(terms, sheet.deals, number, typed, seating=seating, url=sheet.edit_url, wrong=wrong)
    player = player_of(request)
    view = settings.SITE_URL + sheet.get_absolute_url()
    chosen = _number(request.POST.get("side", ""), 12)
    context = {
        **page,
        "sheet": sheet,
        "title": str(sheet) if sheet.title else gettext("Score sheet"),
        "ways": [way for way in page["ways"] if way[0] != BY_END],
        "forms": display.forms(terms, sheet.deals, number, typed, wrong, but=BY_END),
        "url": sheet.edit_url,
        "seen": sheet.version,
        "dock": "gameplay/sheet/look.html",
        "is_stopped": sheet.is_stopped,
        "chosen": (chosen or 1) - 1,
        "refusal": refusal,
        "problem": display.problem(terms, typed) if request.method == "POST" and number and refusal is None else "",
        "data": _data(sheet, seating),
        "rules_title": sheet.rules_name or sheet_title(sheet.rules),
        "rules_url": _rules_url(sheet),
        "seats": list(enumerate([*sheet.names, *[""] * sheet.seat_count][: sheet.seat_count])),
        "longest": LONGEST_NAME,
        "view_address": view,
        "edit_address": settings.SITE_URL + sheet.edit_url,
        "code": code(view, gettext("QR code of the view link")),
        "edit_code": code(settings.SITE_URL + sheet.edit_url, gettext("QR code of the edit link")),
        "photos": photo_services.of(sheet),
        "most_photos": photo_services.MOST,
        "may_keep": isinstance(player, User) and is_member(player) and sheet.owner is None,
        "is_own": sheet.owner is not None and sheet.owner == player,
        "wrong_field": refusal.details.get("field", "") if refusal else "",
    }
    return render(request, "gameplay/sheet/edit.html", context, status=refusal.status if refusal else status)


def _rules_url(sheet: ScoreSheet) -> str:
    """The address of a sheet's rules; empty if nobody keeps them any more."""
    if sheet.rules_ref:
        version = rule_sources.find(sheet.rules_ref)
        return version.url if version is not None else ""
    return reverse("gameplay:ruleset", args=[sheet.rules.name]) if sheet.rules.name in PRESETS else ""


def _data(sheet: ScoreSheet, seating: Seating) -> dict[str, Any]:
    """The first data of the page's script."""
    return {
        "slug": sheet.slug,
        "numbers": numbers(terms_of(sheet), seating.seats, seating.dealer),
        "title": sheet.title or gettext("Score sheet"),
        "url": sheet.edit_url,
        "sync": reverse("gameplay:sheet_sync", args=[sheet.key]),
        "state": _state(sheet),
    }


def _state(sheet: ScoreSheet) -> dict[str, Any]:
    return {
        "version": sheet.version,
        "deals": sheet.deals,
        "isStopped": sheet.is_stopped,
        "names": list(terms_of(sheet).names),
    }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_sync(request: HttpRequest, key: str) -> JsonResponse:
    """The stored sheet for the script of its page; a POST replaces it with that phone's deals."""
    sheet = _editable_sheet(key)
    if request.method != "POST":
        return JsonResponse({"state": _state(sheet), "token": get_token(request)})
    try:
        sent = phone.read(terms_of(sheet), phone.body(request))
        sheet = score_sheets.save(
            sheet.pk, sent.deals, is_stopped=sent.is_stopped, seen=sent.seen, key=sent.key, earlier=sent.earlier
        )
    except Refused as refusal:
        return JsonResponse({**phone.blamed(refusal), "state": _state(_editable_sheet(key))}, status=refusal.status)
    return JsonResponse({"state": _state(sheet)})


def _act(request: HttpRequest, sheet: ScoreSheet, refusal: Refused) -> HttpResponse:
    """The page again, with the refusal."""
    terms = terms_of(sheet)
    is_over = paper_scoring.reckon(terms, sheet.deals).is_over or sheet.is_stopped
    number = None if is_over else len(sheet.deals) + 1
    way = _way(terms, sheet.deals, number, "")
    return _show(request, sheet, number, score_form.from_deal(terms, way, None), refusal)


@require_POST
def sheet_names(request: HttpRequest, key: str) -> HttpResponse:
    """Set the title, the players, and the first dealer."""
    sheet = _editable_sheet(key)
    dealer = _number(request.POST.get("dealer", "").strip(), sheet.seat_count)
    names = start_form.names_of(request.POST, sheet.seat_count)
    try:
        score_sheets.rename(sheet.pk, names, title=request.POST.get("title", ""), dealer=(dealer or 0) - 1)
    except Refused as refusal:
        sheet.title, sheet.names = request.POST.get("title", "")[:60], list(names)
        return _act(request, sheet, refusal)
    return redirect(sheet.edit_url)


@require_POST
def sheet_keep(request: HttpRequest, key: str) -> HttpResponse:
    """Save the sheet in the account of the user signed in."""
    sheet, player = _editable_sheet(key), player_of(request)
    if not is_member(player):
        return redirect("account_login")
    score_sheets.keep(sheet.pk, cast(User, player))
    messages.success(request, gettext("Score sheet saved in your account, under “Score”."))
    return redirect(sheet.edit_url)


@require_POST
def sheet_delete(request: HttpRequest, key: str) -> HttpResponse:
    """Delete the sheet. A sheet in an account is deleted by its owner only."""
    sheet = _editable_sheet(key)
    if sheet.owner is not None and sheet.owner != player_of(request):
        sentence = gettext("Only %(name)s can delete this score sheet, because it is saved in their account.") % {
            "name": sheet.owner
        }
        raise Refused("not_yours", sentence)
    if request.POST.get("sure") != "yes":
        return _act(
            request, sheet, Refused("not_sure", gettext("Tick the box to delete the score sheet."), field="sure")
        )
    score_sheets.delete(sheet.pk)
    messages.success(request, gettext("Score sheet deleted."))
    return redirect("gameplay:score")


@takes(photo_files.MOST_SENT, lambda request, key: _check_editable(key))
@require_POST
def sheet_photo(request: HttpRequest, key: str) -> HttpResponse:
    """Add a photograph of the paper sheet."""
    sheet, player = _editable_sheet(key), player_of(request)
    try:
        photo_services.add(sheet, request.FILES.get("photo"), by=player if isinstance(player, User) else None)
    except Refused as refusal:
        return _act(request, sheet, Refused(refusal.code, refusal.sentence, field="photo"))
    messages.success(request, gettext("Photo attached."))
    return redirect(sheet.edit_url)


@require_POST
def sheet_photo_remove(request: HttpRequest, key: str, token: str) -> HttpResponse:
    """Take a photograph away."""
    sheet = _editable_sheet(key)
    photo_services.remove(sheet, token)
    messages.success(request, gettext("Photo removed."))
    return redirect(sheet.edit_url)


# Looking at it


def _viewable_sheet(slug: str) -> ScoreSheet:
    """The sheet of a view link. Raises `Http404`."""
    sheet = ScoreSheet.objects.filter(slug=slug).first()
    if sheet is None:
        raise Http404(gettext("Score sheet not found."))
    return sheet


@never_cache
@require_safe
def sheet(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet to look at and to print on one sheet of paper."""
    shown = _viewable_sheet(slug)
    player = player_of(request)
    may_write = shown.key in session.own_keys(request) or (shown.owner is not None and shown.owner == player)
    context = {
        "sheet": shown,
        "shown": listing.ScoredSheet(shown),
        "edit_url": shown.edit_url if may_write else "",
        "address": settings.SITE_URL + shown.get_absolute_url(),
        "photos": photo_services.of(shown),
        "rules_title": shown.rules_name or sheet_title(shown.rules),
        "rules_url": _rules_url(shown),
    }
    return render(request, "gameplay/sheet/sheet.html", context)


@never_cache
@require_safe
def sheet_file(request: HttpRequest, slug: str, format: str) -> HttpResponse:
    """The sheet as a file: `json` or `csv`."""
    sheet = _viewable_sheet(slug)
    if format == "json":
        response: HttpResponse = JsonResponse(files.as_json(sheet), json_dumps_params={"indent": 2})
    elif format == "csv":
        response = HttpResponse(files.as_csv(sheet), content_type="text/csv; charset=utf-8")
    else:
        raise Http404(gettext("File not found."))
    response["Content-Disposition"] = f'attachment; filename="score-sheet-{sheet.slug}.{format}"'
    return response


@never_cache
@require_safe
def sheet_picture(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """A photograph of the paper sheet."""
    return picture(photo_services.image(_viewable_sheet(slug), token))


def picture(data: bytes | None) -> HttpResponse:
    """The response with a photograph. Raises `Http404` if there is none."""
    if data is None:
        raise Http404(gettext("Photo not found."))
    return HttpResponse(
        data, content_type="image/jpeg", headers={"Content-Disposition": 'inline; filename="sheet.jpg"'}
    )


urls = [
    path("score/", score, name="score"),
    path("score/edit/<slug:key>/", sheet_edit, name="sheet_edit"),
    path("score/edit/<slug:key>/sync/", sheet_sync, name="sheet_sync"),
    path("score/edit/<slug:key>/names/", sheet_names, name="sheet_names"),
    path("score/edit/<slug:key>/keep/", sheet_keep, name="sheet_keep"),
    path("score/edit/<slug:key>/delete/", sheet_delete, name="sheet_delete"),
    path("score/edit/<slug:key>/photo/", sheet_photo, name="sheet_photo"),
    path("score/edit/<slug:key>/photo/<slug:token>/remove/", sheet_photo_remove, name="sheet_photo_remove"),
    path("score/<slug:slug>/", sheet, name="sheet"),
    path("score/<slug:slug>/sheet.json", sheet_file, {"format": "json"}, name="sheet_json"),
    path("score/<slug:slug>/sheet.csv", sheet_file, {"format": "csv"}, name="sheet_csv"),
    path("score/<slug:slug>/photo/<slug:token>.jpg", sheet_picture, name="sheet_picture"),
]
