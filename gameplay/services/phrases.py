"""Phrases that players mix into the shuffle."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from engine.errors import BadInput
from engine.play.deal import check_phrases
from gameplay.event_tables import check_own_deals
from gameplay.models import Deal, Table
from gameplay.services.sitting import Sitting, save, sit_down
from web.errors import Refused


def set_phrase(table_id: int, user: User, text: str, now: datetime | None = None) -> Sitting:
    """Add the player's own phrase to the shuffle of the next deal, whose commitment everyone sees already."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        seat, table = sitting.seat_of(user), sitting.table
        check_own_deals(table)
        deal = Deal.objects.filter(table=table, number=table.deal_number + 1, dealt_at=None).first()
        if deal is None or (table.status != Table.Status.GATHERING and not table.is_between_deals):
            raise Refused("dealt", gettext("The cards are dealt. You can add a phrase before the next deal."))
        phrases = list(deal.phrases)
        phrases[seat.number] = text.strip()
        try:
            check_phrases(tuple(phrases), table.seat_count)
        except BadInput as error:
            raise Refused("bad_phrase", error.sentence) from None
        deal.phrases = phrases
        deal.save(update_fields=["phrases"])
        save(sitting)
        return sitting
