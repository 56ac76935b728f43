"""Days of a season's matchdays, and an order of the draw that respects days off."""

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
"""The limit of teams up to which three places are also exchanged at a time."""


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
    """Days in between on which nobody plays."""
    moved: str = ""
    """Why it is later than the usual day; empty if it is not."""
    is_timed: bool = False
    """Whether its matches start at a time of its first day, unless agreed otherwise."""

    def days(self) -> list[date]:
        """The usual days of its matches."""
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
    """Plan `count` matchdays, `step` days from one to the next, each to be played within `play_days` days.

    A first day that is off is skipped: by whole weeks if `step` is whole weeks, so that the weekday stays, else by
    days. Days off in between do not count as days to play. Raises `NoDay` if more than a year is off.
    """
    days: list[Day] = []
    usual = starts_on
    for number in range(1, count + 1):
        first = _first_day(usual, off, WEEK if step % WEEK == 0 else 1)
        days.append(
            plan_matchday(number, first, play_days=play_days, plays_at=plays_at, zone=zone, off=off, usual=usual)
        )
        usual = first + timedelta(days=step)
    return tuple(days)


def plan_matchday(
    number: int,
    first: date,
    *,
    play_days: int,
    plays_at: time | None,
    zone: ZoneInfo,
    off: Sequence[Off] = (),
    usual: date | None = None,
) -> Day:
    """Plan a matchday that starts on this day. Raises `NoDay`."""
    last, skipped = _last_day(first, play_days, off)
    why = next((period.reason for period in off if usual and period.covers(usual)), "")
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
    while any(period.covers(day) for period in off):
        day += timedelta(days=step)
        if day > latest:
            raise NoDay
    return day


def _last_day(first: date, play_days: int, off: Sequence[Off]) -> tuple[date, tuple[date, ...]]:
    """The last day to play, and the days off before it."""
    day, remaining, skipped = first, max(1, play_days), []
    latest = first + timedelta(days=max(1, play_days)) + LONGEST_BREAK
    while True:
        if any(period.covers(day) for period in off):
            skipped.append(day)
        else:
            remaining -= 1
        if remaining == 0:
            return day, tuple(skipped)
        day += timedelta(days=1)
        if day > latest:
            raise NoDay


def clashing(day: Day, off: Iterable[Off]) -> Off | None:
    """The last of a team's days off, if they leave it no day of a matchday."""
    periods = list(off)
    covering = [next((period for period in periods if period.covers(each)), None) for each in day.days()]
    return covering[-1] if covering and all(covering) else None


# Order of the draw


def order(teams: int, *, double: bool, away: Mapping[int, Collection[int]]) -> tuple[int, ...]:
    """The order of the draw, teams numbered from 1, in which the fewest matches fall on days off of their teams.

    `away` has by team the rounds that it cannot play. Places of the draw are exchanged two or three at a time as long
    as that helps.
    """
    best = tuple(range(1, teams + 1))
    if not any(away.values()):
        return best
    opponents = _opponents(teams, double)
    while True:
        now = clashes(best, opponents, away)
        tries = [(clashes(draw, opponents, away), _displaced(draw), draw) for draw in _neighbours(best)] if now else []
        if not tries or min(tries)[0] >= now:
            return best
        best = min(tries)[2]


def clashes(order: Sequence[int], opponents: Sequence[Mapping[int, int]], away: Mapping[int, Collection[int]]) -> int:
    """The number of matches on days off of their teams."""
    hit = set()
    for place, team in enumerate(order, 1):
        for number in away.get(team, ()):
            other = opponents[number - 1].get(place) if number <= len(opponents) else None
            if other is not None:
                hit.add((number, min(place, other)))
    return len(hit)


def _opponents(teams: int, double: bool) -> list[dict[int, int]]:
    """Opponents by round, as places of the draw."""
    rounds = fixtures.round_robin(teams, double=double)
    return [{first: second for pair in drawn.tables for first, second in (pair, pair[::-1])} for drawn in rounds]


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
