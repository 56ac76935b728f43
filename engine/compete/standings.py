"""Standings: entries in order of points and tie-breaks, each with the value of every tie-break."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from itertools import groupby

from engine.compete import evening
from engine.compete.evening import Scoring
from engine.compete.records import Kind, Round
from engine.compete.tiebreaks import FIDE_2023, NAMES, UNPLAYED_RULES, opponents, own_results
from engine.compete.tiebreaks.by_name import Work
from engine.compete.tiebreaks.column import Column
from engine.compete.tiebreaks.ledger import Ledger, open_ledger
from engine.errors import BadInput

DIRECT_ENCOUNTER = "direct_encounter"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings.

    `rank` is shared by all entries tied in everything. `values` has each tie-break by name, in the order they are
    used, and nothing if there is no value. `places` has the rank by points alone, then after each further tie-break:
    the first place in which two rows differ is the one that decided between them.
    """

    entry: int
    rank: int
    points: Fraction
    values: dict[str, Fraction | None]
    places: tuple[int, ...] = ()
    is_removed: bool = False
    by: str = ""
    """What put it ahead of the next row, if they are tied in everything: a rule or decision of `engine.compete.ties`."""


@dataclass(slots=True)
class _Sorting:
    """Groups of entries that are still tied, best first, and the values found on the way."""

    groups: list[list[int]]
    values: dict[int, dict[str, Fraction | None]]
    places: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def split(self, parts_of: Callable[[list[int]], Iterable[list[int]]]) -> None:
        """Cut every group into its parts, and note the places reached."""
        self.groups = [part for group in self.groups for part in (parts_of(group) if len(group) > 1 else [group])]
        place = 1
        for group in self.groups:
            for entry in group:
                self.places[entry] = (*self.places.get(entry, ()), place)
            place += len(group)


def table(
    rounds: Sequence[Round],
    *,
    tiebreaks: Sequence[str],
    unplayed_rule: str = FIDE_2023,
    entries: Sequence[int] | None = None,
    start: Mapping[int, Fraction] | None = None,
    lots: str = "",
    best_of: int | None = None,
    spread_cap: int | None = None,
    total_rounds: int | None = None,
    removed: Collection[int] = (),
    win: Fraction | None = None,
    draw: Fraction | None = None,
    is_round_robin: bool = False,
    scoring: Scoring = Scoring(),  # noqa: B008  frozen
) -> tuple[Row, ...]:
    """The standings after these rounds; rows that share a rank are in order of entry number.

    `entries` are listed even without a result, with everyone the rounds name. `start` are points outside of rounds: for
    rounds missed by a late entry, or adjustments. `lots` is the seed of a draw by lot, `best_of` how many rounds count
    as the best, `spread_cap` the most card points one match brings to the capped difference. `total_rounds` is the
    length of the whole event: with it, Koya's half and the virtual opponent's draws are of all rounds, not only of
    those so far. `removed` entries (disqualified, withdrawn) come after all others, in their own order; their results
    stay as they were for those who met them. `win` and `draw` are the points of a match won or drawn, read off the
    tables if not given. In a round robin, matches won or lost by forfeit count as played against the opponent named and
    nothing else replaces an opponent (C.07 15). `scoring` says what adds up to the points: match points, card points or
    their average.

    Raises `BadInput` for an unknown tie-break or rule, a tie-break without its setting, and impossible rounds.
    """
    _check(tiebreaks, unplayed_rule, lots, best_of, spread_cap, total_rounds)
    ledger = open_ledger(
        rounds,
        entries=(*(entries or ()), *removed),
        start=start,
        win=win,
        draw=draw,
        total_rounds=total_rounds,
        is_round_robin=is_round_robin,
    )
    by_matches = ledger
    if scoring != Scoring() or any(missed.kind is Kind.SIT_OUT for played in rounds for missed in played.unplayed):
        ledger = evening.score(ledger, rounds, scoring)
        by_matches = by_matches if scoring.is_of_cards else ledger
    out = frozenset(removed)
    sorting = _Sorting(
        groups=[group for group in (_without(ledger, out), sorted(out)) if group],
        values={entry: {} for entry in ledger.lines},
    )
    points = own_results.match_points(ledger)
    sorting.split(partial(_parts, points))
    work = Work(ledger, by_matches, rounds, unplayed_rule, lots=lots, best_of=best_of or 0, spread_cap=spread_cap)
    for name in tiebreaks:
        if name == DIRECT_ENCOUNTER:
            _split_by_encounters(sorting, ledger)
            continue
        column = work.column(name)
        for entry, values in sorting.values.items():
            values[name] = column.value(entry)
        sorting.split(partial(_parts, column))
    return tuple(
        Row(
            entry=entry,
            rank=sorting.places[entry][-1],
            points=Fraction(ledger.points[entry], ledger.scale),
            values=sorting.values[entry],
            places=sorting.places[entry],
            is_removed=entry in out,
        )
        for group in sorting.groups
        for entry in group
    )


def _check(
    tiebreaks: Sequence[str],
    unplayed_rule: str,
    lots: str,
    best_of: int | None,
    spread_cap: int | None,
    total_rounds: int | None,
) -> None:
    """Refuse what cannot be worked out."""
    for name in tiebreaks:
        if name not in NAMES:
            raise BadInput(f"There is no tie-break “{name}”. There are: {', '.join(NAMES)}.")
        if name != DIRECT_ENCOUNTER and tiebreaks.count(name) > 1:
            raise BadInput(f"The tie-break “{name}” is there twice.")
    if unplayed_rule not in UNPLAYED_RULES:
        raise BadInput(
            f"There is no rule “{unplayed_rule}” for unplayed rounds. There are: {', '.join(UNPLAYED_RULES)}."
        )
    if "lots" in tiebreaks and not lots:
        raise BadInput("A draw by lot needs a seed.")
    if "best_rounds" in tiebreaks and best_of is None:
        raise BadInput("The best rounds need a number of rounds.")
    if "capped_spread" in tiebreaks and spread_cap is None:
        raise BadInput("The capped difference needs a cap.")
    for value, label in ((best_of, "The number of best rounds"), (spread_cap, "The cap"), (total_rounds, "The length")):
        if value is not None and value < 1:
            raise BadInput(f"{label} must be at least 1, not {value}.")


def _without(ledger: Ledger, out: Collection[int]) -> list[int]:
    """Everyone but those, in order of number."""
    return [entry for entry in ledger.lines if entry not in out]


def _parts(column: Column, group: list[int]) -> Iterable[list[int]]:
    """A group in smaller ones by this value, the best first, each in order of number."""
    ordered = sorted(group, key=lambda entry: (column.key(entry), entry))
    return [list(part) for _, part in groupby(ordered, key=column.key)]


def _split_by_encounters(sorting: _Sorting, ledger: Ledger) -> None:
    """Split every group by the matches within it; an entry tied with nobody has no value."""
    for entry in sorting.values:
        sorting.values[entry].setdefault(DIRECT_ENCOUNTER, None)

    def parts_of(group: list[int]) -> list[list[int]]:
        points, parts = opponents.direct_encounter(ledger, group)
        for entry, value in points.items():
            sorting.values[entry][DIRECT_ENCOUNTER] = value
        return parts

    sorting.split(parts_of)
