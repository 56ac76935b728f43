"""Which people have a player page that a reader can open: the page, the API and every link ask here."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q

from accounts.models import Friendship, User
from gameplay.access import is_member
from gameplay.models import Seat
from gameplay.player_record import Player
from tournaments.models import Rating
from tournaments.ratings.queries import LISTED_FROM


def usernames(people: Iterable[int | None], reader: Player) -> dict[int, str]:
    """The usernames of those of these people, by id, whose page the reader can open: one query.

    A page has its own player, anyone the player shows matches, friends (also asked), people who have played with them,
    and if a rating of theirs is listed, everyone.
    """
    ids = {pk for pk in people if pk is not None}
    if not ids:
        return {}
    has_rating = Rating.objects.of_people().filter(user=OuterRef("pk"), matches__gte=LISTED_FROM)
    shown = Q(pk=reader.pk or 0) | Q(record_for=User.Readers.ANYONE) | Q(Exists(has_rating))
    if reader.pk is not None:
        beside = Seat.objects.filter(table=OuterRef("table"), user__pk=reader.pk)
        met = Seat.objects.filter(Exists(beside), user=OuterRef("pk"), table__started_at__isnull=False)
        shown |= Q(Exists(met))
    if is_member(reader):
        both = Q(first=OuterRef("pk"), second=reader.pk) | Q(first=reader.pk, second=OuterRef("pk"))
        shown |= Q(Exists(Friendship.objects.filter(both)))
    rows = User.objects.filter(shown, pk__in=ids, is_active=True, is_guest=False)
    return dict(rows.values_list("pk", "username"))
