"""Numbers and times in words, in the zone and the language that are active for the reader."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from functools import reduce

from django.utils import timezone, translation
from django.utils.dateformat import format as written
from django.utils.formats import number_format
from django.utils.text import slugify
from django.utils.translation import gettext, ngettext, pgettext

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_WITHOUT_MINUTES = 10 * _HOUR
"""From here on a duration in hours is told without its minutes."""


def number(value: int) -> str:
    """A whole number with a mark between thousands and a real minus sign: `−1,250`, in German `−1.250`."""
    digits = f"{value:,}" if is_english() else number_format(value, force_grouping=True)
    return digits.replace("-", "−")


def tenths(value: Fraction) -> str:
    """A number rounded to a tenth, with a mark between thousands: `1,250.5`, in German `1.250,5`."""
    rounded = Decimal(round(value * 10)) / 10
    digits = f"{rounded:,}" if is_english() else number_format(rounded, decimal_pos=1, force_grouping=True)
    return digits.replace("-", "−")


def per_cent(value: int) -> str:
    """A share of a hundred: `40%`, in German `40 %`."""
    return pgettext("per cent", "%(number)s%%") % {"number": number(value)}


def duration(length: timedelta) -> str:
    """A duration in at most two units, rounded to the smaller one: `2 d 6 h`, `3 h 10 min`, `41 min`."""
    seconds = max(0, int(length.total_seconds()))
    if seconds < _MINUTE:
        return gettext("under 1 min")
    seconds = _rounded(seconds, _MINUTE)
    if seconds >= _WITHOUT_MINUTES:
        seconds = _rounded(seconds, _HOUR)
    if seconds < _HOUR:
        return f"{seconds // _MINUTE} min"
    if seconds < _DAY:
        minutes = seconds % _HOUR // _MINUTE if seconds < _WITHOUT_MINUTES else 0
        return _two(f"{seconds // _HOUR} h", minutes, "min")
    return _two(f"{seconds // _DAY} {pgettext('days, in short', 'd')}", seconds % _DAY // _HOUR, "h")


def _rounded(seconds: int, unit: int) -> int:
    return (seconds + unit // 2) // unit * unit


def _two(first: str, value: int, unit: str) -> str:
    return f"{first} {value} {unit}" if value else first


def moment(at: datetime, now: datetime) -> str:
    """A moment as the reader's calendar has it: `14:25 today`, `09:00 tomorrow`, `Sun 16:10`, `13 Dec 20:00`."""
    local, today = timezone.localtime(at), timezone.localtime(now).date()
    days = (local.date() - today).days
    clock = f"{local:%H:%M}"
    if days == -1:
        return gettext("%(time)s yesterday") % {"time": clock}
    if days == 0:
        return gettext("%(time)s today") % {"time": clock}
    if days == 1:
        return gettext("%(time)s tomorrow") % {"time": clock}
    if 1 < days < 7:
        return on_calendar(local, pgettext("date format", "D H:i"))
    if local.year == today.year:
        return on_calendar(local, pgettext("date format", "j M H:i"))
    return on_calendar(local, pgettext("date format", "j M Y H:i"))


def date_and_time(at: datetime) -> str:
    """A moment for what may be read on another day: `Thu 26 Nov 20:15`."""
    return on_calendar(timezone.localtime(at), pgettext("date format", "D j M H:i"))


def date_with_year_and_time(at: datetime) -> str:
    """A moment for what may be read in another year: `Thu 26 Nov 2026 20:15`."""
    return on_calendar(timezone.localtime(at), pgettext("date format", "D j M Y H:i"))


def on_calendar(at: date, pattern: str) -> str:
    """A day or moment by a pattern of Django's `date` filter, with the names of days and months of the reader's language.

    The pattern is a sentence of its own for translators, `pgettext("date format", "D j M Y")`: others order a date
    otherwise.
    """
    return written(at, pattern)


def zone_name(now: datetime) -> str:
    """The reader's zone for the top of a list of times: `Toronto (EST)`, `Kolkata (IST)`, `UTC`."""
    local = timezone.localtime(now)
    name = timezone.get_current_timezone_name()
    place = name.rpartition("/")[2].replace("_", " ")
    short = local.tzname() or ""
    return place if not short or short == place or not short.isalpha() else f"{place} ({short})"


def several(count: int, singular: str, more: str | None = None) -> str:
    """A count with its noun: `1 table`, `1,204 tables`. Translators get the nouns from the callers."""
    return f"{number(count)} {ngettext(singular, more or singular + 's', count)}"


def join_words(names: Iterable[str]) -> str:
    """Names in a sentence: `Ann`, `Ann and Ben`, `Ann, Ben and Cleo`."""
    *rest, last = [*names] or [""]
    return gettext("%(names)s and %(last)s") % {"names": ", ".join(rest), "last": last} if rest else last


def joined(names: Iterable[str]) -> str:
    """`Ann, Ben and Cleo`; `Ann, Lady and Ben and Cleo` where a name has a comma of its own."""
    each = [*names]
    if not any("," in name for name in each):
        return join_words(each)
    return reduce(lambda start, name: gettext("%(names)s and %(last)s") % {"names": start, "last": name}, each)


def quoted(text: str) -> str:
    """What somebody wrote, in the quotation marks of the reader's language."""
    return gettext("“%(text)s”") % {"text": text}


def either(names: Iterable[str]) -> str:
    """`Ann`, `Ann or Ben`, `Ann, Ben or Cleo`."""
    *rest, last = [*names] or [""]
    return gettext("%(names)s or %(last)s") % {"names": ", ".join(rest), "last": last} if rest else last


def ordinal(place: int) -> str:
    """`1st`, `2nd`, `11th`, in German `1.`."""
    if place % 100 in (11, 12, 13) or place % 10 not in (1, 2, 3):
        pattern = pgettext("ordinal", "%(place)sth")
    elif place % 10 == 1:
        pattern = pgettext("ordinal", "%(place)sst")
    elif place % 10 == 2:
        pattern = pgettext("ordinal", "%(place)snd")
    else:
        pattern = pgettext("ordinal", "%(place)srd")
    return pattern % {"place": place}


_PLAIN = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
"""Letters that have no plain letter below an accent, by the plain ones for them."""


def as_address(name: str) -> str:
    """A name as the last part of an address: `Weiße Rose` becomes `weisse-rose`."""
    return slugify(name.lower().translate(_PLAIN))


def in_sentence(title: str) -> str:
    """A title or label within a sentence: `Matchday 3` is `matchday 3` in English; German keeps its capitals.

    A first word that has another capital, as `WB1.1` and `Sonneborn–Berger`, stays as it is.
    """
    first = title.partition(" ")[0]
    return title[:1].lower() + title[1:] if is_english() and first[1:] == first[1:].lower() else title


def is_english() -> bool:
    """Whether the reader’s language is the one that the site is written in."""
    return (translation.get_language() or "en") == "en"
