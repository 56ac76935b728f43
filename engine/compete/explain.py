"""Standings in words: why one entry is ahead of another, and numbers as people write them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Final

from engine.compete.standings import DIRECT_ENCOUNTER, Row
from engine.compete.tiebreaks import NAMES
from engine.words import later, say

LEVEL: Final = later("tied in everything")
"""Text for two entries that share a rank, always in English: readers of `why_ahead` compare with it."""

_QUARTERS: Final = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾"}


def value(number: Fraction | int) -> str:
    """A number as people write it: "12", "12½", "−3¼"; other fractions with two decimals, "0.33".

    Rounded numbers keep noughts at their end, so that "2.00" is not taken for 2.
    """
    number = Fraction(number)
    sign, size = ("−" if number < 0 else ""), abs(number)
    units, rest = divmod(size, 1)
    if rest == 0:
        return f"{sign}{units}"
    if rest in _QUARTERS:
        return f"{sign}{units or ''}{_QUARTERS[rest]}"
    exact = Decimal(size.numerator) / Decimal(size.denominator)
    return f"{sign}{exact.quantize(Decimal('0.01'), rounding=ROUND_HALF_UP)}"


def why_ahead(upper: Row, lower: Row, tiebreaks: Sequence[str]) -> str:
    """Reason why `upper` is before `lower`, both from standings by these tie-breaks: "ahead on Buchholz, 14 to 12½".

    Two entries that share a rank are "level in everything".
    """
    if lower.is_removed and not upper.is_removed:
        return say("ahead of an entry that is out of the competition")
    for step, (first, second) in enumerate(zip(upper.places, lower.places, strict=True)):
        if first == second:
            continue
        if step == 0:
            return say("ahead on points, %(more)s to %(less)s", more=value(upper.points), less=value(lower.points))
        return _ahead_on(tiebreaks[step - 1], upper, lower)
    return LEVEL


def _ahead_on(name: str, upper: Row, lower: Row) -> str:
    """Text for each tie-break that decided."""
    if name == "lots":
        return say("ahead by lot")
    title = say(NAMES[name][0])
    if title == NAMES[name][0] and title not in _PROPER:
        title = title[0].lower() + title[1:]
    more, less = upper.values[name], lower.values[name]
    # Entries tied on direct encounter may still be split by the matches among all tied on it.
    if name == DIRECT_ENCOUNTER or more is None or less is None:
        return say("ahead on %(tiebreak)s", tiebreak=title)
    return say("ahead on %(tiebreak)s, %(more)s to %(less)s", tiebreak=title, more=value(more), less=value(less))


_PROPER: Final = {NAMES[name][0] for name in NAMES if "buchholz" in name or "sonneborn" in name or name == "koya"}
"""Titles that begin with a person's name keep their capital."""
