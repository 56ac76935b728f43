"""The years of days that a list writes without one: `7 Sep`, `Sa 14.3.`."""

import re
from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

from clubs.bring_in.values import Day

_GAP = 45
"""Days without a match that part one season from the next, in a list that does not go by its days."""
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_SUMMER = 7
"""Month in which a season over two years begins at the earliest, if its days do not tell."""
_EARLY = timedelta(days=31)
"""How long before its first day a season may have a match."""

Mark = tuple[int, int]
"""Month and day."""


class Years:
    """The years of the days of one season, which has a first day and lasts no longer than a year."""

    def __init__(
        self, days: Sequence[Day], *, stated: str = "", first_day: date | None = None, today: date, is_over: bool
    ) -> None:
        """`stated` is the name of the season or another text with its year; with `is_over` the days are past."""
        self.marks = [(day.day.month, day.day.day) for day in days if day.day and not day.has_year]
        self.first = _first_of(self.marks) if self.marks else (1, 1)
        self.last = max((mark < self.first, mark) for mark in self.marks)[1] if self.marks else self.first
        """The first and the last day of the season, as far as the list has them."""
        self.is_over_new_year = bool(self.marks) and min(self.marks) < self.first
        dated = [day.day for day in days if day.day and day.has_year]
        known = self._by_dated(dated) or self._stated(stated) or self._by_first_day(first_day)
        self.year = known or self._by_weekdays(days, today)
        """In which the season begins; `None` if nothing tells."""
        self.shown = " … ".join(dict.fromkeys(f"{mark[1]}.{mark[0]}." for mark in self.marks[:1] + self.marks[-1:]))
        self.guess = self.year or self._nearest(today, is_over=is_over)

    def day(self, mark: date, *, year: int | None = None, season: str = "") -> date | None:
        """The day of this month and number in a season that begins in this year, or is called so; `None` if that year
        has no such day."""
        start = self._stated(season) or year or self.guess
        if not self.marks or self._is_within((mark.month, mark.day)):
            return _real(start + ((mark.month, mark.day) < self.first), mark)
        begin, end = _real(start, _mark(self.first)), _real(start + self.is_over_new_year, _mark(self.last))
        hits = [hit for at in (start - 1, start, start + 1, start + 2) if (hit := _real(at, mark)) is not None]
        if begin is None or end is None or not hits:
            return next(iter(hits), None)
        return min(hits, key=lambda hit: min(abs(hit - begin), abs(hit - end)))

    def _is_within(self, mark: Mark) -> bool:
        ordered = [(each < self.first, each) for each in (mark, self.last)]
        return ordered[0] <= ordered[1]

    def _stated(self, text: str) -> int | None:
        """The year in a text; of the two of `2026/27` the second for days that are all in spring."""
        hit = _YEAR.search(text)
        if hit is None:
            return None
        year = int(hit[0])
        has_two = bool(re.match(r"\s?[/–-]\s?(?:\d{4}|\d{2})(?!\d)", text[hit.end() :]))
        return year + (has_two and not self.is_over_new_year and self.first[0] < _SUMMER)

    def _by_dated(self, dated: Sequence[date]) -> int | None:
        starts = [min((day.year, day.year - 1), key=lambda year: self._off(day, year)) for day in dated]
        return max(set(starts), key=lambda year: (starts.count(year), year)) if starts else None

    def _by_first_day(self, first_day: date | None) -> int | None:
        if first_day is None:
            return None
        start = self.day(_mark(self.first), year=first_day.year)
        return first_day.year + (start is not None and start < first_day - _EARLY)

    def _by_weekdays(self, days: Sequence[Day], today: date) -> int | None:
        """The nearest year in which most days fall on their day of the week."""
        with_weekday = [
            (day.day, day.weekday) for day in days if day.day and not day.has_year and day.weekday is not None
        ]
        fitting = {
            year: sum(
                (hit := self.day(mark, year=year)) is not None and hit.weekday() == weekday
                for mark, weekday in with_weekday
            )
            for year in range(today.year - 4, today.year + 3)
        }
        best = max(fitting, key=lambda year: (fitting[year], -abs(year - today.year)))
        return best if 2 * fitting[best] > len(with_weekday) > 0 else None

    def _nearest(self, today: date, *, is_over: bool) -> int:
        """The year of the season that is under way or the nearest to today; of past days, the last that is over."""
        hits = []
        for year in range(today.year - 2, today.year + 2):
            end = self.day(_mark(self.last), year=year)
            if end is not None and not (is_over and end > today):
                hits.append((self._off(today, year), -year))
        return -min(hits)[1] if hits else today.year

    def _off(self, day: date, year: int) -> timedelta:
        """How far a day is before or after the season that begins in a year."""
        begin, end = self.day(_mark(self.first), year=year), self.day(_mark(self.last), year=year)
        return timedelta.max if begin is None or end is None else max(begin - day, day - end, timedelta())


def _mark(mark: Mark) -> date:
    return date(2000, *mark)


def _real(year: int, mark: date) -> date | None:
    try:
        return mark.replace(year=year)
    except ValueError:
        return None


def _first_of(marks: Sequence[Mark]) -> Mark:
    """The first day of a season: where a list by days begins, else behind the longest time without a day."""
    for ordered in (marks, marks[::-1]):
        falls = sum(later < earlier for earlier, later in pairwise(ordered))
        if not falls or (falls == 1 and ordered[-1] <= ordered[0]):
            return ordered[0]
    days = sorted({_mark(mark) for mark in marks})
    gaps = [((later - earlier).days, later) for earlier, later in pairwise([*days, days[0].replace(year=2001)])]
    longest, after = max(gaps, key=lambda gap: gap[0])
    return (after.month, after.day) if longest >= _GAP else marks[0]
