"""A rematch: the same players, rules and terms at a new table, everyone one seat further."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import TABLES, spend
from accounts.models import User
from gameplay.event_tables import check_free
from gameplay.models import Happening, Seat, Table
from gameplay.services.gathering import start_match
from gameplay.services.match_play import new_deal_row
from gameplay.services.sitting import Sitting, save, sit_down, tell
from web.errors import Refused

TERMS = (
    *("name", "rules_json", "rules_ref", "seat_count", "team_size"),
    *("is_practice", "is_rated", "assist", "allows_hints", "talk", "watching", "audience"),
    *("clock", "clock_hours", "increment_hours", "cap_hours", "free_weekends", "free_nights", "allows_absences"),
    "missed",
    "turn_seconds",
    "bank_seconds",
)


def ask_rematch(table_id: int, user: User, now: datetime | None = None) -> Sitting:
    """Say that one wants a rematch; when all people do, it begins as `table.rematch`. Twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        table, seat = sitting.table, sitting.seat_of(user)
        check_free(table)
        if table.status not in (Table.Status.OVER, Table.Status.ABANDONED):
            raise Refused("not_over", gettext("The match is not over yet."))
        if table.rematch_id is not None:
            return sitting
        seat.is_ready = True
        if all(other.is_ready or other.user_id is None for other in sitting.seats):
            table.rematch = _begin(sitting, user)
        save(sitting)
        return sitting


def _begin(old: Sitting, user: User) -> Table:
    """Create the new table and start its match; partners stay partners, because everyone moves by one seat."""
    spend(TABLES, user)
    terms = {name: getattr(old.table, name) for name in TERMS}
    table = Table.objects.create(creator=user, joining=Table.Joining.INVITED, **terms)
    count = table.seat_count
    seats = [_moved(table, seat, (seat.number + 1) % count, old.now) for seat in old.seats]
    Seat.objects.bulk_create(sorted(seats, key=lambda seat: seat.number))
    new_deal_row(table, 1)
    sitting = sit_down(table.pk, old.now)
    tell(sitting, Happening.Kind.CREATED, gettext_noop("Rematch: everyone moved one seat along."))
    start_match(sitting)
    return table


def _moved(table: Table, seat: Seat, number: int, now: datetime) -> Seat:
    return Seat(table=table, number=number, user=seat.user, bot=seat.bot, name=seat.name, joined_at=now, agreed_at=now)
