"""Photographs of paper score sheets: attached by players and organisers, seen by anyone who may see the match."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.queries import player_of
from gameplay.score_sheets.photo_files import MOST_SENT
from gameplay.score_sheets.views import picture
from tournaments import access
from tournaments.lookups import match_of
from tournaments.models import Pairing
from tournaments.score_sheets import photos
from web.bodies import takes
from web.errors import Refused


def _photographed(request: HttpRequest, event: str, stage: int, match: str) -> tuple[Pairing, User | None]:
    """The match, and the person if they can attach photographs to it; `None` who has yet to sign in.

    Raises `Http404` or `NotAllowed`.
    """
    player = player_of(request)
    tournament = access.open_event(player, event)
    pairing = match_of(tournament, stage, match)
    if not isinstance(player, User) or player.is_guest:
        return pairing, None
    photos.check(pairing, player, is_organiser=access.may(player, tournament, "results"))
    return pairing, player


def _check(request: HttpRequest, **where: Any) -> HttpResponse | None:
    pairing, player = _photographed(request, **where)
    return _sign_in(pairing) if player is None else None


def _sign_in(pairing: Pairing) -> HttpResponse:
    return redirect_to_login(pairing.get_absolute_url(), reverse(settings.LOGIN_URL))


@takes(MOST_SENT, _check)
@require_POST
def match_photos(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Attach a photograph to a match, or remove one."""
    pairing, player = _photographed(request, event, stage, match)
    if player is None:
        return _sign_in(pairing)
    if request.POST.get("remove"):
        photos.remove(pairing, request.POST["remove"])
        messages.success(request, gettext("Photo removed."))
    else:
        attach(request, pairing, player)
    return redirect(f"{pairing.get_absolute_url()}#photos")


def attach(request: HttpRequest, pairing: Pairing, player: User | None) -> None:
    """Attach the photograph that a form brings, and say what came of it."""
    try:
        photos.add(pairing, request.FILES.get("photo"), by=player)
    except Refused as refusal:
        messages.error(request, refusal.sentence)
    else:
        messages.success(request, gettext("Photo attached."))


@never_cache
@require_safe
def match_photo(request: HttpRequest, event: str, stage: int, match: str, token: str) -> HttpResponse:
    """A photograph of a match’s paper score sheet, for anyone who may see the match."""
    pairing = match_of(access.open_event(player_of(request), event), stage, match)
    return picture(photos.image(pairing, token))
