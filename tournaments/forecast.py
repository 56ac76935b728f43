"""Forecast of an event with so many entries, before anyone has entered: rounds, tables, byes, time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language, gettext

from engine.compete import fixtures
from engine.compete.pairing import knockout, pods, swiss
from engine.compete.pairing.knockout.bracket import sources
from engine.compete.simulation import simulate
from engine.errors import BadInput
from engine.play.rules import Rules
from gameplay.house_rules.match_length import deals_of
from tournaments import terms
from tournaments.plan import ENDLESS, Plan
from tournaments.round_names import round_name
from web.text import duration, several

PLAYED_THROUGH = 128
"""Entries up to which a Swiss is played through; beyond, where pairing takes long, its tables and byes are counted."""


@dataclass(frozen=True)
class Session:
    """A round: its table sizes in entries, byes, and entries that go through (0: not said)."""

    name: str
    sizes: tuple[int, ...]
    byes: int = 0
    through: int = 0
    is_certain: bool = True
    """Whether it is played in any case; a decider may not be needed."""

    @property
    def tables(self) -> str:
        """Number and size of the tables as text: `9 tables of 6`, `4 tables of 4 to 5`."""
        if not self.sizes:
            return gettext("no table")
        least, most = min(self.sizes), max(self.sizes)
        values = {"tables": several(len(self.sizes), "table"), "least": least, "most": most}
        if least == most:
            return gettext("%(tables)s of %(least)s") % values
        return gettext("%(tables)s of %(least)s to %(most)s") % values


@dataclass(frozen=True)
class Course:
    """Course of one stage. `turns` is the number of rounds one after another, if some are played side by side."""

    title: str
    entries: int
    sessions: tuple[Session, ...]
    turns: int
    at_once: int
    note: str = ""
    length: timedelta | None = None

    @property
    def matches(self) -> int:
        """Total number of tables."""
        return sum(len(session.sizes) for session in self.sessions if session.is_certain)

    @property
    def byes(self) -> int:
        """Total number of byes."""
        return sum(session.byes for session in self.sessions)

    @property
    def words(self) -> str:
        """The stage in a sentence: `4 rounds, 8 tables at once, 32 matches, no bye.`"""
        if not self.sessions:
            return self.note
        rounds = several(sum(session.is_certain for session in self.sessions), "round")
        byes = several(self.byes, "bye") if self.byes else gettext("no bye")
        parts = [
            rounds,
            gettext("%(tables)s at once") % {"tables": several(self.at_once, "table")},
            several(self.matches, "match", "matches"),
            byes,
        ]
        return f"{', '.join(parts)}."

    @property
    def length_words(self) -> str:
        """Duration as text: `about 6 h 40 min`; empty if unknown."""
        return gettext("about %(duration)s") % {"duration": duration(self.length)} if self.length else ""


class Pace(NamedTuple):
    """Factors of the duration: rules of the event’s matches, minutes for a deal, tables (0: enough)."""

    rules: Rules | None
    minutes: int = 25
    tables: int = 0


def forecast(
    plans: Sequence[tuple[str, Plan]], entries: int, pace: Pace, *, has_matchdays: bool = False
) -> tuple[Course, ...]:
    """Courses of the stages, by their names and plans; in a league the rounds are its matchdays.

    Raises `BadInput` with a sentence if one cannot be played.
    """
    courses: list[Course] = []
    count, before = entries, None
    for title, plan in plans:
        if before is not None:
            count = _entries_taken(before, plan, count)
        if count < 2:
            sentence = gettext("%(stage)s would have %(entries)s.")
            raise BadInput(sentence % {"stage": title, "entries": several(count, "entry", "entries")})
        course = _course(plan, count, get_language() or "")
        length = _length(plan, course, pace)
        sessions = _matchdays(course.sessions) if has_matchdays else course.sessions
        courses.append(Course(title, count, sessions, course.turns, course.at_once, course.note, length))
        before = plan
    return tuple(courses)


def _matchdays(sessions: Sequence[Session]) -> tuple[Session, ...]:
    return tuple(replace(each, name=round_name(f"Matchday {number}")) for number, each in enumerate(sessions, 1))


def in_all(courses: Sequence[Course]) -> timedelta | None:
    """Total duration of the stages, or `None` if one has no fixed end."""
    lengths = [course.length for course in courses]
    if not lengths or None in lengths:
        return None
    return sum((length for length in lengths if length), timedelta())


def _entries_taken(before: Plan, plan: Plan, entries: int) -> int:
    """Number of entries that a stage takes from the one before."""
    if plan.take_each and not plan.by_hand:
        return max(plan.take, plan.take_each * before.groups)
    return plan.take or entries


def _length(plan: Plan, course: _Course, pace: Pace) -> timedelta | None:
    if plan.format == "arena":
        return timedelta(minutes=plan.minutes)
    if plan.format in ENDLESS:
        return None
    last_turns = min(course.turns, 1)
    if plan.round_hours and not plan.final_terms.minutes:
        return timedelta(hours=plan.round_hours) * (1 if plan.all_at_once else course.turns)
    sittings = -(-course.at_once // pace.tables) if pace.tables else 1
    usual, last = (_round_length(plan, pace, part) * sittings for part in (terms.ALL, terms.LAST))
    total = usual * (course.turns - last_turns) + last * last_turns
    for name, _ in plan.round_terms:
        if _is_played(plan, name, course.turns):
            total += _round_length(plan, pace, terms.Part(round_name=name)) * sittings - usual
    return total or None


def _is_played(plan: Plan, name: str, turns: int) -> bool:
    """Whether a round before the last is one of so many turns, and takes one of its own."""
    words, _, number = name.rpartition(" ")
    if words in ("Round", "Level"):
        return int(number) < turns
    before_final = {"Semi-finals": 2, "Quarter-finals": 3}.get(name, 0)
    if words == "Round of":
        before_final = int(number).bit_length() - 1
    return plan.format == "single_elimination" and 1 < before_final <= turns


def _round_length(plan: Plan, pace: Pace, part: terms.Part) -> timedelta:
    """Duration of a match, by its own time or by its deals; nothing if unknown."""
    minutes = terms.own_of(plan, part).minutes or plan.round_minutes
    if minutes or plan.round_hours:
        return timedelta(minutes=minutes) if minutes else timedelta(hours=plan.round_hours)
    deals = deals_of(terms.rules_of(plan, pace.rules, part)) if pace.rules else 0
    return timedelta(minutes=pace.minutes * deals)


# By format


class _Course(NamedTuple):
    sessions: tuple[Session, ...]
    turns: int
    at_once: int
    note: str = ""


@lru_cache(maxsize=512)
def _course(plan: Plan, entries: int, language: str) -> _Course:
    """Course of a stage, with texts in the active language, which is `language`."""
    if plan.format in _SIZED:
        sessions = _SIZED[plan.format](plan, entries)
        return _Course(sessions, len(sessions), max(len(session.sizes) for session in sessions))
    if plan.is_bracket:
        return _bracket(plan, entries)
    if plan.format == "groups":
        sessions = _groups(plan, entries)
        return _Course(sessions, len(sessions), max(len(session.sizes) for session in sessions))
    if plan.format == "ladder":
        note = gettext("Players can challenge up to %(places)s above them. The ladder runs until you end it.")
        return _Course((), 0, 0, note % {"places": several(plan.reach, "place")})
    if plan.format == "arena":
        at_once = entries // plan.seats
        note = gettext("Up to %(tables)s of %(seats)s at any time.")
        return _Course((), 0, at_once, note % {"tables": several(at_once, "table"), "seats": plan.seats})
    sessions = _simulated(plan, entries)
    return _Course(sessions, len(sessions), max(len(session.sizes) for session in sessions))


def _simulated(plan: Plan, entries: int) -> tuple[Session, ...]:
    """Rounds of formats in which everyone plays every round, by simulation."""
    if plan.format == "swiss" and entries > PLAYED_THROUGH:
        rounds = plan.rounds or swiss.rounds_for(entries)
        return tuple(
            Session(round_name(f"Round {at}"), (2,) * (entries // 2), entries % 2) for at in range(1, rounds + 1)
        )
    name = "double_round_robin" if plan.format == "round_robin" and plan.legs == 2 else plan.format
    played = simulate(name, entries, rounds=plan.rounds or None)
    return tuple(
        Session(round_name(each.name), tuple(len(table.entries) for table in each.tables), len(each.byes))
        for each in played.rounds
    )


def _mixed(plan: Plan, entries: int) -> tuple[Session, ...]:
    rounds, last = plan.rounds or 3, plan.last_tables
    usual = tuple(pods.sizes(entries, plan.seats, least=plan.least, most=plan.most))
    sizes = [usual] * (rounds - 1) + [tuple(pods.sizes(entries, last.seats, least=last.least, most=last.most))]
    return tuple(Session(round_name(f"Round {number}"), each) for number, each in enumerate(sizes, 1))


def _levels(plan: Plan, entries: int) -> tuple[Session, ...]:
    levels = plan.levels(entries)
    names = [f"Level {number}" for number in range(1, len(levels))] + ["Final"]
    return tuple(
        Session(round_name(name), tuple(level.sizes), through=level.through)
        for name, level in zip(names, levels, strict=True)
    )


_SIZED: dict[str, Callable[[Plan, int], tuple[Session, ...]]] = {
    "swiss_pods": _mixed,
    "social": _mixed,
    "pod_knockout": _levels,
}


def _groups(plan: Plan, entries: int) -> tuple[Session, ...]:
    """The rounds of all groups side by side; a group that is done rests."""
    name = "double_round_robin" if plan.legs == 2 else "round_robin"
    sizes = [len(group) for group in fixtures.groups(entries, plan.groups)]
    played = {size: simulate(name, size).rounds for size in set(sizes)}
    sessions = []
    for number in range(max(len(rounds) for rounds in played.values())):
        now = [played[size][number] for size in sizes if number < len(played[size])]
        tables = tuple(len(table.entries) for each in now for table in each.tables)
        sessions.append(Session(round_name(f"Round {number + 1}"), tables, sum(len(each.byes) for each in now)))
    return tuple(sessions)


def _bracket(plan: Plan, entries: int) -> _Course:
    """Course of a bracket: its rounds in order, turns, and entries that go through."""
    if plan.format == "single_elimination":
        draw = knockout.single(entries, third_place=plan.third_place)
    else:
        draw = knockout.double(entries, reset=plan.reset)
    played = simulate(plan.format, entries)
    through = {step.after: len(step.entries) for step in played.advancement}
    sessions = [
        Session(round_name(each.name), (2,) * len(each.tables), len(each.byes), through.get(each.name, 0))
        for each in played.rounds
    ]
    if plan.third_place:
        sessions.insert(-1, Session(gettext("Third place"), (2,)))
    if plan.format == "double_elimination" and plan.reset:
        decider = gettext("Decider, if the second chance wins the final")
        sessions.append(Session(decider, (2,), is_certain=False))
    turns = _turns(draw, {match.name for match in draw.matches if match.is_conditional})
    by_turn = Counter(turns.values())
    return _Course(tuple(sessions), len(by_turn), max(by_turn.values()))


def _turns(draw: knockout.Bracket, spared: set[str]) -> dict[str, int]:
    """Earliest turn of each match, counted from 1. Matches of the same turn can be played side by side."""
    at: dict[str, int] = {}
    for match in draw.matches:
        if match.name not in spared:
            at[match.name] = max((at.get(name, 0) for name in sources(match)), default=0) + match.is_played
    return {match.name: at[match.name] for match in draw.matches if match.is_played and match.name in at}
