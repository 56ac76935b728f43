"""A round at tables of several: byes, tables and seats."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations, groupby, islice

from engine.compete.pairing.players import Player, first_table, places_apart, standing_order
from engine.compete.pairing.pods.apart import seated_apart, why_not
from engine.compete.pairing.pods.search import best_seating
from engine.compete.pairing.pods.seating import costs
from engine.compete.records import CannotPair, Drawn
from engine.errors import BadInput
from engine.words import say

OTHER_BYES = 200
"""So many ways to give the byes are tried before it is said that some cannot be kept apart."""


def pair(
    players: Sequence[Player], sizes: Sequence[int], *, apart: Collection[frozenset[int]] = (), lots: str = ""
) -> Drawn:
    """Draw a round at tables of these `sizes`, in no order; the table with the best scores comes first.

    `players` are in seed order. If the sizes leave some without a seat, those with fewest byes so far have a bye, of
    these the lowest scores and of these the lowest seeds. Each set in `apart` is kept apart. Among equal scores the
    seeds go to and fro over the tables (by snake), so that the tables of a first round are equally strong; for a
    draw by lot put the players in such an order. At a table the first seat goes to a player with the fewest first
    seats. `lots`, any text, decides between equals in that, and is the chance in the search. Raises `CannotPair` if
    there are too few entries, or no draw keeps apart all that must be. The same input gives the same draw.
    """
    if any(size < 2 for size in sizes):
        raise BadInput(say("A table seats two or more."))
    if sum(sizes) > len(players):
        raise CannotPair(
            say("There are %(sum)s seats at the tables, but %(count)s entries.", sum=sum(sizes), count=len(players))
        )
    everyone = standing_order(players)
    spare = len(players) - sum(sizes)
    by_need = sorted(range(len(players)), key=lambda place: (everyone[place].byes, everyone[place].points, -place))
    for number, byes in enumerate(islice(combinations(by_need, spare), 1 + OTHER_BYES)):
        field = [player for place, player in enumerate(everyone) if place not in byes]
        tables = _tables(field, sizes, places_apart(field, apart), lots, is_first_way=number == 0)
        if tables is not None:
            return Drawn(
                tuple(
                    _by_seat([field[place] for place in table], at)
                    for at, table in enumerate(tables, first_table(lots))
                ),
                tuple(everyone[place].entry for place in byes),
            )
    field = [player for place, player in enumerate(everyone) if place not in by_need[:spare]]
    raise CannotPair(why_not(field, places_apart(field, apart), sizes))


def _tables(
    field: Sequence[Player], sizes: Sequence[int], forbidden: Sequence[set[int]], lots: str, *, is_first_way: bool
) -> list[list[int]] | None:
    """The best tables found, by place, the best scores first; nothing where some cannot be kept apart."""
    if not sizes:
        return []
    weighed = costs(field, forbidden, sizes)
    seating = best_seating(_by_snake(field, sizes), weighed, lots) if is_first_way else None
    # It is rare that keeping some apart takes more than a few swaps, and then that it can be done at all.
    if seating is None or seating.cost() >= weighed.apart:
        tables = seated_apart(forbidden, sizes)
        if tables is None:
            return None
        seating = best_seating(tables, weighed, lots)
    result = [sorted(table) for table in seating.tables]
    return sorted(
        result, key=lambda table: (Fraction(sum(weighed.standing[place] for place in table), len(table)), table)
    )


def _by_snake(field: Sequence[Player], sizes: Sequence[int]) -> list[list[int]]:
    """Tables with like scores together, and each score's entries to and fro over the tables that they fill."""
    tables: list[list[int]] = [[] for _ in sizes]
    places = iter(range(len(field)))
    for _, run in groupby(field, key=lambda player: player.points):
        for table in _to_and_fro(tables, sizes, len(list(run))):
            table.append(next(places))
    return tables


def _to_and_fro(tables: Sequence[list[int]], sizes: Sequence[int], count: int) -> list[list[int]]:
    """The tables that the next `count` entries fill, in the order in which they take their seats."""
    seats: list[list[list[int]]] = []
    for table, size in zip(tables, sizes, strict=True):
        free = min(size - len(table), count)
        count -= free
        for turn in range(free):
            if turn == len(seats):
                seats.append([])
            seats[turn].append(table)
    return [table for turn, row in enumerate(seats) for table in (reversed(row) if turn % 2 else row)]


def _by_seat(table: Sequence[Player], number: int) -> tuple[int, ...]:
    """The entries of a table by seat; among equals the first seat goes to the best, at the next table to the next."""
    size = len(table)
    turned = [(number + seat) % size for seat in range(size)]
    first = min(turned, key=lambda seat: table[seat].firsts)
    return tuple(table[(first + seat) % size].entry for seat in range(size))
