"""Pieces of sentences that clubs say often: lists of names, days, places of a table, and what somebody is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import reduce

from django.utils.translation import get_language, gettext, gettext_noop, pgettext

from web.words import on_calendar

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
    """What somebody of this role is called within a sentence; of a club or of a team."""
    return gettext(_CALLED[code]) if code in _CALLED else code


def all_of(names: Sequence[str]) -> str:
    """`Ann`, `Ann and Ben`, `Ann, Ben and Cleo`."""
    if len(names) < 2:
        return "".join(names)
    return gettext("%(names)s and %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def each_of(names: Sequence[str]) -> str:
    """`Ann and Ben and Cleo`, for names that have commas or slashes of their own."""
    return reduce(lambda told, name: gettext("%(names)s and %(last)s") % {"names": told, "last": name}, names or [""])


def one_of(names: Sequence[str]) -> str:
    """`Ann`, `Ann or Ben`, `Ann, Ben or Cleo`."""
    if len(names) < 2:
        return "".join(names)
    return gettext("%(names)s or %(last)s") % {"names": ", ".join(names[:-1]), "last": names[-1]}


def ordinal(place: int) -> str:
    """`1st`, `2nd`, `11th`."""
    if place % 100 in (11, 12, 13) or place % 10 not in (1, 2, 3):
        pattern = pgettext("ordinal", "%(place)sth")
    elif place % 10 == 1:
        pattern = pgettext("ordinal", "%(place)sst")
    elif place % 10 == 2:
        pattern = pgettext("ordinal", "%(place)snd")
    else:
        pattern = pgettext("ordinal", "%(place)srd")
    return pattern % {"place": place}


def within(title: str) -> str:
    """A title inside a sentence: `Matchday 3` is `matchday 3` in English; German keeps its capitals."""
    return title.lower() if (get_language() or "en") == "en" else title


def day(at: date) -> str:
    """`26 Nov 2026`."""
    return on_calendar(at, pgettext("date format", "j M Y"))


def weekday(at: date) -> str:
    """`Thu 26 Nov 2026`."""
    return on_calendar(at, pgettext("date format", "D j M Y"))
