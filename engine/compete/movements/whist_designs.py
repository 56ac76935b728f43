"""Whist designs: rounds in which everyone is partner to everyone else once and opponent twice.

They exist for 4k and 4k + 1 people. Here are those up to 100: from finite fields, from smaller ones, and from searches.
(I. Anderson, Combinatorial Designs and Tournaments, 1997, chapters 10 to 13.)

People are numbered from 0. A round is its tables; seats 0 and 2, and 1 and 3, are partners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import combinations

from engine.compete.movements.field import Field, field
from engine.compete.movements.whist_starters import (
    ACROSS_ELEVENS,
    ELEVENS,
    FIRST_ROUNDS,
    OF_21,
    SEVENS,
    STAYS,
    Person,
    Seats,
    Table,
    WhistRound,
)

_WAYS = ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2))
"""The three ways in which four at a table are partners."""


@cache
def design(people: int) -> tuple[WhistRound, ...]:
    """The rounds of a whist design, in an order in which people meet again late; none where none is known here."""
    ways = (_by_turns, _by_field, _three_fields, _product, _multiple, _elevens, _fours_and_one, _sevens_of_eight)
    rounds = next((result for way in ways if (result := way(people))), [])
    return _late_repeats(rounds, people)


def _by_turns(people: int) -> list[WhistRound]:
    text = FIRST_ROUNDS.get(people)
    if text is None:
        return []
    first = [[int(number) for number in table.split()] for table in text.split(", ")]
    turn = people - (people % 4 == 0)

    def moved(at: int, step: int) -> int:
        return turn if at == STAYS else (at + step) % turn

    return [tuple(_table(moved(at, step) for at in table) for table in first) for step in range(turn)]


def _by_field(people: int) -> list[WhistRound]:
    """For a power of a prime, 4k + 1."""
    numbers = field(people)
    if numbers is None or people % 4 != 1:
        return []
    first = _first_of_field(numbers)
    return [tuple(_table(numbers.plus(at, step) for at in table) for table in first) for step in range(people)]


def _first_of_field(numbers: Field) -> WhistRound:
    """All but zero: with a generator g, of 4k + 1 elements, for each i < k the table g^i, g^(i+k), g^(i+2k), g^(i+3k).

    Partners differ by ±2g^i and ±2g^(i+k), which is by everything once; opponents by everything twice.
    """
    quarter = numbers.size // 4
    return tuple(_table(numbers.powers[i + turn * quarter] for turn in range(4)) for i in range(quarter))


def _three_fields(people: int) -> list[WhistRound]:
    """For 3q + 1, q being a power of a prime and 4k + 1: rounds whose tables come up in all three ways.

    Tables are blocks of a design in which any two people are in one block, and blocks go together by rounds (R. C.
    Bose's, of 1939). Each block is at a table in three rounds, with each of its ways to be partners.
    """
    size = (people - 1) // 3
    numbers = field(size)
    if people % 3 != 1 or numbers is None or size % 4 != 1:
        return []
    rounds = []
    for turn in range(3):
        for step in range(size):

            def person(third: int, number: int, turn: int = turn, step: int = step) -> int:
                return (third + turn) % 3 * size + numbers.plus(number, step)

            tables = [_table((people - 1, person(0, 0), person(1, 0), person(2, 0)))]
            for a, b, c, d in _first_of_field(numbers):
                for third, way in enumerate(_WAYS):
                    block = (person(third, a), person(third + 1, b), person(third, c), person(third + 1, d))
                    tables.append(_table(block[seat] for seat in way))
            rounds.append(tuple(tables))
    return rounds


def _product(people: int) -> list[WhistRound]:
    """For a product of two powers of primes, both 4k + 1: people are pairs of numbers."""
    for size in range(5, people, 4):
        outer, inner = field(size), field(people // size)
        if people % size or outer is None or inner is None or inner.size % 4 != 1:
            continue
        # Each table of the one field, spread over the other by four different factors, and the other within itself.
        first = [
            [(at, inner.times(factor, number)) for factor, at in enumerate(table, start=1)]
            for table in _first_of_field(outer)
            for number in range(inner.size)
        ]
        first += [[(0, at) for at in table] for table in _first_of_field(inner)]
        return [
            tuple(_table(outer.plus(a, x) * inner.size + inner.plus(b, y) for a, b in table) for table in first)
            for x in range(outer.size)
            for y in range(inner.size)
        ]
    return []


def _multiple(people: int) -> list[WhistRound]:
    """For a product of two numbers of people with a design; the first makes whole tables, the second can be shifted
    against itself: people are a group and a place in it.

    If four groups share a table in the one design, so do in turn all their members, in as many rounds as there are
    shifts, and any two of them once. Within the groups the other design is played.
    """
    for size in range(people // 4, 3, -1):
        shifts = _shifts(size)
        groups = people // size
        if people % size or groups % 4 or not shifts or not (outer := design(groups)) or not (inner := design(size)):
            continue
        within = [
            tuple(_table(group * size + at for at in table) for group in range(groups) for table in tables)
            for tables in inner
        ]
        across = [[_shifted(tables, shift, size) for tables in outer] for shift in shifts]
        if size % 4 == 0:
            return [*(tables for shifted in across for tables in shifted), *within]
        # In each round within the groups those of one place rest. They play a round across; so do all, in the others.
        still, *moved = across
        rest = [_resting(tables, size) for tables in within]
        filled = [
            (*tables, *(table for table in still[0] if table[0] % size == place))
            for tables, place in zip(within, rest, strict=True)
        ]
        return [*(tables for shifted in moved for tables in shifted), *filled, *still[1:]]
    return []


def _resting(tables: WhistRound, size: int) -> int:
    """The one place within groups of this size that is at no table of a round."""
    (place,) = set(range(size)) - {at % size for table in tables for at in table}
    return place


def _shifted(tables: WhistRound, shift: Sequence[int], size: int) -> WhistRound:
    """A round of groups as one of their members: those of all places, the seats shifted against one another."""
    plus = _adding(size)
    return tuple(
        _table(group * size + plus(at, by) for group, by in zip(table, shift, strict=True))
        for table in tables
        for at in range(size)
    )


def _shifts(size: int) -> list[tuple[int, ...]]:
    """Shifts of four seats, as many as places, all different between any two seats; the first leaves all in place.
    (A difference matrix; in a field the products of two numbers are one.)"""
    if size == 21:
        return OF_21
    numbers = field(size)
    return [] if numbers is None else [tuple(numbers.times(step, seat) for seat in range(4)) for step in range(size)]


def _adding(size: int) -> Callable[[int, int], int]:
    """Addition of places."""
    numbers = field(size)
    return numbers.plus if numbers else lambda first, second: (first + second) % size


def _elevens(people: int) -> list[WhistRound]:
    """For 44: four groups of eleven. Tables of four zeros come up in three rounds, each with another way to be partners."""
    if people != 44:
        return []

    def moved(table: Iterable[Person], step: int, factor: int = 1) -> Table:
        return _table(place * 11 + (number * factor + step) % 11 for number, place in table)

    squares = sorted({number * number % 11 for number in range(1, 11)})
    rounds = [
        (
            moved(((0, place) for place in way), step),
            *(moved(table, step, factor) for table in base for factor in squares),
        )
        for base, way in zip(ELEVENS, _WAYS, strict=True)
        for step in range(11)
    ]
    lines = [[(number, place) for place, number in enumerate(line)] for line in ACROSS_ELEVENS]
    rounds += [tuple(moved(line, step, factor) for step in range(11)) for line in lines for factor in squares]
    return rounds


def _fours_and_one(people: int) -> list[WhistRound]:
    """For 4q + 1, q being an odd power of a prime from 5 on: q groups of four and one more.

    A member x is followed round the field by the tables: in one round those of all four places sit together, in three
    x and -x of one place with some y and -y of another, once as partners and twice as opponents.
    """
    size = people // 4
    numbers = field(size)
    if people % 4 != 1 or numbers is None or size % 2 == 0 or size < 5:
        return []
    half = size // 2

    def person(place: int, exponent: int) -> Person:
        return numbers.powers[exponent % (size - 1)], place

    def twice(a: int, b: int, *, are_partners: bool) -> list[Seats]:
        tables: list[Seats] = []
        for i in range(half):
            x, minus_x, y, minus_y = person(a, i), person(a, i + half), person(b, i + 1), person(b, i + 1 + half)
            tables.append((x, y, minus_x, minus_y) if are_partners else (x, minus_x, y, minus_y))
        return tables

    across: list[list[Seats]] = [
        [(person(0, i), person(1, i + 1), person(2, i + 2), person(3, i + 3)) for i in range(size - 1)],
        twice(0, 2, are_partners=True) + twice(1, 3, are_partners=True),
        twice(0, 1, are_partners=False) + twice(2, 3, are_partners=False),
        twice(0, 3, are_partners=False) + twice(1, 2, are_partners=False),
    ]
    return _groups_and_one(numbers, across)


def _sevens_of_eight(people: int) -> list[WhistRound]:
    """For 57: seven groups of eight and one more."""
    numbers = field(7)
    if people != 57 or numbers is None:
        return []
    across: list[list[Seats]] = []
    for step in range(8):
        moved = [[(number, (place + step) % 8) for number, place in table] for table in SEVENS]
        across.append(
            [_seats((numbers.times(factor, number), place) for number, place in table)
             for factor in (1, 2, 4) for table in moved]
        )  # fmt: skip
    return _groups_and_one(numbers, across)


def _groups_and_one(numbers: Field, across: Sequence[Sequence[Seats]]) -> list[WhistRound]:
    """A design of as many groups as there are numbers, and one more, from the rounds in which group 0 has a hole.

    There are as many such rounds as places in a group, their tables across the other groups. The hole is filled with
    a round of the group and the extra person; a member of the group rests. In a last round the extra person does.
    """
    places = len(across)
    extra = numbers.size * places
    among = {_resting(tables, places + 1): tables for tables in design(places + 1)}

    def person(group: int, place: int) -> int:
        return extra if place == places else group * places + place

    rounds = [
        (
            *(_table(person(numbers.plus(number, group), at) for number, at in table) for table in tables),
            *(_table(person(group, at) for at in table) for table in among[place]),
        )
        for group in range(numbers.size)
        for place, tables in enumerate(across)
    ]
    last = tuple(_table(person(group, at) for at in table) for group in range(numbers.size) for table in among[places])
    return [*rounds, last]


def _late_repeats(rounds: Sequence[WhistRound], people: int) -> tuple[WhistRound, ...]:
    """The rounds in an order in which each has as few as possible at a table again that have met."""
    pairs = [
        [min(pair) * people + max(pair) for table in tables for pair in combinations(table, 2)] for tables in rounds
    ]
    met = [0] * people**2
    remaining = list(range(len(rounds)))
    ordered: list[WhistRound] = []
    while remaining:
        best = min(remaining, key=lambda number: sum(map(met.__getitem__, pairs[number])))
        remaining.remove(best)
        ordered.append(rounds[best])
        for pair in pairs[best]:
            met[pair] += 1
    return tuple(ordered)


def _table(people: Iterable[int]) -> Table:
    a, b, c, d = people
    return a, b, c, d


def _seats(people: Iterable[Person]) -> Seats:
    a, b, c, d = people
    return a, b, c, d
