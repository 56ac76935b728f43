"""What a matchday brought, in plain sentences: the draft of a newsletter, which an organiser then edits.

Every sentence follows from results: what did not happen is not spoken of. Times are by the clock of the club.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from zoneinfo import ZoneInfo

from clubs.league import fixtures
from clubs.league.fixtures import Match, Matchday, Side
from clubs.models import Division, Season
from clubs.statistics.course import Course, course
from engine.compete import explain
from tournaments.models import Pairing
from web.words import number

LONGEST_SUBJECT = 120
UPSET = 3
"""A win over a team that stood so many places higher is told."""
CLIMB = 2
"""Going up or down by so many places is told."""
RUN = 3
"""So many wins in a row are told."""
NUMBERS = ("nought", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
ORDINALS = (
    *("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh"),
    "twelfth",
)


@dataclass(frozen=True)
class Told:
    """A matchday in words."""

    subject: str
    body: str


@dataclass(frozen=True)
class Standing:
    """Where the teams of a division stood after a matchday and before it, by their ids: two may be called the same."""

    names: dict[int, str]
    now: dict[int, int]
    before: dict[int, int]
    """Empty for the first matchday."""
    points: dict[int, Fraction]
    order: tuple[int, ...]
    """The best first."""

    def leaders(self, places: dict[int, int]) -> list[int]:
        """Who is first in these places."""
        return sorted(
            (team for team, place in places.items() if place == 1), key=lambda team: self.names[team].casefold()
        )

    def named(self, teams: Iterable[int]) -> list[str]:
        """What they are called."""
        return [self.names[team] for team in teams]


def told_days(season: Season, most: int) -> list[int]:
    """The last matchdays of a season of which there are results, the last first."""
    done = Pairing.objects.filter(round__stage__tournament__division__season=season, status=Pairing.Status.DONE)
    numbers = done.order_by("-round__number").values_list("round__number", flat=True).distinct()
    return list(numbers[:most])


def tell(season: Season, day: int, *, site: str, now: datetime) -> Told:
    """What a matchday of a season brought in each of its divisions. `site` is put in front of addresses."""
    days = fixtures.of_season(season)
    divisions = list(Division.objects.filter(season=season).select_related("tournament").order_by("level"))
    zone = season.league.club.zone
    parts, subject = [], ""
    for division in divisions:
        found = course(division)
        stood = _standing(found, day)
        own = days.get(division.pk, ())
        text = _division(own, day, stood, zone, now)
        parts.append(f"{division.name}\n\n{text}" if len(divisions) > 1 else text)
        subject = subject or _subject(day, stood)
    parts.append(f"The table, all results and all fixtures: {site}{season.get_absolute_url()}")
    heading = f"{season.league}, {season}: matchday {day}"
    plain = f"Matchday {day} of {season.league}"[:LONGEST_SUBJECT]
    return Told(subject if subject and len(subject) <= LONGEST_SUBJECT else plain, "\n\n".join([heading, *parts]))


def _subject(day: int, stood: Standing | None) -> str:
    """`Matchday 5: Lund / Arai took the lead`."""
    if stood is None:
        return ""
    first = stood.leaders(stood.now)
    names = stood.named(first)
    if len(first) > 1:
        words = f"{_joined(names)} share the lead" if len(first) == 2 else f"{_count(len(first))} teams share the lead"
    elif not stood.before:
        words = f"{names[0]} went ahead"
    else:
        words = f"{names[0]} stayed ahead" if first[0] in stood.leaders(stood.before) else f"{names[0]} took the lead"
    return f"Matchday {day}: {words}"


def _division(days: Sequence[Matchday], number: int, stood: Standing | None, zone: ZoneInfo, now: datetime) -> str:
    day = next((one for one in days if one.number == number), None)
    if day is None:
        return "There was no matchday of this number here."
    done = [one for one in day.matches if one.is_done]
    paragraphs = [
        "\n".join(_result(one) for one in done) or "Nothing of this matchday has a result yet.",
        " ".join(_happened(done, stood, days, number)),
        " ".join(_table(stood, is_last=day is days[-1] and all(one.is_over for one in days))) if done else "",
        " ".join(_free(day)),
        _open(days, number, zone, now),
        _coming(days, number, zone),
    ]
    return "\n\n".join(one for one in paragraphs if one)


# What was played


def _result(one: Match) -> str:
    names = f"{one.home.name} – {one.away.name}"
    if one.is_walkover:
        winner = next((side.name for side in _sides(one) if side.is_winner), "")
        return f"{names}: {f'{winner} won' if winner else 'nobody won'} without play"
    if one.home.score is None or one.away.score is None:
        winner = next((side.name for side in _sides(one) if side.is_winner), "")
        return f"{names}: {f'{winner} won' if winner else 'a draw'}"
    return f"{names}{_turn(one.away.name)} {number(one.home.score)} – {number(one.away.score)}"


def _happened(done: Sequence[Match], stood: Standing | None, days: Sequence[Matchday], day: int) -> Iterable[str]:
    scored = [one for one in done if not one.is_walkover and _gap(one) is not None]
    decided = [one for one in scored if _gap(one)]
    if len(scored) > 1 and decided:
        clear = max(decided, key=lambda one: _gap(one) or 0)
        winner, loser = _winner(clear)
        yield f"The clearest win was that of {winner} over {loser}, by {number(_gap(clear) or 0)}."
        close = min(scored, key=lambda one: _gap(one) or 0)
        if close is not clear and _gap(close):
            winner, loser = _winner(close)
            yield f"{winner} beat {loser} by only {number(_gap(close) or 0)}, the closest match of the day."
    yield from (f"{one.home.name} and {one.away.name} drew." for one in scored if _gap(one) == 0)
    yield from _upsets(done, stood)
    yield from _runs(days, day, done)


def _upsets(done: Iterable[Match], stood: Standing | None) -> Iterable[str]:
    before = stood.before if stood else {}
    for one in done:
        if one.is_walkover or not any(side.is_winner for side in _sides(one)):
            continue
        winner, loser = _winner(one)
        low, high = (before.get(side.team.pk, 0) if side.team else 0 for side in _winner_first(one))
        if low and high and low - high >= UPSET:
            yield f"{winner}, {_ordinal(low)} before, beat {loser}, who stood {_ordinal(high)}."


def _runs(days: Sequence[Matchday], day: int, done: Iterable[Match]) -> Iterable[str]:
    for one in done:
        winner = next((side.name for side in _sides(one) if side.is_winner), None)
        if winner is None:
            continue
        count = 0
        for each in reversed([each for each in days if each.number <= day]):
            own = [match for match in each.matches if match.is_done and winner in (match.home.name, match.away.name)]
            if any(not side.is_winner for match in own for side in _sides(match) if side.name == winner):
                break
            count += len(own)
        if count >= RUN:
            yield f"{winner} won for the {_ordinal(count)} time in a row."


# Where that leaves the table


def _table(stood: Standing | None, *, is_last: bool) -> Iterable[str]:
    if stood is None or not stood.order:
        return
    first = stood.leaders(stood.now)
    names = stood.named(first)
    had = f"{explain.value(stood.points[first[0]])} {'point' if stood.points[first[0]] == 1 else 'points'}"
    if is_last:
        yield f"That was the last matchday: {_joined(names)} finished first with {had}."
    elif len(first) > 1:
        yield f"{_joined(names)} share the lead with {had} each."
    else:
        yield _lead(stood, first[0], had)
    moved = [
        (stood.before[at] - place, stood.names[at], place, at) for at, place in stood.now.items() if at in stood.before
    ]
    up, down = max(moved, default=None), min(moved, default=None)
    if up and up[0] >= CLIMB and up[3] not in first:
        yield f"{up[1]} went up from {_ordinal(up[2] + up[0])} to {_ordinal(up[2])}."
    if down and -down[0] >= CLIMB:
        yield f"{down[1]} went down from {_ordinal(down[2] + down[0])} to {_ordinal(down[2])}."


def _lead(stood: Standing, team: int, had: str) -> str:
    name, was = stood.names[team], stood.leaders(stood.before)
    if not was:
        start = f"{name} went ahead with {had}"
    elif team in was:
        start = f"{name} stayed ahead with {had}"
    else:
        start = f"{name} took the lead from {_joined(stood.named(was))} with {had}"
    others = [one for one in stood.order if one != team]
    if not others:
        return f"{start}."
    second = stood.names[others[0]]
    ahead = stood.points[team] - stood.points[others[0]]
    if ahead > 0:
        return f"{start}, {explain.value(ahead)} more than {second}."
    return f"{start}; {second} had as many, and was behind on the tie-break."


def _free(day: Matchday) -> Iterable[str]:
    if day.byes:
        yield f"{_joined([str(team) for team in day.byes])} had no match."


# What is still to come


def _open(days: Sequence[Matchday], number: int, zone: ZoneInfo, now: datetime) -> str:
    """Matches up to this matchday without a result."""
    late = [one for day in days if day.number <= number for one in day.matches if not one.is_done]
    return "\n".join(["Still without a result:", *(_waiting(one, number, zone, now) for one in late)]) if late else ""


def _waiting(one: Match, number: int, zone: ZoneInfo, now: datetime) -> str:
    where = "" if one.matchday == number else f" (matchday {one.matchday})"
    status = one.pairing.status
    if status in (Pairing.Status.REPORTED, Pairing.Status.DISPUTED):
        return f"{one}{where}: played, and the result is not confirmed yet"
    if one.starts_at is not None and one.starts_at > now:
        return f"{one}{where}: {_when(one, zone)}"
    begun = "begun and not finished" if status == Pairing.Status.PLAYING else ""
    if one.deadline_at is not None and one.deadline_at < now:
        overdue = f"overdue since {_day(one.deadline_at, zone)}"
        return f"{one}{where}: {f'{begun}, ' if begun else ''}{overdue}"
    until = f"to be played by {_day(one.deadline_at, zone)}" if one.deadline_at else "no date yet"
    return f"{one}{where}: {f'{begun}, ' if begun else ''}{until}"


def _coming(days: Sequence[Matchday], number: int, zone: ZoneInfo) -> str:
    day = next((one for one in days if one.number > number and not one.is_over), None)
    if day is None:
        return ""
    lines = [f"{one}: {_when(one, zone)}" for one in day.matches if not one.is_done]
    free = [f"{_joined([str(team) for team in day.byes])}: no match"] if day.byes else []
    return "\n".join([f"Next, matchday {day.number}:", *lines, *free])


def _when(one: Match, zone: ZoneInfo) -> str:
    """`Thu 26 Nov 19:30 at Town hall`, `by Sun 29 Nov, online`."""
    if one.starts_at is not None:
        at = f"{_day(one.starts_at, zone)} {one.starts_at.astimezone(zone):%H:%M}"
    else:
        at = f"by {_day(one.deadline_at, zone)}" if one.deadline_at else "no date yet"
    return f"{at}, online" if one.is_online else f"{at} at {one.venue}" if one.venue else at


# Words


def _standing(found: Course | None, day: int) -> Standing | None:
    if found is None or day not in found.days:
        return None
    at = found.days.index(day)
    names = {one.team.pk: one.team.name for one in found.lines}
    now = {one.team.pk: one.places[at] for one in found.lines}
    before = {one.team.pk: one.places[at - 1] for one in found.lines} if at else {}
    order = sorted(now, key=lambda team: now[team])
    return Standing(names, now, before, {one.team.pk: one.points[at] for one in found.lines}, tuple(order))


def _sides(one: Match) -> tuple[Side, Side]:
    return one.home, one.away


def _winner_first(one: Match) -> tuple[Side, Side]:
    return (one.home, one.away) if one.home.is_winner else (one.away, one.home)


def _winner(one: Match) -> tuple[str, str]:
    winner, loser = _winner_first(one)
    return winner.name, loser.name


def _gap(one: Match) -> int | None:
    if one.home.score is None or one.away.score is None:
        return None
    return abs(one.home.score - one.away.score)


def _joined(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _count(value: int) -> str:
    return NUMBERS[value].capitalize() if value < len(NUMBERS) else str(value)


def _ordinal(place: int) -> str:
    return ORDINALS[place] if 0 < place < len(ORDINALS) else f"{place}th"


def _turn(name: str) -> str:
    """A mark after a name that is written from the right, so that figures after it keep their order."""
    return "\u200e" if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name) else ""


def _day(at: datetime, zone: ZoneInfo) -> str:
    local = at.astimezone(zone)
    return f"{local:%a} {local.day} {local:%b}"
