"""On which days the matchdays of a season fall, and in which order teams are drawn so that days off are respected."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import combinations, permutations
from zoneinfo import ZoneInfo

from django.utils.translation import gettext

from engine.compete import fixtures

WEEK = 7
LONGEST_BREAK = timedelta(days=366)
LAST_MINUTE = time(23, 59)
MOST_TURNED = 20
"""Up to so many teams, three places are also changed round at a time."""


@dataclass(frozen=True)
class Off:
    """Days off, and why."""

    first_day: date
    last_day: date
    reason: str = ""

    def covers(self, day: date) -> bool:
        return self.first_day <= day <= self.last_day


@dataclass(frozen=True)
class Day:
    """A matchday."""

    number: int
    first_day: date
    last_day: date
    starts_at: datetime
    deadline_at: datetime
    off: tuple[date, ...] = ()
    """Days in between on which nobody is to play."""
    moved: str = ""
    """Why it is later than the usual day; empty where it is not."""
    is_timed: bool = False
    """Whether its matches begin at a time of its first day, unless something else is arranged."""

    def days(self) -> list[date]:
        """The days on which its matches may be played as a rule."""
        if self.is_timed:
            return [self.first_day]
        count = (self.last_day - self.first_day).days + 1
        return [day for day in (self.first_day + timedelta(days=at) for at in range(count)) if day not in self.off]


class NoDay(Exception):
    """There is no day left for a matchday."""


def matchdays(
    count: int,
    *,
    starts_on: date,
    step: int,
    play_days: int,
    plays_at: time | None,
    zone: ZoneInfo,
    off: Sequence[Off] = (),
) -> tuple[Day, ...]:
    """So many matchdays, `step` days from one to the next, each to be played within `play_days` days.

    A first day that is off is passed over: by whole weeks where matchdays lie weeks apart, so that the weekday stays,
    else by days. Days off in between do not count as days to play. Raises `NoDay` where more than a year is off.
    """
    days: list[Day] = []
    usual = starts_on
    for number in range(1, count + 1):
        first = _first_day(usual, off, WEEK if step % WEEK == 0 else 1)
        days.append(
            one_matchday(number, first, play_days=play_days, plays_at=plays_at, zone=zone, off=off, usual=usual)
        )
        usual = first + timedelta(days=step)
    return tuple(days)


def one_matchday(
    number: int,
    first: date,
    *,
    play_days: int,
    plays_at: time | None,
    zone: ZoneInfo,
    off: Sequence[Off] = (),
    usual: date | None = None,
) -> Day:
    """One matchday that begins on this day. Raises `NoDay`."""
    last, skipped = _last_day(first, play_days, off)
    why = next((one.reason for one in off if usual and one.covers(usual)), "")
    return Day(
        number=number,
        first_day=first,
        last_day=last,
        starts_at=datetime.combine(first, plays_at or time(0), zone),
        deadline_at=datetime.combine(last, LAST_MINUTE, zone),
        off=skipped,
        moved=(why or gettext("days off")) if usual not in (None, first) else "",
        is_timed=plays_at is not None,
    )


def _first_day(day: date, off: Sequence[Off], step: int) -> date:
    latest = day + LONGEST_BREAK
    while any(one.covers(day) for one in off):
        day += timedelta(days=step)
        if day > latest:
            raise NoDay
    return day


def _last_day(first: date, play_days: int, off: Sequence[Off]) -> tuple[date, tuple[date, ...]]:
    """The last day to play, and those in between that are off."""
    day, left, skipped = first, max(1, play_days), []
    latest = first + timedelta(days=max(1, play_days)) + LONGEST_BREAK
    while True:
        if any(one.covers(day) for one in off):
            skipped.append(day)
        else:
            left -= 1
        if left == 0:
            return day, tuple(skipped)
        day += timedelta(days=1)
        if day > latest:
            raise NoDay


def clashing(day: Day, off: Iterable[Off]) -> Off | None:
    """The last of a team's days off, where they leave it no day of a matchday."""
    own = list(off)
    found = [next((one for one in own if one.covers(each)), None) for each in day.days()]
    return found[-1] if found and all(found) else None


# Who is drawn where


def order(teams: int, *, double: bool, away: Mapping[int, Collection[int]]) -> tuple[int, ...]:
    """The order of the draw, teams numbered from 1, in which the fewest matches fall on days off of who plays them.

    `away` has by team the rounds that it cannot play. Places of the draw are changed two or three at a time as long as
    that helps; where nothing does, the order stays as it is.
    """
    best = tuple(range(1, teams + 1))
    if not any(away.values()):
        return best
    opponents = _opponents(teams, double)
    while True:
        now = clashes(best, opponents, away)
        tries = [(clashes(one, opponents, away), _displaced(one), one) for one in _neighbours(best)] if now else []
        if not tries or min(tries)[0] >= now:
            return best
        best = min(tries)[2]


def clashes(order: Sequence[int], opponents: Sequence[Mapping[int, int]], away: Mapping[int, Collection[int]]) -> int:
    """How many matches fall on days off of who plays them."""
    hit = set()
    for place, team in enumerate(order, 1):
        for number in away.get(team, ()):
            other = opponents[number - 1].get(place) if number <= len(opponents) else None
            if other is not None:
                hit.add((number, min(place, other)))
    return len(hit)


def _opponents(teams: int, double: bool) -> list[dict[int, int]]:
    """By round, who meets whom, by places of the draw."""
    rounds = fixtures.round_robin(teams, double=double)
    return [{one: other for pair in drawn.tables for one, other in (pair, tuple(reversed(pair)))} for drawn in rounds]


def _neighbours(order: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
    places = range(len(order))
    turns: list[tuple[int, ...]] = list(combinations(places, 2))
    if len(order) <= MOST_TURNED:
        turns += [turn for turn in permutations(places, 3) if turn[0] == min(turn)]
    for turn in turns:
        changed = list(order)
        for at, place in enumerate(turn):
            changed[place] = order[turn[at - 1]]
        yield tuple(changed)


def _displaced(order: Sequence[int]) -> int:
    return sum(abs(place - team) for place, team in enumerate(order, 1))
