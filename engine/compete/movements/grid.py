"""Rounds by construction in which nobody meets twice, or as few as possible do.

The entries are in columns of as many as there are tables, one of each column to a table. From round to round each
column turns by an amount of its own, and any two columns by amounts whose differences are all different: so nobody
meets the same one of another column twice. If the number of tables is a power of a prime, a finite field has such
amounts for as many rounds as there are tables (products of the round's and the column's number); else they are searched
for among remainders.

With more seats at a table than tables, columns in excess turn like others, and their members stay together. With s =
qT + r seats at T tables, a table of any later round has T earlier tables to draw from, so that at least T·(r·C(q+1,
2) + (T−r)·C(q, 2)) pairs meet again in it; here it is exactly so many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import islice

from engine.compete.movements.field import field

Tables = list[list[int]]

MOST_TURNS = 12
"""Of as many rounds at most amounts are searched for."""

TRIES = 20_000
"""So many amounts are tried at most."""

_SIX = (
    (0, 2, 1, 4, 5, 3),
    (2, 1, 3, 5, 0, 4),
    (4, 5, 2, 0, 3, 1),
    (1, 4, 5, 3, 2, 0),
    (5, 3, 0, 1, 4, 2),
    (3, 0, 4, 2, 1, 5),
)
"""A Latin square whose diagonal has all six: from a player's tables in the first two rounds, at six tables of six or
seven, the table of the third. There is no fourth round like it, because six has no two orthogonal Latin squares."""

_KIRKMAN = ((14, 0, 7), (1, 2, 4), (3, 8, 12), (5, 11, 13), (6, 9, 10))
"""The first of seven rounds in which fifteen, by three, all meet (T. P. Kirkman's problem of 1850). In the others
numbers below seven, and those from seven to thirteen, have each moved on in their circle."""


def grid_rounds(entries: int, tables: int, rounds: int) -> list[Tables]:
    """So many rounds at most, each the entries (from 0) of every table. Tables differ by one in size at most."""
    if (entries, tables) == (15, 5):
        return list(islice(_by_threes(), rounds))
    seats = -(-entries // tables)
    is_full = entries == tables * seats
    full_rounds = islice(_full_rounds(tables, seats, has_columns=is_full), rounds)
    return [[[at for at in table if at < entries] for table in each] for each in full_rounds]


def _by_threes() -> Iterator[Tables]:
    for step in range(7):
        yield [[at if at == 14 else at // 7 * 7 + (at + step) % 7 for at in table] for table in _KIRKMAN]


def _full_rounds(tables: int, seats: int, *, has_columns: bool = True) -> Iterator[Tables]:
    """For `seats` whole columns; entry x of column c is number c·tables + x."""
    turns, plus = _turns(tables, min(seats, tables))
    for turn in turns:
        yield _turned(tables, seats, turn, plus)
    if tables == 6 and seats >= 6:
        yield _seated(tables, seats, lambda column, x: _SIX[x][(x + column) % 6])
    elif has_columns:
        yield from _within_columns(tables, seats)


def _turned(tables: int, seats: int, turn: Sequence[int], plus: Callable[[int, int], int]) -> Tables:
    return _seated(tables, seats, lambda column, x: plus(x, turn[column % tables]))


def _seated(tables: int, seats: int, table_of: Callable[[int, int], int]) -> Tables:
    seated: Tables = [[] for _ in range(tables)]
    for column in range(seats):
        for x in range(tables):
            seated[table_of(column, x)].append(column * tables + x)
    return seated


def _within_columns(tables: int, seats: int) -> Iterator[Tables]:
    """Rounds in which columns are among themselves, where they make whole tables: so far they have not met."""
    if seats % tables == 0:
        yield _seated(tables, seats, lambda column, x: column % tables)
    elif tables % seats == 0:
        among = tables // seats
        for part in islice(_full_rounds(among, seats), None if seats <= among else 1):
            yield [[column * tables + x for x in table] for column in range(seats) for table in part]


@cache
def _turns(tables: int, columns: int) -> tuple[tuple[tuple[int, ...], ...], Callable[[int, int], int]]:
    """By round and column, how far it has turned; and how to add that to a place."""
    numbers = field(tables)
    if numbers is not None:
        every = tuple(tuple(numbers.times(turn, column) for column in range(columns)) for turn in range(tables))
        return every, numbers.plus
    return tuple(_Search(tables, columns).best), lambda x, turn: (x + turn) % tables


class _Search:
    """Amounts among remainders, found by trying one after the other and going back where none fits."""

    def __init__(self, tables: int, columns: int) -> None:
        self.tables, self.columns = tables, columns
        self.best: list[tuple[int, ...]] = []
        self._rounds = [(0,) * columns, tuple(range(columns))]
        self._tries = 0
        self._extend()

    def _extend(self) -> bool:
        """Find further rounds; whether there are enough."""
        if len(self._rounds) > len(self.best):
            self.best = self._rounds.copy()
        return len(self._rounds) >= min(self.tables, MOST_TURNS) or self._fill([0])

    def _fill(self, row: list[int]) -> bool:
        """Fill the columns of a round from the given ones on; the second rises from round to round."""
        column = len(row)
        if column == self.columns:
            self._rounds.append(tuple(row))
            if self._extend():
                return True
            self._rounds.pop()
            return False
        for amount in range(self._rounds[-1][1] + 1 if column == 1 else 0, self.tables):
            self._tries += 1
            if self._tries > TRIES:
                return True
            if all(self._differs(row, amount, other) for other in self._rounds) and self._fill([*row, amount]):
                return True
        return False

    def _differs(self, row: list[int], amount: int, other: tuple[int, ...]) -> bool:
        """Whether a further amount is new by its difference from another round."""
        change = (amount - other[len(row)]) % self.tables
        return all((first - second) % self.tables != change for first, second in zip(row, other, strict=False))
