"""First rounds of whist designs, from a computer search, for numbers of people that no field gives.

People are numbered from 0, or are in groups, each with a number of a field and a place. In a table seats 0 and 2,
and 1 and 3, are partners.
"""

from __future__ import annotations

Table = tuple[int, int, int, int]
WhistRound = tuple[Table, ...]

Person = tuple[int, int]
"""A number of a field, which is a group, and a place in it."""
Seats = tuple[Person, Person, Person, Person]

STAYS = -1

FIRST_ROUNDS: dict[int, str] = {
    4: "-1 1 0 2",
    8: "-1 4 0 6, 1 2 5 3",
    12: "-1 1 0 4, 2 8 6 3, 5 9 7 10",
    20: "-1 10 0 15, 1 9 4 3, 2 14 12 18, 5 16 17 8, 6 13 7 11",
    21: "1 7 13 20, 2 18 9 19, 3 11 6 17, 4 5 8 16, 10 12 15 14",
    24: "-1 14 0 18, 1 7 8 22, 2 5 12 6, 3 10 21 13, 4 17 16 19, 9 11 15 20",
    32: "-1 19 0 30, 1 4 25 18, 2 10 6 29, 3 23 28 13, 5 24 7 16, 8 26 17 11, 9 14 12 27, 15 22 20 21",
    33: "1 7 22 26, 2 16 4 19, 3 25 9 14, 5 18 6 31, 8 15 12 10, 11 24 27 17, 13 32 28 23, 20 21 30 29",
    36: "-1 3 0 14, 1 13 9 16, 2 23 32 27, 4 29 33 6, 5 28 12 11, 7 24 22 15, 8 21 30 19, 10 25 20 26, 17 34 31 18",
    56: "29 3 21 27, 7 9 28 16, 39 23 51 42, 17 14 13 31, 24 48 6 47, 2 34 8 36, 19 38 46 12, 52 4 43 1, "
    "54 53 41 37, 32 49 18 26, 11 22 44 33, -1 45 0 15, 35 30 50 25, 5 20 40 10",
    92: "55 24 2 4, 50 74 5 10, 48 59 58 25, 85 53 54 17, 27 73 44 88, 8 81 19 38, 68 76 67 43, 37 22 31 62, "
    "61 20 32 64, 72 1 80 69, 40 34 18 36, 86 29 45 90, 3 89 15 30, 11 9 83 75, 87 33 71 51, 46 79 41 82, "
    "66 47 57 23, 60 16 6 12, 14 21 77 70, 28 42 63 49, 56 84 35 7, -1 39 0 13, 78 65 26 52",
}
"""First rounds by the number of people. Each later round adds one to every number: modulo one less than there are
people if their number divides by four (-1 stays), else modulo their number; then 0 sits out the first round."""


OF_21: list[tuple[int, ...]] = [
    (0, 0, 0, 0),
    *(
        (0, *(sign * 4**turn * base[(seat - turn) % 3] % 21 for seat in range(3)))
        for base in ((1, 2, 4), (2, 6, 14), (3, 10, 20), (6, 3, 12))
        for turn in range(1 if base == (6, 3, 12) else 3)
        for sign in (1, -1)
    ),
]
"""Shifts of four seats by numbers up to 20, found by search: they stay the same when all are taken times 4 while three
seats move on, and times -1."""

ELEVENS: tuple[tuple[Seats, Seats], ...] = (
    (((7, 2), (6, 3), (4, 3), (1, 2)), ((4, 1), (3, 0), (8, 0), (7, 1))),
    (((7, 1), (1, 1), (4, 2), (6, 2)), ((1, 0), (3, 3), (8, 3), (10, 0))),
    (((3, 1), (8, 3), (10, 1), (5, 3)), ((1, 0), (9, 2), (8, 0), (10, 2))),
)
ACROSS_ELEVENS = ((0, 4, 1, 10), (0, 2, 6, 5))
"""For 44, of four places by eleven numbers: two tables of each of three rounds, and the numbers by place of tables that
make a round when they move on by one; all found by search, to be taken times the squares."""

SEVENS: tuple[Seats, ...] = (
    ((3, 2), (4, 0), (5, 0), (1, 7)),
    ((2, 2), (3, 7), (4, 3), (6, 5)),
    ((6, 4), (5, 3), (4, 4), (3, 6)),
    ((6, 1), (2, 1), (4, 6), (1, 5)),
)
"""Tables across groups 1 to 6 of eight, which, taken times 1, 2 and 4, are a round; found by search."""
