"""Deadlines of rounds and matches as text, at real tables by the event’s own clock."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext

from tournaments.models import Pairing, Round, Tournament
from tournaments.stage_state import VENUE_HOURS, moment_of
from web.clocks import by_clock
from web.text import date_and_time, several

EVENING = 17
"""The hour from which a day is the evening."""


def deadline_text(event: Tournament, row: Round | Pairing, now: datetime | None = None) -> str:
    """The deadline of a round or match: `Thu 26 Nov 20:15`, at real tables `20:15 (100 minutes)` on its own day.

    The zone is named where the page’s clock shows another time. With `now` it may also be `20:15 this evening`, which is
    not for pages that are kept. Empty if it has none.
    """
    at = moment_of(row) if isinstance(row, Pairing) else row.deadline_at
    if at is None:
        return ""
    clock = row.clock if isinstance(row, Pairing) else event.clock
    if event.setting != Tournament.Setting.FACE:
        return by_clock(at, clock)
    return by_clock(at, clock, lambda there: _at_tables(there, row.opened_at or at, now))


def _at_tables(at: datetime, opened_at: datetime, now: datetime | None) -> str:
    is_same_day = at.date() == timezone.localtime(opened_at).date()
    is_sitting = is_same_day and timedelta() < at - opened_at <= timedelta(hours=VENUE_HOURS)
    if not is_sitting:
        return date_and_time(at)
    if now is not None and timezone.localtime(now).date() == at.date():
        words = gettext("%(time)s this evening") if at.hour >= EVENING else gettext("%(time)s today")
        return words % {"time": f"{at:%H:%M}"}
    minutes = several(round((at - opened_at).total_seconds() / 60), "minute")
    return gettext("%(time)s (%(minutes)s)") % {"time": f"{at:%H:%M}", "minutes": minutes}
