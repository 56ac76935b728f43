"""Tables that a competition made: what is not for their players to do."""

from __future__ import annotations

from django.utils.translation import gettext

from gameplay.models import Table
from web.errors import Refused


def check_free(table: Table) -> None:
    """Raise `Refused` where who plays at the table, and whether, is for the organisers of an event to say."""
    if table.is_arranged:
        event = table.event_name or gettext("an event")
        raise Refused(
            "arranged",
            gettext("This match is part of %(event)s. Ask its organisers to change that.") % {"event": event},
        )


def check_own_deals(table: Table) -> None:
    """Raise `Refused` where other tables play the same cards, so that nobody's words may be mixed into the shuffle."""
    if table.shares_deals:
        raise Refused(
            "shared_deals", gettext("Other tables play the same cards, so no phrases are mixed into these deals.")
        )
