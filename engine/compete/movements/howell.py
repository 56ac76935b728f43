"""Howell movements: every pair meets every other once and plays every set of deals once.

A table is named by its North-South pair first. From eight pairs on, the tables of one round play different sets, so
that one copy of each deal is enough. Such a movement does not exist for four or six pairs (it would be a Room square
of side 3 or 5): four pairs share the set of the round at both tables, six pairs share one set, in the last round only.
Played with four rounds, a three-quarter movement, six pairs share nothing.
"""

from __future__ import annotations

from engine.compete.records import CannotPair, Drawn
from engine.words import say

LEAST, MOST = 3, 16

_Rows = tuple[tuple[int, int, int], ...]

STAYS = -1
"""Among the rows of a first round: the pair that keeps its seat, the last one."""

_FIRST_ROUNDS: dict[int, _Rows] = {
    8: ((STAYS, 0, 0), (1, 3, 2), (2, 6, 4), (4, 5, 1)),
    10: ((STAYS, 0, 0), (1, 2, 5), (3, 7, 4), (4, 6, 2), (5, 8, 7)),
    12: ((STAYS, 0, 0), (1, 2, 3), (3, 6, 9), (4, 8, 1), (5, 10, 4), (7, 9, 5)),
    14: ((STAYS, 0, 0), (1, 2, 3), (3, 6, 9), (4, 11, 2), (5, 9, 1), (7, 12, 6), (8, 10, 5)),
    16: ((STAYS, 0, 0), (1, 2, 3), (3, 5, 1), (4, 12, 7), (6, 10, 14), (7, 13, 12), (8, 11, 2), (9, 14, 6)),
}
"""By the number of pairs, North-South, East-West and set of each table. Each later round adds one to all three, modulo
one less than there are pairs."""

_ALL_ROUNDS: dict[int, tuple[_Rows, ...]] = {
    4: (((1, 4, 1), (2, 3, 1)), ((2, 4, 2), (3, 1, 2)), ((3, 4, 3), (1, 2, 3))),
    6: (
        ((1, 3, 1), (2, 5, 2), (4, 6, 3)),
        ((1, 4, 2), (2, 6, 1), (3, 5, 4)),
        ((5, 1, 3), (2, 4, 4), (3, 6, 2)),
        ((6, 1, 4), (3, 2, 3), (5, 4, 1)),
        ((1, 2, 5), (4, 3, 5), (6, 5, 5)),
    ),
}
"""The same round by round, where rounds do not follow from the first; from 1."""


def howell(pairs: int, *, rounds: int | None = None) -> tuple[Drawn, ...]:
    """Every round for pairs 1 to `pairs`; `boards` has the set of deals of each table, from 1.

    With an odd number, the opponents of the missing pair have a bye. With fewer `rounds` not everyone meets, and not
    every set is played by all. Raises `CannotPair`, also for more pairs than sixteen: a Mitchell is usual for them.
    """
    if not LEAST <= pairs <= MOST:
        advice = " A Mitchell seats more." if pairs > MOST else ""
        raise CannotPair(
            say(
                "A Howell is for %(least)s to %(most)s pairs, not %(pairs)s.%(advice)s",
                least=LEAST,
                most=MOST,
                pairs=pairs,
                advice=advice,
            )
        )
    even = pairs + pairs % 2
    count = even - 1 if rounds is None else rounds
    if not 1 <= count <= even - 1:
        raise CannotPair(
            say(
                "A Howell of %(pairs)s pairs has at most %(number)s rounds, not %(count)s.",
                pairs=pairs,
                number=even - 1,
                count=count,
            )
        )
    return tuple(_drawn(_rows(even, step), pairs) for step in range(count))


def _rows(even: int, step: int) -> _Rows:
    """North-South, East-West and set of each table in a round, numbered from 0; all from 1."""
    if even in _ALL_ROUNDS:
        return _ALL_ROUNDS[even][step]
    turn = even - 1

    def moved(at: int) -> int:
        return even if at == STAYS else (at + step) % turn + 1

    return tuple((moved(north), moved(east), moved(board)) for north, east, board in _FIRST_ROUNDS[even])


def _drawn(rows: _Rows, pairs: int) -> Drawn:
    """A round without the pair that is missing, if any."""
    played = [row for row in rows if max(row[:2]) <= pairs]
    return Drawn(
        tuple((north, east) for north, east, _ in played),
        tuple(min(row[:2]) for row in rows if max(row[:2]) > pairs),
        tuple((board,) for _, _, board in played),
    )
