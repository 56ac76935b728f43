"""Parts of a competition: entries by number, tables, rounds and results.

An *entry* competes (a person, a pair or a team) and is known by a number from 1, its seed. A *table* seats two or
more entries. Points are match points and exact: `Fraction`, never a float.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from engine.errors import BadInput


class CannotPair(BadInput):
    """There is no such draw; the message is a sentence for the organiser that says why."""


class Kind(StrEnum):
    """Why an entry did not play a round."""

    BYE = "bye"
    HALF_BYE = "half_bye"
    ZERO_BYE = "zero_bye"
    FORFEIT_WIN = "forfeit_win"
    FORFEIT_LOSS = "forfeit_loss"
    WITHDRAWN = "withdrawn"
    SIT_OUT = "sit_out"
    """No seat was left for it; the scoring of the evening says what that is worth."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A drawn round: the entries of each table by seat, and the byes.

    If partners rotate, a table is four people and the seats opposite one another (0 and 2, 1 and 3) are partners.
    `boards` names, table by table, the shared deals it plays, if the format has them.
    """

    tables: tuple[tuple[int, ...], ...]
    byes: tuple[int, ...] = ()
    boards: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Played:
    """A table whose result is in.

    `points` are match points and `scores` card points (or nothing), both by entry as in `entries`. `sides` says which
    side each entry played on where entries shared a side (partners of one evening); without it each is a side alone.
    `books` and `outs` count the books each entry made and how often it went out, where they were kept. `deals` is the
    number of deals that the card points are for.
    """

    entries: tuple[int, ...]
    points: tuple[Fraction, ...]
    scores: tuple[int, ...] = ()
    sides: tuple[int, ...] = ()
    books: tuple[int, ...] = ()
    outs: tuple[int, ...] = ()
    name: str = ""
    deals: int = 1


@dataclass(frozen=True, slots=True)
class Unplayed:
    """A round that an entry did not play, its points for it, and its scheduled opponent, if any."""

    entry: int
    points: Fraction
    kind: Kind
    opponent: int | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A round whose results are in, or some of them.

    `awaited` are entries at a table without a result yet; an entry that the round does not name was absent.
    """

    tables: tuple[Played, ...] = ()
    unplayed: tuple[Unplayed, ...] = ()
    name: str = ""
    awaited: tuple[int, ...] = ()
