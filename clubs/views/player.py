"""The page of a player."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from accounts.services import blocks
from clubs.public.player import player_page, rating_curve, rating_tabs
from gameplay import player_record
from gameplay.access import is_member


@never_cache
@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Ratings, record, company, recent games, clubs and titles, as far as the player shows them to this reader."""
    reader = player_of(request)
    page = player_page(username, reader)
    chosen_ratings = (each for each in page.ratings if each.pool == request.GET.get("rules"))
    chosen = next(chosen_ratings, page.ratings[0] if page.ratings else None)
    context = {
        "page": page,
        "person": page.person,
        "record": page.record,
        "is_member": is_member(reader),
        "is_blocked": blocks.has_blocked(reader if isinstance(reader, User) else None, page.person),
        "tabs": rating_tabs(page.ratings),
        "chosen": chosen,
        **(rating_curve(chosen) if chosen else {}),
        "most": player_record.MOST_MATCHES,
    }
    return render(request, "clubs/player.html", context)
