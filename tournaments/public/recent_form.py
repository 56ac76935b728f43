"""Results so far of each entry of a stage: matches won, drawn and lost, and the recent form."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from engine.compete import explain
from tournaments.plan import DUPLICATE, Plan
from tournaments.stage_state import StageState, TableState
from web.text import ordinal


@dataclass(frozen=True)
class Letter:
    """A match of the form: `W`, `D`, `L`, or the place at a bigger table."""

    sign: str
    kind: str
    """`w`, `d` or `l`."""
    words: str

    @property
    def text(self) -> str:
        """The sign for the reader."""
        return sign_words(self.sign)


def sign_words(sign: str) -> str:
    """`W`, `D` or `L` in the reader’s language; other signs stay as they are."""
    if sign == "W":
        return pgettext("won, one letter", "W")
    if sign == "D":
        return pgettext("drawn, one letter", "D")
    return pgettext("lost, one letter", "L") if sign == "L" else sign


class Tally:
    """The results of an entry so far."""

    def __init__(self) -> None:
        self.played = self.won = self.drawn = self.lost = 0
        self.form: list[Letter] = []

    def add(self, letter: Letter) -> None:
        self.played += 1
        self.won += letter.sign == "W"
        self.drawn += letter.sign == "D"
        self.lost += letter.sign == "L"
        self.form.append(letter)


def _won() -> Letter:
    return Letter("W", "w", gettext("won"))


def _drawn() -> Letter:
    return Letter("D", "d", gettext("drew"))


def _lost() -> Letter:
    return Letter("L", "l", gettext("lost"))


def tallies(state: StageState) -> Mapping[int, Tally]:
    """The results of each entry so far, by position, in the order of the rounds."""
    result: dict[int, Tally] = defaultdict(Tally)
    for round_ in state.rounds:
        for table in round_.tables:
            if table.is_decided and len(table.known) > 1:
                for at, letter in _letters(state.plan, table):
                    result[at].add(letter)
    return result


def _letters(plan: Plan, table: TableState) -> Iterable[tuple[int, Letter]]:
    """The outcome of a decided table for each of its entries."""
    ranks = {place.side: place.rank for place in table.places}
    for at, place in zip(table.entries, table.places, strict=True):
        if at is None:
            continue
        if plan.format in DUPLICATE:
            points = explain.value(place.points or 0)
            yield at, Letter(points, "l", gettext("%(points)s points") % {"points": points})
        elif len(ranks) > 2:
            yield at, _placed(place.rank or len(ranks))
        elif place.rank == 1:
            yield at, _won() if list(ranks.values()).count(1) == 1 else _drawn()
        else:
            yield at, _lost()


def _placed(rank: int) -> Letter:
    """A place at a table of three to seven."""
    return Letter(str(rank), "w" if rank == 1 else "l", ordinal(rank))
