"""Knockout at tables of several, level by level: the top of each table go through, the best others fill the places."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.compete.pairing import pods
from engine.compete.records import CannotPair, Drawn, Played
from engine.words import say


@dataclass(frozen=True, slots=True)
class Level:
    """A level: the size of each table, how many of each table go through, and how many of the best others."""

    sizes: tuple[int, ...]
    advance: int
    best_others: int = 0

    @property
    def entries(self) -> int:
        """Number of entries at this level."""
        return sum(self.sizes)

    @property
    def through(self) -> int:
        """Number of entries that go through; after the final, the champion."""
        return len(self.sizes) * self.advance + self.best_others


def levels(
    entries: int, seats: int, advance: int, *, least: int = 3, most: int = 7, final: int = 0
) -> tuple[Level, ...]:
    """The levels of a knockout at tables of about `seats`, the top `advance` of each going on, down to one final.

    With `final` its table has so many entries, at least one from each table before it.

    54 entries at tables of six with two advancing are nine tables, then three, then the final. Where those who advance
    would not fill tables of `seats`, the best others do, as long as they are no more than one a table; else the next
    level has tables of other sizes, from `least` to `most`. At a smaller table at most all but one advance.

    Raises `CannotPair` if nobody would go out, or the entries cannot be seated.
    """
    if not 1 <= advance < seats:
        raise CannotPair(
            say(
                "From a table of %(seats)s, %(advance)s cannot go through, only 1 to %(number)s.",
                seats=seats,
                advance=advance,
                number=seats - 1,
            )
        )
    upper: list[Level] = []
    while len(sizes := pods.sizes(entries, seats, least=least, most=most)) > 1:
        each = min(advance, min(sizes) - 1)
        following = _following(entries, len(sizes), each, seats, least=least, most=most)
        upper.append(Level(tuple(sizes), each, following - each * len(sizes)))
        entries = following
    if final:
        return _with_final(upper, tuple(sizes), final)
    return (*upper, Level(tuple(sizes), 1))


def _with_final(upper: Sequence[Level], sizes: tuple[int, ...], final: int) -> tuple[Level, ...]:
    """The levels with a final of so many entries; the best of the level before fill it. Raises `CannotPair`."""
    before = upper[-1] if upper else None
    tables, entries = (len(before.sizes), before.entries) if before else (1, sum(sizes))
    is_possible = final == entries if before is None else max(tables, 2) <= final < entries
    if not is_possible:
        raise CannotPair(
            say(
                "A final of %(seats)s cannot be filled from %(tables)s tables with %(entries)s entries.",
                seats=final,
                tables=tables,
                entries=entries,
            )
        )
    if before is None:
        return (Level(sizes, 1),)
    each = min(final // tables, min(before.sizes))
    return (*upper[:-1], Level(before.sizes, each, final - each * tables), Level((final,), 1))


def _following(entries: int, tables: int, each: int, seats: int, *, least: int, most: int) -> int:
    """Number of entries at the next level."""
    certain = tables * each
    full = -(-certain // seats) * seats
    if full - certain <= tables and full < entries:
        return full
    for count in range(max(certain, least), entries):
        if any(number * least <= count <= number * most for number in range(1, tables + 1)):
            return count
    raise CannotPair(
        say(
            "After %(entries)s entries at %(tables)s tables, no smaller round can be seated.",
            entries=entries,
            tables=tables,
        )
    )


def draw(order: Sequence[int], sizes: Sequence[int], *, apart: Collection[frozenset[int]] = ()) -> Drawn:
    """Seat a level: the entries in order of strength, dealt out in a snake, each table the best first.

    Entries that a set of `apart` names together, such as table mates of the level before, get different tables as far
    as exchanges of two can bring it about, those nearest in strength first.

    Raises `CannotPair` if the sizes do not hold the entries.
    """
    if sum(sizes) != len(order) or len(set(order)) < len(order):
        raise CannotPair(
            say(
                "Tables of %(value)s cannot seat %(count)s entries.",
                value=", ".join(map(str, sizes)) or "nobody",
                count=len(order),
            )
        )
    seats = _snake(sizes)
    place = {entry: number for number, entry in enumerate(order)}
    foes: dict[int, set[int]] = {}
    for together in apart:
        places = {place[entry] for entry in together if entry in place}
        for member in places:
            foes.setdefault(member, set()).update(places - {member})
    table_of = [table for table, _ in seats]
    _keep_apart(table_of, [row for _, row in seats], foes)
    tables = tuple(
        tuple(entry for entry, table in zip(order, table_of, strict=True) if table == number)
        for number in range(len(sizes))
    )
    return Drawn(tables)


def _snake(sizes: Sequence[int]) -> list[tuple[int, int]]:
    """The table and the row of each place: along the tables, back, along again, past those that are full."""
    seats: list[tuple[int, int]] = []
    for row in range(max(sizes, default=0)):
        tables = [table for table, size in enumerate(sizes) if size > row]
        seats += [(table, row) for table in (reversed(tables) if row % 2 else tables)]
    return seats


def _keep_apart(table_of: list[int], rows: list[int], foes: dict[int, set[int]]) -> None:
    """Exchange places until no exchange leaves fewer foes at one table."""

    def at_table(place: int, table: int, without: int) -> int:
        return sum(table_of[foe] == table for foe in foes.get(place, ()) if foe != without)

    def gain(first: int, second: int) -> int:
        here, there = table_of[first], table_of[second]
        before = at_table(first, here, second) + at_table(second, there, first)
        return before - at_table(first, there, second) - at_table(second, here, first)

    improved = True
    while improved:
        improved = False
        for foe in sorted(foes, reverse=True):
            if at_table(foe, table_of[foe], foe):
                choices = [
                    place for place in range(len(rows)) if table_of[place] != table_of[foe] and gain(foe, place) > 0
                ]
                if choices:
                    other = min(choices, key=lambda place: (abs(rows[foe] - rows[place]), abs(foe - place), place))
                    table_of[foe], table_of[other] = table_of[other], table_of[foe]
                    improved = True


def advancing_entries(
    tables: Sequence[Played], level: Level, rank: Callable[[int], Any], *, admitted: Collection[int] = ()
) -> tuple[int, ...]:
    """Entries that go through from a level, in the order in which the next one is drawn.

    First the winners of the tables, then the seconds, as far as they advance, then the best others. At a table
    points decide, then card points, then the key `rank`, the lowest first. Between tables it is the points as a
    multiple of the table's average, so that tables of different sizes can be compared, then the place, then `rank`.
    Those `admitted` go through with their table in any case.
    """
    placed = [by_place(table, rank) for table in tables]
    place_of = {entry: place for order in placed for place, entry in enumerate(order)}
    share = {entry: share for table in tables for entry, share in shares(table).items()}

    def best_first(entries: list[int]) -> list[int]:
        return sorted(entries, key=lambda entry: (-share[entry], place_of[entry], rank(entry)))

    through: list[int] = []
    for place in range(level.advance):
        through += best_first([order[place] for order in placed if place < len(order)])
    through += best_first([entry for order in placed for entry in order[level.advance :] if entry in admitted])
    rest = best_first([entry for order in placed for entry in order[level.advance :] if entry not in admitted])
    return (*through, *rest[: level.best_others])


def tied_at_tables(tables: Sequence[Played], level: Level) -> tuple[tuple[tuple[int, ...], int], ...]:
    """By table, entries with the same points and card points of which only some go through by their place.

    Each with the number of places that are left for them.
    """
    tied = []
    for table in tables:
        results = _results(table)
        order = sorted(results, key=lambda entry: results[entry], reverse=True)
        if level.advance < len(order) and results[order[level.advance - 1]] == results[order[level.advance]]:
            line = results[order[level.advance]]
            ahead = sum(result > line for result in results.values())
            tied.append((tuple(entry for entry in order if results[entry] == line), level.advance - ahead))
    return tuple(tied)


def tied_others(
    tables: Sequence[Played], level: Level, rank: Callable[[int], Any], *, admitted: Collection[int] = ()
) -> tuple[tuple[int, ...], int]:
    """The entries of which only some are among the best others: with the same share, place and card points.

    And the number of places that are left for them; none and 0 if nobody is tied there. `rank` and `admitted` are as
    in `advancing_entries`, with every tie at a table decided.
    """
    rest = [entry for table in tables for entry in by_place(table, rank)[level.advance :] if entry not in admitted]
    results = {entry: result for table in tables for entry, result in _results(table).items()}
    place = {
        entry: sum(other > result for other in _results(table).values())
        for table in tables
        for entry, result in _results(table).items()
    }
    share = {entry: share for table in tables for entry, share in shares(table).items()}
    value = {entry: (-share[entry], place[entry], -results[entry][1]) for entry in rest}
    order = sorted(rest, key=lambda entry: value[entry])
    if not 0 < level.best_others < len(order):
        return (), 0
    line = value[order[level.best_others]]
    if value[order[level.best_others - 1]] != line:
        return (), 0
    ahead = sum(each < line for each in value.values())
    return tuple(entry for entry in order if value[entry] == line), level.best_others - ahead


def _results(table: Played) -> dict[int, tuple[Fraction, int]]:
    """Points and card points by entry."""
    scores = table.scores or (0,) * len(table.entries)
    return dict(zip(table.entries, zip(table.points, scores, strict=True), strict=True))


def by_place(table: Played, rank: Callable[[int], Any]) -> list[int]:
    """The entries of a table, the best first."""
    scores = table.scores or (0,) * len(table.entries)
    seats = zip(table.points, scores, table.entries, strict=True)
    return [entry for _, _, entry in sorted(seats, key=lambda seat: (-seat[0], -seat[1], rank(seat[2])))]


def shares(table: Played) -> dict[int, Fraction]:
    """By entry, its points as a multiple of the average at the table; where nobody has any, none."""
    total = sum(table.points, Fraction(0))
    average = total / len(table.points) if total > 0 else Fraction(1)
    return {entry: points / average for entry, points in zip(table.entries, table.points, strict=True)}
