"""Deadlines of rounds as text: at real tables by the event’s own clock, and only as long as they are."""

from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext

from tournaments.models import Round, Tournament
from tournaments.stage_state import VENUE_HOURS
from web.text import date_and_time, several

EVENING = 17
"""The hour from which a day is the evening."""


def deadline_text(event: Tournament, round_: Round, now: datetime | None = None) -> str:
    """The deadline of a round: `Thu 26 Nov 20:15`, and at real tables `20:15 (100 minutes)` on the day of its opening.

    With `now` it may also be `20:15 this evening`, which is not for pages that are kept. Empty if it has none.
    """
    at = round_.deadline_at
    if at is None:
        return ""
    if event.setting != Tournament.Setting.FACE:
        return date_and_time(at)
    with timezone.override(event.zone):
        local, opened = timezone.localtime(at), timezone.localtime(round_.opened_at or at)
        is_sitting = timedelta() < at - opened <= timedelta(hours=VENUE_HOURS) and local.date() == opened.date()
        if not is_sitting:
            return date_and_time(at)
        if now is not None and timezone.localtime(now).date() == local.date():
            words = gettext("%(time)s this evening") if local.hour >= EVENING else gettext("%(time)s today")
            return words % {"time": f"{local:%H:%M}"}
        minutes = several(round((at - opened).total_seconds() / 60), "minute")
        return gettext("%(time)s (%(minutes)s)") % {"time": f"{local:%H:%M}", "minutes": minutes}
