"""Reserves: people ready to take over a seat of a match under way."""

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from gameplay.event_tables import check_free
from gameplay.models import Reserve, Table
from gameplay.services.leaving import fill_from_reserves
from gameplay.services.sitting import save, sit_down
from web.errors import Refused


def offer_reserve(table_id: int, user: User) -> None:
    """Be ready to take over a seat if a player goes missing. Offering twice does no harm."""
    with transaction.atomic():
        sitting = sit_down(table_id)
        check_free(sitting.table)
        if sitting.table.status != Table.Status.PLAYING:
            raise Refused("not_running", gettext("Only matches under way can have reserves."))
        if any(seat.user_id == user.pk for seat in sitting.seats):
            raise Refused("own_table", gettext("You already play at this table."))
        Reserve.objects.get_or_create(table=sitting.table, user=user)
        fill_from_reserves(sitting)


def withdraw_reserve(table_id: int, user: User) -> None:
    """Be a reserve no longer."""
    with transaction.atomic():
        sitting = sit_down(table_id)
        Reserve.objects.filter(table=sitting.table, user=user).delete()
        save(sitting)
