"""What each entry of a stage has done: matches won, drawn and lost, and how the last ones went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.compete import explain
from tournaments.load import StageState, TableState
from tournaments.plan import DUPLICATE, Plan


@dataclass(frozen=True)
class Letter:
    """One match of the form: `W`, `D`, `L`, or the place at a bigger table."""

    sign: str
    kind: str
    """`w`, `d` or `l`."""
    words: str


class Tally:
    """What an entry has done so far."""

    def __init__(self) -> None:
        self.played = self.won = self.drawn = self.lost = 0
        self.form: list[Letter] = []

    def add(self, letter: Letter) -> None:
        self.played += 1
        self.won += letter.sign == "W"
        self.drawn += letter.sign == "D"
        self.lost += letter.sign == "L"
        self.form.append(letter)


_WON, _DRAWN, _LOST = Letter("W", "w", "won"), Letter("D", "d", "drew"), Letter("L", "l", "lost")


def tallies(state: StageState) -> Mapping[int, Tally]:
    """What each entry has done, by position, in the order of the rounds."""
    found: dict[int, Tally] = defaultdict(Tally)
    for one in state.rounds:
        for table in one.tables:
            if table.is_decided and len(table.known) > 1:
                for at, letter in _letters(state.plan, table):
                    found[at].add(letter)
    return found


def _letters(plan: Plan, table: TableState) -> Iterable[tuple[int, Letter]]:
    """What a decided table was for each of its entries."""
    ranks = {place.side: place.rank for place in table.places}
    for at, place in zip(table.entries, table.places, strict=True):
        if at is None:
            continue
        if plan.format in DUPLICATE:
            yield at, Letter(explain.value(place.points or 0), "l", f"{explain.value(place.points or 0)} points")
        elif len(ranks) > 2:
            yield at, _placed(place.rank or len(ranks))
        elif place.rank == 1:
            yield at, _WON if list(ranks.values()).count(1) == 1 else _DRAWN
        else:
            yield at, _LOST


def _placed(rank: int) -> Letter:
    """A place at a table of three to seven."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(rank, "th")
    return Letter(str(rank), "w" if rank == 1 else "l", f"{rank}{ending}")
