"""Whether those who are to be kept apart can be, and why not: looked for in full, where the search found no way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.compete.pairing.players import Player
from engine.words import join_words

TRIES = 5_000
"""So many seats are tried before it is given up: enough for every wish that is not a puzzle."""


def seated_apart(forbidden: Sequence[set[int]], sizes: Sequence[int]) -> list[list[int]] | None:
    """Places at tables of these sizes, each as near to its standing as possible, away from all that are forbidden to
    it.

    `forbidden` has for each place those it is kept apart from. Nothing if there is no such seating, or none was
    found within `TRIES`.
    """
    tables: list[list[int]] = [[] for _ in sizes]
    bound = sorted(
        (place for place, no in enumerate(forbidden) if no), key=lambda place: (-len(forbidden[place]), place)
    )
    home = [number for number, size in enumerate(sizes) for _ in range(size)]
    open_choices: list[Iterator[int]] = []
    for _ in range(TRIES):
        if len(open_choices) == len(bound):
            break
        place = bound[len(open_choices)]
        open_choices.append(iter(_choices(tables, sizes, forbidden[place], home[place])))
        while (number := next(open_choices[-1], None)) is None:
            open_choices.pop()
            if not open_choices:
                return None
            _leave(tables, bound[len(open_choices) - 1])
        tables[number].append(bound[len(open_choices) - 1])
    if len(open_choices) < len(bound):
        return None
    return _filled(tables, sizes, set(bound))


def _choices(tables: Sequence[list[int]], sizes: Sequence[int], no: set[int], home: int) -> list[int]:
    """Tables that a place may join, the nearest first; only one of equally large empty tables, which are alike."""
    choices, empty = [], set()
    for number in sorted(range(len(tables)), key=lambda number: (abs(number - home), number)):
        table, size = tables[number], sizes[number]
        if len(table) == size or not no.isdisjoint(table) or (not table and size in empty):
            continue
        if not table:
            empty.add(size)
        choices.append(number)
    return choices


def _leave(tables: Sequence[list[int]], place: int) -> None:
    next(table for table in tables if place in table).remove(place)


def _filled(tables: Sequence[list[int]], sizes: Sequence[int], seated: set[int]) -> list[list[int]]:
    """Fill the free seats with all others in the order of standing."""
    places = iter([place for place in range(sum(sizes)) if place not in seated])
    return [table + [next(places) for _ in range(size - len(table))] for table, size in zip(tables, sizes, strict=True)]


def why_not(field: Sequence[Player], forbidden: Sequence[set[int]], sizes: Sequence[int]) -> str:
    """A sentence on why these cannot be seated: too many must be kept apart from one another, if that is the reason."""
    crowd: list[int] = []
    for place, no in enumerate(forbidden):
        clique = [place]
        for other in sorted(no, key=lambda other: (-len(forbidden[other]), other)):
            if forbidden[other].issuperset(clique):
                clique.append(other)
        crowd = max(crowd, clique, key=len)
    if len(crowd) > len(sizes):
        tables = "there is only one table" if len(sizes) == 1 else f"there are only {len(sizes)} tables"
        entries = join_words(map(str, sorted(field[place].entry for place in crowd)))
        return f"Entries {entries} are all to be kept apart from one another, and {tables}."
    return f"No way was found to seat {len(field)} entries at {len(sizes)} tables so that all who are to be kept apart are."
