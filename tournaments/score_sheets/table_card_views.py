"""Where the code on a printed table card leads: the score sheet of that match, without signing in."""

from __future__ import annotations

from copy import copy

from allauth.core import ratelimit
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries import player_of
from tournaments.models import Entry, Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import reports
from tournaments.round_names import round_name
from tournaments.score_sheets import services as score_sheets
from tournaments.score_sheets import views as score_sheet_views
from tournaments.score_sheets.photo_views import attach as attach_photo
from tournaments.score_sheets.views import Desk
from tournaments.views import confirm_result
from tournaments.views.matches import Page
from web.errors import NotAllowed, Refused


@never_cache
@require_safe
def card(request: HttpRequest, token: str) -> HttpResponse:
    """Who has the card says which side they are; what was entered already, and what can be done."""
    if not _may_look(request, token):
        return render(request, "429.html", status=429)
    pairing = _open(token)
    if sentence := score_sheets.closed(pairing):
        return _closed(request, pairing, sentence)
    match = score_sheets.read(pairing)
    own = _own(request, match)
    sides = [
        {"entry": place.entry, "number": place.number, "is_own": own is not None and own.pk == place.entry_id}
        for place in match.places
        if own is None or own.pk == place.entry_id
    ]
    context = {
        "event": pairing.round.stage.tournament,
        "pairing": pairing,
        "title": match_title(pairing),
        "round_name": round_name(pairing.round.name),
        "token": token,
        "sides": sides,
        "reports": reports(match, own),
    }
    return render(request, "tournaments/score/card.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_score(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """The score sheet, for the side that was named."""
    return _at_desk(request, token, place, score_sheet_views.page)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_sync(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """The same sheet for the script of its page: what is kept; posted, what a phone has kept meanwhile."""
    if not _may_look(request, token):
        return JsonResponse(
            {"code": "too_many", "sentence": gettext("Too many attempts. Wait a few minutes.")}, status=429
        )
    return score_sheet_views.told(lambda: _desk(request, token, _open(token), place), request)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_answer(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """Confirm or dispute what another side has entered, for the side that was named."""
    return _at_desk(request, token, place, confirm_result.page)


@never_cache
@require_POST
def card_photos(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """Attach a photograph of the paper sheet."""

    def attach(request: HttpRequest, desk: Desk) -> HttpResponse:
        attach_photo(request, desk.match.pairing, desk.user)
        return redirect(desk.url)

    return _at_desk(request, token, place, attach)


def _at_desk(request: HttpRequest, token: str, place: int, page: Page) -> HttpResponse:
    if not _may_look(request, token):
        return render(request, "429.html", status=429)
    pairing = _open(token)
    if sentence := score_sheets.closed(pairing):
        return _closed(request, pairing, sentence)
    return page(request, _desk(request, token, pairing, place))


def _desk(request: HttpRequest, token: str, pairing: Pairing, place: int) -> Desk:
    """Where one side of a card's match fills in its sheet. Raises `Http404` and `NotAllowed`."""
    match = score_sheets.read(pairing)
    entry = next((one.entry for one in match.places if one.number == place), None)
    if entry is None:
        raise Http404("Side not found.")
    own = _own(request, match)
    if own is not None and own.pk != entry.pk:
        raise NotAllowed(
            "not_yours", gettext("You play for %(own)s. Only %(other)s can do that.") % {"own": own, "other": entry}
        )
    player = player_of(request)
    return Desk(
        match,
        entry,
        player if isinstance(player, User) and not player.is_guest else None,
        Result.Origin.CARD,
        reverse("tournaments:card_score", args=[token, place]),
        reverse("tournaments:card_sync", args=[token, place]),
        reverse("tournaments:card_answer", args=[token, place]),
        reverse("tournaments:card", args=[token]),
        reverse("tournaments:card_photos", args=[token, place]),
    )


def _may_look(request: HttpRequest, token: str) -> bool:
    """So many looks and acts an hour with one card, and far fewer at cards that there are not."""
    # Counted as if it were posted: what is merely fetched is not counted there, and codes are tried by fetching.
    asked = copy(request)
    asked.method = "POST"
    is_known = len(token) <= 43 and token.isascii() and Pairing.objects.filter(token=token).exists()
    if is_known:
        return bool(ratelimit.consume(asked, action="table_card", key=token))
    return bool(ratelimit.consume(asked, action="no_table_card"))


def _open(token: str) -> Pairing:
    """The match of a card. Raises `Http404` for a card of no match, and for one that nobody may use yet."""
    is_token = len(token) <= 43 and token.isascii()
    rows = Pairing.objects.filter(token=token).select_related("round__stage__tournament", "result", "table")
    found = rows.first() if is_token else None
    if found is None:
        raise Http404("Table card not found.")
    if any(place.entry_id is None for place in found.places.all()):
        raise Refused("not_ready", gettext("This match cannot be played yet."))
    return found


def _own(request: HttpRequest, match: score_sheets.Match) -> Entry | None:
    """The entry of who is signed in and plays this match: they act for no other side."""
    player = player_of(request)
    return score_sheets.entry_for(match, player) if isinstance(player, User) and not player.is_guest else None


def _closed(request: HttpRequest, pairing: Pairing, sentence: str) -> HttpResponse:
    """What a card says once it is of no more use: nothing that is not on the match's own page."""
    event = pairing.round.stage.tournament
    is_public = event.visibility != "circle" and event.status != "draft"
    context = {
        "sentence": sentence,
        "url": pairing.get_absolute_url() if is_public else "",
        "title": match_title(pairing),
        "where": score_sheets.where(pairing),
    }
    return render(request, "tournaments/score/closed.html", context, status=410)
