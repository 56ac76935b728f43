"""Tables of events: actions that are not for their players."""

from django.utils.translation import gettext

from gameplay.models import Table
from web.errors import Refused


def check_free(table: Table) -> None:
    """Raise `Refused` if the organisers of an event decide the players at the table."""
    if table.is_arranged:
        event = table.event_name or gettext("an event")
        raise Refused(
            "arranged",
            gettext("This match is part of %(event)s. Ask its organisers to change that.") % {"event": event},
        )


def check_own_deals(table: Table) -> None:
    """Raise `Refused` if other tables play the same cards, so that no phrases are mixed into the shuffle."""
    if table.shares_deals:
        raise Refused(
            "shared_deals", gettext("Other tables play the same cards, so no phrases are mixed into these deals.")
        )
