"""The page of a player."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from accounts.services import blocks, friends
from clubs.public import player as player_page
from gameplay import player_record, presence
from gameplay.access import is_member
from tournaments.ratings import queries as rating_queries


@never_cache
@require_safe
def player(request: HttpRequest, username: str) -> HttpResponse:
    """Ratings, record, company, recent games, clubs and titles, as far as the player shows them to this reader.

    People whom the player shows nothing, and who have never met them, find no page.
    """
    reader = player_of(request)
    user = User.objects.filter(username=username, is_active=True, is_guest=False).first()
    if user is None:
        raise Http404(gettext("Player not found."))
    is_own = user.pk == reader.pk
    friendship = (
        friends.between(user, reader) if isinstance(reader, User) and is_member(reader) and not is_own else None
    )
    is_friend = friendship is not None and friendship.accepted_at is not None
    shows_record = player_record.is_shown(user, reader)
    ratings = list(rating_queries.shown_to(user, reader).order_by("-matches", "pool"))
    if not (is_own or shows_record or ratings or friendship or player_record.have_met(user, reader)):
        raise Http404(gettext("Player not found."))
    chosen = next((each for each in ratings if each.pool == request.GET.get("rules")), ratings[0] if ratings else None)
    context = {
        "person": user,
        "is_own": is_own,
        "is_member": is_member(reader),
        "friendship": friendship,
        "is_friend": is_friend,
        "is_blocked": blocks.has_blocked(reader if isinstance(reader, User) else None, user),
        "is_here": is_friend and bool(presence.shown_on_site([user])),
        "tabs": player_page.rating_tabs(ratings),
        "chosen": chosen,
        **(player_page.rating_curve(chosen) if chosen else {}),
        "record": player_record.read_record(user, reader) if shows_record else None,
        "most": player_record.MOST_MATCHES,
        "clubs": player_page.clubs_of(user, reader) if shows_record else [],
        "titles": player_page.titles_won(user) if shows_record else [],
    }
    return render(request, "clubs/player.html", context)
