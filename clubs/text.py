"""Parts of sentences that clubs use often: days and roles."""

from datetime import date

from django.utils.translation import gettext, gettext_noop, pgettext

from web.text import on_calendar

_CALLED = {
    "owner": gettext_noop("owner"),
    "organiser": gettext_noop("organiser"),
    "scorer": gettext_noop("scorer"),
    "member": gettext_noop("member"),
    "guest": gettext_noop("guest"),
    "captain": gettext_noop("captain"),
    "player": gettext_noop("player"),
    "reserve": gettext_noop("reserve"),
}


def role(code: str) -> str:
    """The name of a role within a sentence; of a club or of a team."""
    return gettext(_CALLED[code]) if code in _CALLED else code


def day(at: date) -> str:
    """`26 Nov 2026`."""
    return on_calendar(at, pgettext("date format", "j M Y"))


def weekday(at: date) -> str:
    """`Thu 26 Nov 2026`."""
    return on_calendar(at, pgettext("date format", "D j M Y"))
