"""Players' pages of a match: score sheet, answer to a result, break in an arena, challenge on a ladder."""

import secrets
from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.models import User
from accounts.queries import player_of
from tournaments import access
from tournaments.lookups import match_of, stage_of
from tournaments.models import Entry, Pairing, Result, Stage, Tournament
from tournaments.public import player_actions
from tournaments.score_sheets import services as score_sheets
from tournaments.score_sheets import views as score_sheet_views
from tournaments.score_sheets.views import Desk
from tournaments.services.stages import arenas
from tournaments.views import confirm_result
from web import clocks
from web.errors import NotAllowed, Refused
from web.sent_numbers import read_whole

Page = Callable[[HttpRequest, Desk], HttpResponse]

_FORM = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(_FORM)
def score(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """The score sheet of a match at a real table, for its players."""
    return _at_desk(request, event, stage, match, score_sheet_views.page)


@never_cache
@require_http_methods(_FORM)
def answer(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """Confirm or dispute a result of another side."""
    return _at_desk(request, event, stage, match, confirm_result.page)


@never_cache
@require_http_methods(_FORM)
def score_sync(request: HttpRequest, event: str, stage: int, match: str) -> HttpResponse:
    """The same sheet for the script of its page: GET reads the saved deals, POST sends the deals saved on a phone."""
    player = player_of(request)
    if not isinstance(player, User) or player.is_guest:
        words = gettext("You are signed out. Sign in again in this browser to send it.")
        back = f"{reverse('tournaments:score', args=[event, stage, match])}"
        url = f"{reverse(settings.LOGIN_URL)}?{urlencode({'next': back})}"
        return JsonResponse({"code": "sign_in", "sentence": words, "url": url}, status=401)
    return score_sheet_views.sync(lambda: _desk(player, match_of(_open(player, event), stage, match)), request)


def _open(player: access.Player, slug: str) -> Tournament:
    """The event, on a page by its clock. Raises `Http404`."""
    tournament = access.open_event(player, slug)
    clocks.go_by(tournament.clock)
    return tournament


def _at_desk(request: HttpRequest, event: str, stage: int, match: str, page: Page) -> HttpResponse:
    """The page for players of the match. Others are sent to sign in, or refused."""
    player = player_of(request)
    pairing = match_of(_open(player, event), stage, match)
    if not isinstance(player, User) or player.is_guest:
        return redirect_to_login(request.path, reverse(settings.LOGIN_URL))
    desk = _desk(player, pairing)
    if (sentence := score_sheets.closed(pairing)) and not _is_sent_twice(request, pairing):
        messages.warning(request, sentence)
        return redirect(desk.back)
    return page(request, desk)


def _desk(player: User, pairing: Pairing) -> Desk:
    """The score sheet of a match for one of its players. Raises `Refused` for others."""
    if any(place.entry_id is None for place in pairing.places.all()):
        raise Refused("not_ready", gettext("This match cannot be played yet."))
    match = score_sheets.read(pairing)
    entry = score_sheets.entry_for(match, player)
    if entry is None:
        raise NotAllowed("not_yours", gettext("Only players of this match can do that."))
    back = pairing.get_absolute_url()
    return Desk(
        match,
        entry,
        player,
        Result.Origin.PLAYER,
        f"{back}score/",
        f"{back}score/sync/",
        f"{back}answer/",
        back,
        f"{back}photos/",
    )


def _is_sent_twice(request: HttpRequest, pairing: Pairing) -> bool:
    """Whether this may be a form sent a second time, which is answered like the first."""
    return request.method == "POST" and pairing.status == Pairing.Status.DONE


# Formats without rounds


@require_POST
def free(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """In an arena: wait for a table, or take a break."""
    tournament, player, stage_, entry = _acting_entry(request, event, stage)
    is_free = request.POST.get("free") != "no"
    try:
        arenas.set_free(stage_.pk, entry.pk, by=player, is_free=is_free)
    except Refused as refusal:
        messages.warning(request, refusal.sentence)
    else:
        messages.success(
            request, gettext("You are waiting for a table.") if is_free else gettext("You are taking a break.")
        )
    return redirect(tournament)


@never_cache
@require_http_methods(_FORM)
def challenge(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """On a ladder: possible challenges, and why others are not possible; on POST challenge an entry."""
    reader = player_of(request)
    if not isinstance(reader, User) or reader.is_guest:
        access.open_event(reader, event)
        return redirect_to_login(request.path, reverse(settings.LOGIN_URL))
    tournament, player, stage_, entry = _acting_entry(request, event, stage)
    refusal = None
    if request.method == "POST":
        try:
            return redirect(_challenge(request, tournament, player, stage_, entry))
        except Refused as error:
            refusal = error
    rungs = player_actions.rungs(stage_, entry)
    if rungs is None:
        raise Http404("This stage is no ladder.")
    context = {"event": tournament, "stage": stage_, "entry": entry, "rungs": rungs, "refusal": refusal}
    status = refusal.status if refusal else 200
    return render(request, "tournaments/entry/challenge.html", context | _key(request), status=status)


def _challenge(request: HttpRequest, tournament: Tournament, player: User, stage: Stage, entry: Entry) -> Pairing:
    number = read_whole(request.POST.get("entry", ""), digits=6)
    other = Entry.objects.filter(tournament=tournament, number=number).first() if number is not None else None
    if other is None:
        raise Refused("no_such_entry", gettext("That entry is not in this event."))
    key = request.POST.get("key", "")[:32]
    do = partial(arenas.challenge, stage.pk, entry.pk, other.pk, by=player)
    act = do(request_key=f"challenge:{entry.pk}:{key}"[:64]) if key else do()
    pk = next(change["pk"] for change in act.changes if change["model"] == "pairing")
    pairing = Pairing.objects.filter(pk=pk).select_related("round__stage__tournament").first()
    if pairing is None:
        raise Refused("taken_back", gettext("An organiser cancelled this challenge."))
    messages.success(request, gettext("You challenged %(entry)s.") % {"entry": other})
    return pairing


def _key(request: HttpRequest) -> dict[str, str]:
    return {"key": request.POST.get("key", "")[:32] or secrets.token_hex(12)}


def _acting_entry(request: HttpRequest, event: str, stage: int) -> tuple[Tournament, User, Stage, Entry]:
    """The event, the player, the stage, and the entry that they act for. Raises `Http404` or `NotAllowed`."""
    player = player_of(request)
    tournament = _open(player, event)
    stage_ = stage_of(tournament, stage)
    _, entry = access.own_entry(player, event)
    if not isinstance(player, User) or not access.acts_for(player, entry):
        raise NotAllowed("not_yours", gettext("Only the captain of a team can do that."))
    return tournament, player, stage_, entry
