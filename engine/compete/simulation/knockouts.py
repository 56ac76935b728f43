"""Formats with elimination: brackets, groups before a bracket, and knockout at tables of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby, zip_longest

from engine.compete import fixtures
from engine.compete.groups import cross_seed
from engine.compete.pairing import knockout, knockout_pods
from engine.compete.pairing.knockout import Bracket, Outcome, Resolved
from engine.compete.records import CannotPair, Drawn, Kind, Played, Round
from engine.compete.simulation.meetings import round_name
from engine.compete.simulation.results import WIN, Request
from engine.compete.simulation.schedule import Advance, Course, Seated, Session, by_groups, by_points
from engine.compete.standings import table


def single_elimination(request: Request) -> Course:
    "Lose once and you are out."
    return _course(request, knockout.single(request.entries))


def double_elimination(request: Request) -> Course:
    """Entries that lose twice are out."""
    return _course(request, knockout.double(request.entries))


def groups_knockout(request: Request) -> Course:
    """Round robins in groups, then single elimination of the top of each."""
    seats, advance = request.seats or 4, request.advance or 2
    count = -(-request.entries // seats)
    if count < 2:
        raise CannotPair(f"{request.entries} entries make one group of up to {seats}; a knockout needs two groups.")
    if advance * count >= request.entries:
        raise CannotPair(f"If the top {advance} of {count} groups go on, nobody of {request.entries} goes out.")
    groups = fixtures.groups(request.entries, count)
    sessions, rounds = _group_rounds(request, groups)
    points = {row.entry: row.points for row in by_points(rounds, request.entries)}
    finished = [_finishing_order(rounds, group) for group in groups]
    extra = _best_others(advance * count, count, request.entries)
    share = {entry: points[entry] / (len(group) - 1) for group in groups for entry in group}
    order = cross_seed(finished, advance, advance * count + extra, best=lambda entry: (-share[entry], entry))
    course = _course(request, knockout.single(len(order)), order)
    out = _levels_out(finished, set(order))
    through = [[row.entry for row in rows] for _, rows in groupby(course.standings, key=lambda row: row.rank)]
    for row in course.standings:
        points[row.entry] += row.points
    return Course(
        (*sessions, *course.rounds),
        by_groups([*through, *out], points),
        (Advance(sessions[-1].name, order), *course.advancement),
        {"seats": seats, "groups": count, "advance": advance, **({"others": extra} if extra else {})},
    )


def _best_others(certain: int, groups: int, entries: int) -> int:
    """Number of the best others that fill the bracket: all free places, if that is at most one a group."""
    size = 1 << (certain - 1).bit_length()
    return size - certain if size - certain <= groups and size < entries else 0


def _levels_out(finished: Sequence[Sequence[int]], through: set[int]) -> list[list[int]]:
    """Entries that do not go through from groups or tables, those of one place together, the best first."""
    levels = [[entry for entry in level if entry and entry not in through] for level in zip_longest(*finished)]
    return [level for level in levels if level]


def _group_rounds(request: Request, groups: Sequence[Sequence[int]]) -> tuple[list[Session], list[Round]]:
    """The groups' rounds, played side by side; a group that is done rests."""
    sessions: list[Session] = []
    rounds: list[Round] = []
    schedules = [[_renumbered(drawn, group) for drawn in fixtures.round_robin(len(group))] for group in groups]
    for number in range(1, max(map(len, schedules)) + 1):
        name = f"Group round {number}"
        drawn = [schedule[number - 1] if number <= len(schedule) else Drawn(()) for schedule in schedules]
        seated = [
            Seated(entries, label=f"Group {_letters(group)}")
            for group, each in enumerate(drawn)
            for entries in each.tables
        ]
        all_groups = Drawn(
            tuple(each.entries for each in seated), tuple(sorted(entry for each in drawn for entry in each.byes))
        )
        sessions.append(Session(name, tuple(seated), all_groups.byes))
        rounds.append(request.round(all_groups, name, bye=Kind.ZERO_BYE))
    return sessions, rounds


def _finishing_order(rounds: Sequence[Round], group: Sequence[int]) -> list[int]:
    """The entries of a group, the best first."""
    members = set(group)
    group_rounds = [
        Round(
            tuple(played for played in each.tables if members.issuperset(played.entries)),
            tuple(missed for missed in each.unplayed if missed.entry in members),
        )
        for each in rounds
    ]
    return [row.entry for row in table(group_rounds, tiebreaks=("direct_encounter", "sonneborn_berger"), entries=group)]


def _renumbered(drawn: Drawn, group: Sequence[int]) -> Drawn:
    """A round of entries 1, 2, … as one of this group's."""
    tables = tuple(tuple(group[number - 1] for number in table) for table in drawn.tables)
    return Drawn(tables, tuple(group[number - 1] for number in drawn.byes))


def _letters(number: int) -> str:
    """A, B, … Z, then AA, AB, …"""
    return (_letters(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def _course(request: Request, bracket: Bracket, order: Sequence[int] = ()) -> Course:
    """A bracket played to its end; `order` has the entries by seed, where they are not their own seeds."""
    order = order or range(1, bracket.entries + 1)
    resolved = _play(request, bracket, order)
    sessions: list[Session] = []
    advancement: list[Advance] = []
    wins: Counter[int] = Counter()
    for name in bracket.rounds:
        matches = {match.name: resolved[match.name] for match in bracket.matches if match.round == name}
        tables = tuple(
            Seated((order[first - 1], order[second - 1]), match)
            for match, stands in matches.items()
            if stands.state == "done"
            for first, second in [_both(stands)]
        )
        byes = [order[stands.winner - 1] for stands in matches.values() if stands.state == "bye" and stands.winner]
        if not tables:  # a round of byes only is none for anyone
            continue
        title = knockout.round_title(bracket, name)
        sessions.append(Session(title, tables, tuple(sorted(byes))))
        onward = tuple(order[stands.winner - 1] for stands in matches.values() if stands.winner)
        wins.update(order[stands.winner - 1] for stands in matches.values() if stands.winner and stands.state == "done")
        if bracket.kind == "single":
            advancement.append(Advance(title, onward))
    groups = [[order[seed - 1] for seed in group] for group in knockout.places(bracket, resolved)]
    points = {entry: Fraction(WIN * count) for entry, count in wins.items()}
    return Course(tuple(sessions), by_groups(groups, points), tuple(advancement))


def _play(request: Request, bracket: Bracket, order: Sequence[int]) -> dict[str, Resolved]:
    decided: dict[str, Outcome] = {}
    while True:
        resolved = knockout.resolve(bracket, decided)
        ready = {name: _both(stands) for name, stands in resolved.items() if stands.state == "ready"}
        if not ready:
            return resolved
        for name, pair in ready.items():
            by_entry = {order[seed - 1]: seed for seed in pair}
            decided[name] = Outcome(pair, by_entry[request.winner(by_entry, name)])


def _both(stands: Resolved) -> tuple[int, int]:
    """The entries of a match that has two."""
    first, second = stands.entries
    return first or 0, second or 0


def pod_knockout(request: Request) -> Course:
    """At tables of several, the top of each table go through."""
    seats, advance = request.seats or 4, request.advance or 2
    levels = knockout_pods.levels(request.entries, seats, advance)
    order: Sequence[int] = range(1, request.entries + 1)
    apart: set[frozenset[int]] = set()
    sessions: list[Session] = []
    advancement: list[Advance] = []
    points: dict[int, Fraction] = dict.fromkeys(order, Fraction(0))
    groups: list[list[int]] = []
    for number, level in enumerate(levels, start=1):
        name = "Final" if number == len(levels) else round_name(number)
        drawn = knockout_pods.draw(order, level.sizes, apart=apart)
        tables = [request.table(entries, f"{name}/{place}") for place, entries in enumerate(drawn.tables)]
        order = knockout_pods.advancing_entries(tables, level, int)
        apart = {frozenset(entries) for entries in drawn.tables}
        sessions.append(Session(name, tuple(Seated(entries) for entries in drawn.tables)))
        advancement.append(Advance(name, order))
        for played in tables:
            points |= {entry: points[entry] + won for entry, won in zip(played.entries, played.points, strict=True)}
        groups = [*_out(tables, set(order)), *groups]
    standings = by_groups([list(order), *groups], points)
    return Course(tuple(sessions), standings, tuple(advancement), {"seats": seats, "advance": advance})


def _out(tables: Sequence[Played], through: set[int]) -> list[list[int]]:
    """Entries that go out at a level, those of one place at their tables together."""
    by_place = [
        [entry for _, entry in sorted(zip(played.points, played.entries, strict=True), reverse=True)]
        for played in tables
    ]
    return _levels_out(by_place, through)
