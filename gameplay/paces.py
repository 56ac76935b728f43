"""How long a match takes: the clocks that one press chooses for a new table."""

from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from gameplay.models import Table


class Pace(NamedTuple):
    """A clock by name; `terms` are fields of `Table`."""

    title: str | Promise
    hint: str | Promise
    terms: dict[str, Any]


OWN = "own"
"""A clock whose hours are entered, in place of one of these."""


def _evening(title: Promise, hint: Promise, *, turn: int, bank: int) -> Pace:
    terms = {"is_practice": False, "clock": Table.Clock.LIVE, "clock_hours": 48}
    return Pace(title, hint, terms | {"turn_seconds": turn, "bank_seconds": bank})


PACES = {
    "two_days": Pace(
        gettext_lazy("2 days per turn"),
        gettext_lazy("For players who look in every day or two."),
        {"is_practice": False, "clock": Table.Clock.MOVE, "clock_hours": 48},
    ),
    "day": Pace(
        gettext_lazy("1 day per turn"),
        gettext_lazy("For players who look in every day."),
        {"is_practice": False, "clock": Table.Clock.MOVE, "clock_hours": 24},
    ),
    "bank": Pace(
        gettext_lazy("Time bank"),
        gettext_lazy("2 days, plus 12 hours for each turn played, up to 5 days."),
        {"is_practice": False, "clock": Table.Clock.BANK, "clock_hours": 48, "increment_hours": 12, "cap_hours": 120},
    ),
    "evening": _evening(
        gettext_lazy("An evening, 60 seconds per turn"),
        gettext_lazy("Plus a bank of 3 minutes. Everyone stays at the table."),
        turn=60,
        bank=180,
    ),
    "slow_evening": _evening(
        gettext_lazy("An evening, 90 seconds per turn"),
        gettext_lazy("Plus a bank of 5 minutes. Everyone stays at the table."),
        turn=90,
        bank=300,
    ),
    "calm_evening": _evening(
        gettext_lazy("An evening, 2 minutes per turn"),
        gettext_lazy("Plus a bank of 5 minutes. Everyone stays at the table."),
        turn=120,
        bank=300,
    ),
    "none": Pace(
        gettext_lazy("No clock"),
        gettext_lazy("Practice: no rating, free chat."),
        {"is_practice": True, "clock": Table.Clock.NONE, "clock_hours": 48},
    ),
}
"""All of them by name, in the order of a form. Lists of clocks anywhere read these."""


def pace_of(table: Table) -> str:
    """The name of the pace with the clock of this table, or `OWN`."""
    return next((name for name, pace in PACES.items() if _fits(pace, table)), OWN)


def _fits(pace: Pace, table: Table) -> bool:
    return all(getattr(table, name) == value for name, value in pace.terms.items())
