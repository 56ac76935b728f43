"""Mitchell movements: North-South keep their tables, East-West move up a table, the deals move down a table.

All play the same sets of deals, but each pair meets only pairs of the other line: they are two fields, unless the
organiser ranks them as one.
"""

from __future__ import annotations

from engine.compete.records import CannotPair, Drawn

LEAST, MOST = 4, 200


def mitchell(pairs: int, *, rounds: int | None = None) -> tuple[Drawn, ...]:
    """Every round for pairs 1 to `pairs`, North-South first; `boards` has the set of deals of each table, from 1.

    With an even number of tables East-West would come back to deals they know half way: there they skip a table, and
    there is one round less than there are tables, so that nobody plays a set or meets a pair twice. With an odd
    number of pairs the opponents of the missing pair have a bye. Raises `CannotPair`.
    """
    if not LEAST <= pairs <= MOST:
        raise CannotPair(f"A Mitchell is for {LEAST} to {MOST} pairs, not {pairs}.")
    north, east = lines(pairs + pairs % 2)
    most = len(north) - 1 + len(north) % 2
    count = most if rounds is None else rounds
    if not 1 <= count <= most:
        raise CannotPair(
            f"A Mitchell of {pairs} pairs has {most} {'round' if most == 1 else 'rounds'} at most, not {count}."
        )
    return tuple(_round(north, east, pairs, step) for step in range(count))


def lines(pairs: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """North-South and East-West, by table: seeds are dealt to and fro, 1 to the one, 2 and 3 to the other, 4 and 5 to
    the one again, so that both lines are equally strong."""
    seeds = range(1, pairs + 1)
    return tuple(pair for pair in seeds if pair % 4 < 2), tuple(pair for pair in seeds if pair % 4 >= 2)


def _round(north: tuple[int, ...], east: tuple[int, ...], pairs: int, step: int) -> Drawn:
    tables, byes, boards = [], [], []
    count = len(north)
    moved = step + (count % 2 == 0 and step >= count // 2)
    for at, stays in enumerate(north):
        table = (stays, east[(at - moved) % count])
        if max(table) > pairs:
            byes.append(min(table))
        else:
            tables.append(table)
            boards.append(((at + step) % count + 1,))
    return Drawn(tuple(tables), tuple(byes), tuple(boards))
