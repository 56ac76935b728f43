"""The terms of a table: limits of its clocks, and what contradicts."""

from django.utils.translation import gettext

from gameplay.models import Table

LEAST_SECONDS, MOST_SECONDS, MOST_BANK = 30, 600, 1800
"""Limits of the clocks of an evening: for a turn, and for the bank."""
LEAST_HOURS = 12
"""The shortest time for a turn, and the least a bank begins with."""


def wrong_terms(table: Table) -> dict[str, str]:
    """The problems of a table's terms: sentences by field. Empty if there are none."""
    checks = [
        (
            "clock",
            table.clock == Table.Clock.NONE and not table.is_practice,
            gettext("Only practice tables can have no clock."),
        ),
        (
            "clock_hours",
            table.clock in (Table.Clock.MOVE, Table.Clock.BANK) and table.clock_hours < LEAST_HOURS,
            gettext("A turn must have at least %(hours)s hours, so that everyone can sleep.") % {"hours": LEAST_HOURS},
        ),
        (
            "turn_seconds",
            table.clock == Table.Clock.LIVE and not LEAST_SECONDS <= table.turn_seconds <= MOST_SECONDS,
            gettext("A turn of an evening has from %(least)s to %(most)s seconds.")
            % {"least": LEAST_SECONDS, "most": MOST_SECONDS},
        ),
        (
            "bank_seconds",
            table.clock == Table.Clock.LIVE and not 0 <= table.bank_seconds <= MOST_BANK,
            gettext("The time bank of an evening has at most %(most)s seconds.") % {"most": MOST_BANK},
        ),
        (
            "missed",
            table.missed == Table.Missed.SKIP and table.clock != Table.Clock.LIVE,
            gettext("Only on an evening can a missed turn just draw and discard."),
        ),
        (
            "cap_hours",
            table.clock == Table.Clock.BANK and 0 < table.cap_hours < table.clock_hours,
            gettext("The time bank cannot start with more than its limit."),
        ),
        (
            "is_rated",
            table.is_rated and table.is_practice,
            gettext("Practice matches are never rated. Choose a clock or turn off “Rated”."),
        ),
        (
            "allows_hints",
            table.is_rated and table.allows_hints,
            gettext("Rated matches have no hints. Turn off “Hints” or “Rated”."),
        ),
        (
            "talk",
            table.talk == Table.Talk.FREE and (table.is_rated or table.is_arranged),
            gettext("Partners must not signal where it counts. Choose set phrases or no chat."),
        ),
        (
            "audience",
            Table.Joining.CLUB in (table.joining, table.watching) and not table.audience,
            gettext("Choose a club."),
        ),
    ]
    return {field: sentence for field, is_wrong, sentence in checks if is_wrong}
