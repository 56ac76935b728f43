"""Round robins against the published Berger tables, and what must hold for any number of entries."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.fixtures import groups, round_robin, withdrawal_counts
from engine.compete.records import CannotPair, Drawn
from tests.tries import tries

some = tries(40)

BERGER = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
    12: """
        1-12 2-11 3-10 4-9 5-8 6-7
        12-7 8-6 9-5 10-4 11-3 1-2
        2-12 3-1 4-11 5-10 6-9 7-8
        12-8 9-7 10-6 11-5 1-4 2-3
        3-12 4-2 5-1 6-11 7-10 8-9
        12-9 10-8 11-7 1-6 2-5 3-4
        4-12 5-3 6-2 7-1 8-11 9-10
        12-10 11-9 1-8 2-7 3-6 4-5
        5-12 6-4 7-3 8-2 9-1 10-11
        12-11 1-10 2-9 3-8 4-7 5-6
        6-12 7-5 8-4 9-3 10-2 11-1
    """,
}
"""FIDE Handbook, C.05, annex: the tables for 3 or 4, 5 or 6, … 11 or 12."""


def published(size):
    return [
        tuple(tuple(int(number) for number in pair.split("-")) for pair in line.split())
        for line in BERGER[size].strip().splitlines()
    ]


@pytest.mark.parametrize("size", BERGER)
def test_c05_an_even_number_plays_the_published_table(size):
    assert round_robin(size) == tuple(Drawn(tables) for tables in published(size))


@pytest.mark.parametrize("size", BERGER)
def test_c05_with_an_odd_number_the_highest_number_of_the_table_is_the_bye(size):
    for drawn, tables in zip(round_robin(size - 1), published(size), strict=True):
        assert drawn.tables == tuple(pair for pair in tables if size not in pair)
        assert drawn.byes == tuple(sum(pair) - size for pair in tables if size in pair)


def test_c05_a_double_cycle_swaps_the_last_two_rounds_of_its_first_half():
    once, twice = round_robin(6), round_robin(6, double=True)
    assert twice[:5] == (once[0], once[1], once[2], once[4], once[3])
    assert [drawn.tables for drawn in twice[5:]] == [tuple((b, a) for a, b in drawn.tables) for drawn in once]


def test_two_entries_meet_once_or_twice():
    assert round_robin(2) == (Drawn(((1, 2),)),)
    assert round_robin(2, double=True) == (Drawn(((1, 2),)), Drawn(((2, 1),)))


@given(st.integers(2, 60))
@some
def test_everybody_meets_everybody_once_and_nobody_is_twice_in_a_round(entries):
    rounds = round_robin(entries)
    assert len(rounds) == entries - 1 + entries % 2
    met = Counter(frozenset(table) for drawn in rounds for table in drawn.tables)
    assert met == Counter(map(frozenset, combinations(range(1, entries + 1), 2)))
    for drawn in rounds:
        assert sorted([*sum(drawn.tables, ()), *drawn.byes]) == list(range(1, entries + 1))
    assert Counter(sum((drawn.byes for drawn in rounds), ())) == dict.fromkeys(range(1, entries + 1), 1) or (
        entries % 2 == 0 and not any(drawn.byes for drawn in rounds)
    )


@given(st.integers(2, 40))
@some
def test_in_a_double_cycle_everybody_meets_everybody_in_both_seats(entries):
    met = Counter(table for drawn in round_robin(entries, double=True) for table in drawn.tables)
    assert met == Counter(permutations(range(1, entries + 1), 2))


@given(st.integers(2, 40), st.booleans())
@some
def test_seats_are_shared_and_nobody_has_the_same_one_three_times_running(entries, double):
    rounds = round_robin(entries, double=double)
    for entry in range(1, entries + 1):
        seats = [table.index(entry) for drawn in rounds for table in drawn.tables if entry in table]
        assert abs(seats.count(0) - seats.count(1)) <= (0 if double else 1)
        assert all(len(set(three)) > 1 for three in zip(seats, seats[1:], seats[2:], strict=False))


def test_groups_follow_a_snake_by_seed():
    assert groups(8, 2) == ((1, 4, 5, 8), (2, 3, 6, 7))
    assert groups(10, 3) == ((1, 6, 7), (2, 5, 8), (3, 4, 9, 10))
    assert groups(5, 1) == ((1, 2, 3, 4, 5),)


@given(st.integers(1, 12), st.integers(0, 60))
@some
def test_groups_are_of_a_size_and_of_a_strength(count, more):
    entries = 2 * count + more
    result = groups(entries, count)
    assert sorted(sum(result, ())) == list(range(1, entries + 1))
    sizes = [len(group) for group in result]
    assert max(sizes) - min(sizes) <= 1
    if entries % (2 * count) == 0:
        assert {sum(group) for group in result} == {(entries + 1) * entries // 2 // count}


@pytest.mark.parametrize(
    ("played", "total", "counts"),
    [(0, 0, False), (0, 5, False), (2, 5, False), (3, 5, True), (3, 6, True), (6, 6, True)],
)
def test_c05_the_games_of_who_withdraws_count_from_half_on(played, total, counts):
    assert withdrawal_counts(played, total) is counts


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: round_robin(1), "A round robin is for 2 to 512 entries, not 1."),
        (lambda: round_robin(10**9), "A round robin is for 2 to 512 entries, not 1000000000."),
        (lambda: groups(5, 3), "5 entries do not make 3 groups of two or more."),
        (lambda: groups(5, 0), "5 entries do not make 0 groups of two or more."),
        (lambda: withdrawal_counts(4, 3), "An entry cannot have played 4 of 3 matches."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
