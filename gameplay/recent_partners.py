"""Past players of a person, and the rules they played by."""

from collections import Counter, defaultdict
from collections.abc import Iterable

from django.db.models import Max

from accounts.models import User
from accounts.services import blocks
from engine.play.rules import Rules
from gameplay.models import Seat, Table

_PLAYED = (Table.Status.PLAYING, Table.Status.OVER)
_LATEST = 500


def played_with(user: User, most: int = 100) -> list[User]:
    """People who have sat at a table with this one and are not blocked by them, the latest first."""
    return list(
        User.objects.filter(seats__table__seats__user__pk=user.pk, is_guest=False, is_active=True)
        .exclude(pk__in=[user.pk, *blocks.blocked_by(user)])
        .annotate(last=Max("seats__table_id"))
        .order_by("-last", "pk")[:most]
    )


def usual_rules(users: Iterable[User]) -> dict[int, Rules]:
    """The ruleset that each person has played most, by their id; Standard before their first match."""
    users = list(users)
    seats = (
        Seat.objects.filter(user__in=users, table__status__in=_PLAYED)
        .order_by("-table_id")
        .values_list("user_id", "table__rules_json")[:_LATEST]
    )
    counts: defaultdict[int, Counter[Rules]] = defaultdict(Counter)
    for user_id, written in seats:
        if user_id is not None:
            counts[user_id][Rules.read(written)] += 1
    standard = Rules.preset("standard")
    return {user.pk: counts[user.pk].most_common(1)[0][0] if user.pk in counts else standard for user in users}
