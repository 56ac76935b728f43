"""The same people with another partner: a new table, to which everyone is invited."""

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from accounts.services import blocks
from gameplay.event_tables import check_free
from gameplay.models import Table
from gameplay.services import invitations, seating, tables
from gameplay.services.rematch import TERMS
from gameplay.services.sitting import sit_down
from web.errors import Refused

_OF_TABLE = ("rules_json", "rules_ref", "seat_count", "team_size", "name")


def change_partners(table_id: int, user: User) -> Table:
    """Create a table by the same rules and terms, with the people of a finished match invited to other seats.

    The player stays in the first seat and everyone else moves along one seat, so that three more matches bring each
    partner once. Bots move as well. Twice gives the same table. Raises `Refused`.
    """
    with transaction.atomic():
        sitting = sit_down(table_id)
        old, place_before = sitting.table, sitting.seat_of(user).number
        check_free(old)
        if old.status not in (Table.Status.OVER, Table.Status.ABANDONED):
            raise Refused("not_over", gettext("The match is not over yet."))
        if not old.can_change_partners:
            raise Refused("no_partners", gettext("At this table nobody can change partners."))
        key = f"partners:{old.pk}:{user.pk}"
        if (earlier := Table.objects.filter(made_with=key).first()) is not None:
            return earlier
        terms = {name: getattr(old, name) for name in TERMS if name not in _OF_TABLE}
        table = tables.make_table(
            user,
            old.rules,
            name=old.name,
            seat_count=old.seat_count,
            team_size=old.team_size,
            terms={**terms, "rules_ref": old.rules_ref, "joining": Table.Joining.INVITED},
            request_key=key,
        )
        blocked = blocks.blocked_by(user)
        others = [sitting.seats[(place_before + step) % old.seat_count] for step in range(1, old.seat_count)]
        for place, seat in enumerate([*others[1:], others[0]], 1):
            if seat.user_id in blocked:
                continue
            if seat.user is not None and seat.user.is_active and not seat.user.is_guest:
                invitations.invite_person(table.pk, user, seat.user, seat=place)
            elif seat.bot:
                seating.seat_bot(table.pk, user, seat=place, level=seat.bot)
        return table
