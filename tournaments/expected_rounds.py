"""Rounds and tables that a stage should have, worked out from its decisions; the rows follow them.

Every function is pure: the same stage gives the same draw. Whether something has started does not matter here:
`tournaments.services.stages.progress` compares these rounds with the existing ones.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext

from engine.compete import fixtures, standings
from engine.compete.movements import howell, mitchell, social, whist
from engine.compete.pairing import knockout, knockout_pods, pods, swiss
from engine.compete.pairing.players import Player, after
from engine.compete.records import CannotPair, Drawn, Kind
from tournaments import fixture_lists, level_cuts
from tournaments.plan import DUPLICATE, KNOWN_BEFOREHAND
from tournaments.round_names import stored_number
from tournaments.stage_state import RoundState, StageState, TableState


@dataclass(frozen=True)
class ExpectedTable:
    """An expected table: entries by seat (positions; `None` if not known yet), and their sources."""

    name: str
    number: int
    entries: tuple[int | None, ...]
    sources: tuple[str, ...] = ()
    sides: tuple[int, ...] = ()
    boards: tuple[int, ...] = ()
    group: int = 0
    is_idle: bool = False
    """Nobody plays here: a bye, or a decider that is not needed."""


@dataclass(frozen=True)
class ExpectedRound:
    """An expected round with its byes: entry, kind and points."""

    number: int
    name: str
    tables: tuple[ExpectedTable, ...]
    sit_outs: tuple[tuple[int, Kind, Fraction], ...] = ()
    drawn_from: str = ""


def first_rounds(state: StageState) -> tuple[ExpectedRound, ...]:
    """The rounds that are known when a stage starts. Raises `CannotPair`."""
    plan = state.plan
    if plan.is_bracket:
        return bracket_rounds(state)
    if plan.format in KNOWN_BEFOREHAND:
        return _scheduled(state)
    if plan.format in ("ladder", "arena"):
        return (ExpectedRound(1, plan.title, ()),)
    return (next_round(state, 1),)


def round_count(state: StageState) -> int | None:
    """Number of rounds of the stage, or `None` if it is open."""
    plan, entries = state.plan, len(state.entries)
    if plan.format == "swiss":
        return plan.rounds or swiss.rounds_for(entries)
    if plan.format == "swiss_pods":
        return plan.rounds or 3
    if plan.format == "pod_knockout":
        return len(level_cuts.levels(state))
    if plan.format in ("ladder", "arena"):
        return None
    return len(state.rounds) or None


# Drawn round by round


def next_round(state: StageState, number: int) -> ExpectedRound:
    """A round of a format whose draw depends on the rounds before. Raises `CannotPair`."""
    by_format: dict[str, Callable[[StageState, int], ExpectedRound]] = {
        "swiss": _swiss,
        "swiss_pods": _pods,
        "pod_knockout": _level,
    }
    return by_format[state.plan.format](state, number)


def digest(state: StageState, number: int) -> str:
    """A digest of everything that the draw of a round depends on."""
    parts: list[object] = [number, state.lots, state.plan.write(), sorted(sorted(pair) for pair in state.apart)]
    for at, each in state.entries.items():
        parts.append(
            (at, each.first_round, each.last_round is None or number <= each.last_round, each.byes.get(str(number)))
        )
    parts.append(sorted(state.start.items()))
    parts += [answer["groups"] for answer in state.stage.ties_json if answer["cut"] < number]
    for before in state.played(number):
        parts += [(table.entries, table.points, table.scores) for table in before.tables]
        parts += [(out.entry, out.points, out.kind.value) for out in before.unplayed]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _swiss(state: StageState, number: int) -> ExpectedRound:
    players, on_request = _players(state, number)
    drawn = swiss.pair(players, apart=state.apart, lots=f"{state.lots}:{number}")
    return _round(state, number, drawn, on_request)


def _pods(state: StageState, number: int) -> ExpectedRound:
    players, on_request = _players(state, number)
    tables = state.plan.last_tables if number == state.plan.rounds else state.plan
    sizes = pods.sizes(len(players), tables.seats, least=tables.least, most=tables.most)
    drawn = pods.pair(players, sizes, apart=state.apart, lots=f"{state.lots}:{number}")
    return _round(state, number, drawn, on_request)


def _players(state: StageState, number: int) -> tuple[tuple[Player, ...], dict[int, Kind]]:
    """Entries to pair, in seed order, and byes on request."""
    active = state.active(number)
    on_request = {
        at: Kind(state.entries[at].byes[str(number)]) for at in active if str(number) in state.entries[at].byes
    }
    entries = [at for at in active if at not in on_request]
    if len(entries) < 2:
        raise CannotPair(gettext("Fewer than two entries are left to be paired."))
    return _by_standings(state, number, after(state.played(number), entries, start=state.start)), on_request


def _by_standings(state: StageState, number: int, players: tuple[Player, ...]) -> tuple[Player, ...]:
    """The players with the points of the standings before a round; where card points count, with their places.

    Card points hardly ever are equal, so that neighbours in the standings meet.
    """
    plan = state.plan
    if plan.has_plain_byes:
        return players
    rows = standings.table(
        state.played(number), tiebreaks=(), entries=list(state.entries), start=state.start, scoring=plan.evening
    )
    points = {row.entry: Fraction(-row.rank) if plan.counts_cards else row.points for row in rows}
    return tuple(replace(player, points=points[player.entry]) for player in players)


def _round(state: StageState, number: int, drawn: Drawn, on_request: dict[int, Kind]) -> ExpectedRound:
    out = [(at, kind, sit_out_points(state, kind)) for at, kind in sorted(on_request.items())]
    out += [(at, *_without_seat(state)) for at in drawn.byes]
    tables = [
        ExpectedTable(f"R{number}.{at}", at, entries, sides=tuple(range(len(entries))))
        for at, entries in enumerate(drawn.tables, 1)
    ]
    return ExpectedRound(
        number, stored_number(state.stage.tournament, number), tuple(tables), tuple(out), digest(state, number)
    )


def _without_seat(state: StageState) -> tuple[Kind, Fraction]:
    """Kind and points of a bye that nobody asked for."""
    if not state.plan.has_plain_byes:
        return Kind.SIT_OUT, Fraction(0)
    points = sit_out_points(state, Kind.BYE)
    return Kind.BYE if points else Kind.ZERO_BYE, points


def sit_out_points(state: StageState, kind: Kind) -> Fraction:
    """Points of a bye."""
    if kind not in (Kind.BYE, Kind.HALF_BYE):
        return Fraction(0)
    return state.plan.worth(kind.value, others=len(state.entries) // 2 - 1)


# Knockout in pods


def _level(state: StageState, number: int) -> ExpectedRound:
    level = level_cuts.levels(state, number)[number - 1]
    order, apart = level_cuts.survivors(state, number), set(state.apart)
    if number > 1:
        apart |= {
            frozenset((a, b))
            for table in level_cuts.tables_of(state, number - 1)
            for a in table.known
            for b in table.known
            if a != b
        }
    sizes = level.sizes
    if len(order) != sum(sizes):  # someone left in between
        sizes = pods.sizes(len(order), state.plan.seats, least=state.plan.least, most=state.plan.most)
    drawn = knockout_pods.draw(order, sizes, apart=apart)
    round_ = _round(state, number, drawn, {})
    return replace(round_, name=_level_name(number, len(drawn.tables)))


def stored_name(state: StageState, number: int) -> str:
    """The name of a round as it is stored, also before the round is drawn: `Round 2`, `Level 2`, `Final`."""
    have = state.round(number)
    if have is not None:
        return have.row.name
    if state.plan.format != "pod_knockout":
        return stored_number(state.stage.tournament, number)
    before = state.round(number - 1)
    try:
        planned = level_cuts.levels(state, number if before is not None and before.is_complete else 0)
    except CannotPair:  # a tie decides how many go through
        planned = level_cuts.levels(state)
    return _level_name(number, len(planned[number - 1].sizes))


def _level_name(number: int, tables: int) -> str:
    return "Final" if tables == 1 else f"Level {number}"


# Known beforehand


def _scheduled(state: StageState) -> tuple[ExpectedRound, ...]:
    if state.plan.format == "groups":
        return _groups(state)
    order = state.active(1)
    if len(order) < 2:
        raise CannotPair(gettext("At least two entries are needed."))
    if state.plan.fixtures:
        everyone = sorted(state.entries)
        rounds = fixture_lists.drawn(state.plan.fixtures, len(everyone))
        gone = frozenset(place for place, at in enumerate(everyone, 1) if at not in order)
        rounds, order = tuple(fixture_lists.without(each, gone) for each in rounds), everyone
    else:
        rounds = _schedule(state, len(order))
    sides = (0, 1, 0, 1) if state.plan.has_partners else None
    return tuple(_fixed_round(state, number, [(drawn, order, 0)], sides) for number, drawn in enumerate(rounds, 1))


def _schedule(state: StageState, entries: int) -> tuple[Drawn, ...]:
    plan = state.plan
    rounds = plan.rounds or None
    if plan.format == "round_robin":
        return fixtures.round_robin(entries, double=plan.legs == 2)
    if plan.format == "rotating_partners":
        return whist.rotating_partners(entries, rounds=rounds, lots=state.lots)
    if plan.format == "howell":
        return howell.howell(entries, rounds=rounds)
    if plan.format == "mitchell":
        return mitchell.mitchell(entries, rounds=rounds)
    sizes = pods.sizes(entries, plan.seats, least=plan.least, most=plan.most)
    last = plan.last_tables
    last_sizes = pods.sizes(entries, last.seats, least=last.least, most=last.most)
    return social.schedule(entries, plan.seats, rounds or 3, lots=state.lots, sizes=sizes, last_sizes=last_sizes)


def _groups(state: StageState) -> tuple[ExpectedRound, ...]:
    groups = [(number, state.group(number)) for number in range(1, state.plan.groups + 1)]
    if any(len(members) < 2 for _, members in groups):
        raise CannotPair(gettext("Every group needs at least two entries."))
    schedules = [fixtures.round_robin(len(members), double=state.plan.legs == 2) for _, members in groups]
    count = max(len(schedule) for schedule in schedules)
    rounds = []
    for index in range(count):
        parts = [
            (schedule[index], members, number)
            for (number, members), schedule in zip(groups, schedules, strict=True)
            if index < len(schedule)
        ]
        rounds.append(_fixed_round(state, index + 1, parts, None))
    return tuple(rounds)


def _fixed_round(
    state: StageState, number: int, parts: Sequence[tuple[Drawn, Sequence[int], int]], sides: tuple[int, ...] | None
) -> ExpectedRound:
    """A round from schedules with entries numbered from 1; several schedules if there are groups."""
    tables: list[ExpectedTable] = []
    out: list[tuple[int, Kind, Fraction]] = []
    for drawn, order, group in parts:
        for index, seats in enumerate(drawn.tables):
            at = len(tables) + 1
            entries = tuple(order[seat - 1] for seat in seats)
            boards = tuple(drawn.boards[index : index + 1])
            tables.append(
                ExpectedTable(
                    f"R{number}.{at}",
                    at,
                    entries,
                    sides=sides or tuple(range(len(entries))),
                    boards=_flat(boards),
                    group=group,
                )
            )
        # If everyone has the same number of byes, a bye is worth nothing.
        is_fair = state.plan.format in ("round_robin", "groups", *DUPLICATE)
        kind, points = (Kind.ZERO_BYE, Fraction(0)) if is_fair else _without_seat(state)
        out += [(order[seat - 1], kind, points) for seat in drawn.byes]
    return ExpectedRound(number, stored_number(state.stage.tournament, number), tuple(tables), tuple(out))


def _flat(boards: Iterable[Iterable[int]]) -> tuple[int, ...]:
    return tuple(board for each in boards for board in each)


# Brackets


def bracket(state: StageState) -> knockout.Bracket:
    """The bracket of the stage's entries."""
    plan, entries = state.plan, len(state.entries)
    if plan.format == "single_elimination":
        return knockout.single(entries, third_place=plan.third_place)
    return knockout.double(entries, reset=plan.reset)


def bracket_rounds(state: StageState) -> tuple[ExpectedRound, ...]:
    """Every round of a bracket with its known entries."""
    draw = bracket(state)
    resolved = resolve(state, draw)
    names = list(dict.fromkeys(match.round for match in draw.matches))
    rounds = []
    for number, name in enumerate(names, 1):
        tables = []
        for at, match in enumerate([each for each in draw.matches if each.round == name], 1):
            now = resolved[match.name]
            sources = tuple(_source(slot) for slot in match.slots)
            is_idle = now.state in ("bye", "void", "unneeded")
            tables.append(ExpectedTable(match.name, at, now.entries, sources, (0, 1), is_idle=is_idle))
        title = knockout.english_round_title(draw, name)
        rounds.append(ExpectedRound(number, title, tuple(tables)))
    return tuple(rounds)


def resolve(state: StageState, draw: knockout.Bracket) -> dict[str, knockout.Resolved]:
    """The bracket by the confirmed results; entries that left lose every remaining match."""
    decided = {
        table.row.name: outcome_of(table)
        for round_ in state.rounds
        for table in round_.tables
        if table.row.result_id is not None and not table.row.is_walkover and len(table.places) == 2
    }
    numbers = {name: number for number, name in enumerate(dict.fromkeys(match.round for match in draw.matches), 1)}
    begun = {table.row.name for round_ in state.rounds for table in round_.tables if table.has_begun}
    while True:
        resolved = knockout.resolve(draw, decided)
        absent = {}
        for match in draw.matches:
            now = resolved[match.name]
            if now.state == "ready" and match.name not in begun:
                still = [at for at in now.entries if at in state.active(numbers[match.round])]
                if len(still) < 2:
                    absent[match.name] = knockout.Outcome(now.entries, still[0] if still else None)
        if not absent:
            return resolved
        decided |= absent


def outcome_of(table: TableState) -> knockout.Outcome:
    """Outcome of a match of two with a confirmed result."""
    first = [at for at, place in zip(table.entries, table.places, strict=True) if place.rank == 1]
    return knockout.Outcome((table.entries[0], table.entries[1]), first[0] if len(first) == 1 else None)


def _source(slot: knockout.Slot) -> str:
    if isinstance(slot, knockout.Winner):
        return f"winner {slot.match}"
    if isinstance(slot, knockout.Loser):
        return f"loser {slot.match}"
    if isinstance(slot, knockout.Seed):
        return f"seed {slot.number}"
    return "nobody"


def entries_gone(state: StageState, round_: RoundState, table: TableState) -> list[int]:
    """Entries of a table that take no part in its round any more."""
    active = set(state.active(round_.row.number))
    return [at for at in table.known if at not in active]
