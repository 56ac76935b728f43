"""Deadlines of rounds and matches as text, at real tables by the event’s own clock."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext

from tournaments.models import Pairing, Round, Tournament
from tournaments.stage_state import VENUE_HOURS, moment_of
from web.text import date_and_time, several, shows_same, zone_name

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
    if event.setting != Tournament.Setting.FACE:
        return date_and_time(at)
    is_elsewhere = not shows_same(at, event.zone)
    with timezone.override(event.zone):
        words = _at_tables(at, row.opened_at or at, now)
        return f"{words} {zone_name(at)}" if is_elsewhere else words


def _at_tables(at: datetime, opened_at: datetime, now: datetime | None) -> str:
    local, opened = timezone.localtime(at), timezone.localtime(opened_at)
    is_sitting = timedelta() < at - opened_at <= timedelta(hours=VENUE_HOURS) and local.date() == opened.date()
    if not is_sitting:
        return date_and_time(at)
    if now is not None and timezone.localtime(now).date() == local.date():
        words = gettext("%(time)s this evening") if local.hour >= EVENING else gettext("%(time)s today")
        return words % {"time": f"{local:%H:%M}"}
    minutes = several(round((at - opened_at).total_seconds() / 60), "minute")
    return gettext("%(time)s (%(minutes)s)") % {"time": f"{local:%H:%M}", "minutes": minutes}
