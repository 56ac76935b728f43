"""The guided first deal: short rules, arranged cards, weak bots, and hints that can be hidden."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext

from accounts.models import User
from engine.bots.first_deal import KEY, RULES
from gameplay.models import Table
from gameplay.services.sitting import Sitting, save, sit_down
from gameplay.services.tables import make_practice

LEVEL = "novice"
"""The level of its bots."""


def make_first_deal(user: User) -> Table:
    """Create and start a guided first deal."""
    guide = {"learnt": [], "is_hidden": False}
    return make_practice(user, RULES, level=LEVEL, name=gettext("First deal"), key=KEY, guide=guide)


def show_hints(table_id: int, user: User, *, is_shown: bool, now: datetime | None = None) -> Sitting:
    """Show or hide the hints of a first deal. At other tables, or twice, it changes nothing."""
    with transaction.atomic():
        sitting = sit_down(table_id, now)
        sitting.seat_of(user)
        guide = sitting.table.guide
        if guide is not None and guide["is_hidden"] == is_shown:
            sitting.table.guide = {**guide, "is_hidden": not is_shown}
            save(sitting)
        return sitting
