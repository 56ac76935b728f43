"""Pages of the code on a printed table card: the score sheet of its match, without signing in."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.queries import player_of
from gameplay.score_sheets.photo_files import MOST_SENT
from tournaments.duplicate.movement import all_tables
from tournaments.models import Entry, Pairing, Result
from tournaments.public.names import match_title
from tournaments.public.pending_results import entries_to_answer, reports
from tournaments.round_names import round_name
from tournaments.score_sheets import services as score_sheets
from tournaments.score_sheets import views as score_sheet_views
from tournaments.score_sheets.photo_views import attach as attach_photo
from tournaments.score_sheets.views import Desk
from tournaments.views import confirm_result
from tournaments.views.matches import Page
from web import clocks
from web.bodies import takes
from web.errors import NotAllowed, Refused


@never_cache
@require_safe
def card(request: HttpRequest, token: str) -> HttpResponse:
    """Choose a side with the card; results already entered, and actions."""
    pairing = _match_of_card(request, token)
    if sentence := score_sheets.closed(pairing):
        return _closed(request, pairing, sentence)
    match = score_sheets.read(pairing)
    playing = _own_entry(request, match)
    answering = entries_to_answer(match)
    sides = [
        {"entry": place.entry, "number": place.number, "may_answer": place.entry_id in answering}
        for place in match.places
        if playing is None or playing.pk == place.entry_id
    ]
    context = {
        "event": pairing.round.stage.tournament,
        "pairing": pairing,
        "title": match_title(pairing),
        "round_name": round_name(pairing.round.name),
        "token": token,
        "sides": sides,
        "has_partners": len(match.places) > len(match.sides),
        "reports": reports(match, playing),
        "boards": all_tables(pairing.round.stage).get(pairing.pk),
    }
    return render(request, "tournaments/score/card.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_score(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """The score sheet of the side in the address."""
    return _at_desk(request, token, place, score_sheet_views.page)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_sync(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """The same sheet for the script of its page; posted, changes saved offline by a phone."""
    return score_sheet_views.sync(lambda: _desk(request, token, _match_of_card(request, token), place), request)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def card_answer(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """Confirm or dispute a result of another side, for the side in the address."""
    return _at_desk(request, token, place, confirm_result.page)


def _check(request: HttpRequest, token: str, place: int) -> HttpResponse | None:
    """An answer instead of a photograph, if none can be attached with this card."""
    go_ahead = HttpResponse()
    answer = _at_desk(request, token, place, lambda request, desk: go_ahead)
    return None if answer is go_ahead else answer


@takes(MOST_SENT, _check)
@never_cache
@require_POST
def card_photos(request: HttpRequest, token: str, place: int) -> HttpResponse:
    """Attach a photograph of the paper sheet."""

    def attach(request: HttpRequest, desk: Desk) -> HttpResponse:
        attach_photo(request, desk.match.pairing, desk.user)
        return redirect(desk.url)

    return _at_desk(request, token, place, attach)


def _at_desk(request: HttpRequest, token: str, place: int, page: Page) -> HttpResponse:
    pairing = _match_of_card(request, token)
    if sentence := score_sheets.closed(pairing):
        return _closed(request, pairing, sentence)
    return page(request, _desk(request, token, pairing, place))


def _desk(request: HttpRequest, token: str, pairing: Pairing, place: int) -> Desk:
    """The desk of one side of a table card’s match. Raises `Http404` and `NotAllowed`."""
    match = score_sheets.read(pairing)
    entry = next((each.entry for each in match.places if each.number == place), None)
    if entry is None:
        raise Http404("Side not found.")
    playing = _own_entry(request, match)
    if playing is not None and playing.pk != entry.pk:
        raise NotAllowed(
            "not_yours", gettext("You play for %(own)s. Only %(other)s can do that.") % {"own": playing, "other": entry}
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


def _match_of_card(request: HttpRequest, token: str) -> Pairing:
    """The match of a card, on a page by its event’s clock.

    Raises `Http404` for an unknown card, and `Refused` for one not usable yet.
    """
    pairing = score_sheets.pairing_of_card(token, player_of(request))
    if pairing is None:
        raise Http404("Table card not found.")
    clocks.go_by(pairing.round.stage.tournament.clock)
    if any(place.entry_id is None for place in pairing.places.all()):
        raise Refused("not_ready", gettext("This match cannot be played yet."))
    return pairing


def _own_entry(request: HttpRequest, match: score_sheets.Match) -> Entry | None:
    """The entry of the signed-in player of this match, who acts for no other side."""
    player = player_of(request)
    return score_sheets.entry_for(match, player) if isinstance(player, User) and not player.is_guest else None


def _closed(request: HttpRequest, pairing: Pairing, sentence: str) -> HttpResponse:
    """Page of a card that is no longer usable, without more than the match’s own page shows."""
    event = pairing.round.stage.tournament
    is_public = event.visibility != "circle" and event.status != "draft"
    context = {
        "sentence": sentence,
        "url": pairing.get_absolute_url() if is_public else "",
        "title": match_title(pairing),
        "where": score_sheets.match_position(pairing),
    }
    return render(request, "tournaments/score/closed.html", context, status=410)
