"""Photographs of paper score sheets: attached by players and organisers, seen by anyone who may see the match."""

from __future__ import annotations

from allauth.core import ratelimit
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
from gameplay.score_sheets.views import picture
from tournaments import access
from tournaments.lookups import match_of
from tournaments.models import Pairing
from tournaments.score_sheets import photos
from web.errors import Refused


@require_POST
def match_photos(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Attach a photograph to a match, or remove one."""
    player = player_of(request)
    tournament = access.open_event(player, event)
    pairing = match_of(tournament, stage, match)
    back = pairing.get_absolute_url()
    if not isinstance(player, User) or player.is_guest:
        return redirect_to_login(back, reverse(settings.LOGIN_URL))
    photos.check(pairing, player, is_organiser=access.may(player, tournament, "results"))
    if request.POST.get("remove"):
        photos.remove(pairing, request.POST["remove"])
        messages.success(request, gettext("Photo removed."))
    else:
        attach(request, pairing, player)
    return redirect(f"{back}#photos")


def attach(request: HttpRequest, pairing: Pairing, player: User | None) -> None:
    """Attach the photograph that a form brings, and say what came of it."""
    try:
        if not ratelimit.consume(request, action="sheet_photo"):
            raise Refused("too_many", gettext("Too many photos were sent from here just now. Please wait a while."))
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
