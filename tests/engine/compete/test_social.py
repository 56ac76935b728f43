"""Schedules in which everyone mixes: no meeting twice where possible, and no more than needed."""

from collections import Counter
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.movements.social import schedule
from engine.compete.records import CannotPair
from tests.tries import tries

some = tries(25)


def repeats(rounds):
    """By round, the number of pairs that sit together again."""
    met, counts = set(), []
    for drawn in rounds:
        together = {frozenset(pair) for table in drawn.tables for pair in combinations(table, 2)}
        counts.append(len(together & met))
        met |= together
    return counts


def forced(tables, seats):
    """The least number of pairs that a later round must repeat."""
    q, r = divmod(seats, tables)
    return tables * (r * comb(q + 1, 2) + (tables - r) * comb(q, 2))


@pytest.mark.parametrize(
    ("entries", "seats", "rounds"),
    [
        (54, 6, 9),
        (9, 3, 4),
        (15, 3, 7),
        (16, 4, 5),
        (18, 3, 6),
        (24, 4, 5),
        (25, 5, 6),
        (27, 3, 13),
        (30, 5, 5),
        (32, 4, 9),
        (36, 6, 3),
        (40, 4, 8),
        (49, 7, 8),
        (60, 4, 11),
        (64, 4, 21),
        (84, 7, 7),
        (100, 5, 12),
        (22, 5, 5),
        (46, 6, 8),
        (100, 6, 10),
        (50, 7, 7),
    ],
)
def test_nobody_meets_twice(entries, seats, rounds):
    assert repeats(schedule(entries, seats, rounds)) == [0] * rounds


@pytest.mark.parametrize(
    ("entries", "seats", "rounds"),
    [
        (42, 7, 3),
        (35, 7, 5),
        (28, 7, 4),
        (20, 5, 4),
        (12, 4, 3),
        (21, 7, 3),
        (18, 6, 4),
        (14, 7, 2),
        (8, 4, 3),
        (12, 6, 3),
    ],
)
def test_with_more_seats_than_tables_no_more_meet_again_than_must(entries, seats, rounds):
    least = forced(entries // seats, seats)
    assert repeats(schedule(entries, seats, rounds)) == [0, *[least] * (rounds - 1)]


def test_forty_two_at_six_tables_of_seven_must_repeat_six():
    assert forced(6, 7) == 6


def test_rounds_beyond_the_construction_repeat_little():
    assert repeats(schedule(40, 4, 9))[:8] == [0] * 8
    assert sum(repeats(schedule(40, 4, 9))) <= 4
    assert sum(repeats(schedule(24, 4, 6))) <= 8


def test_tables_are_as_even_as_they_can_be_or_as_wished():
    def sizes(rounds):
        return [tuple(len(table) for table in drawn.tables) for drawn in rounds]

    assert sizes(schedule(22, 5, 2)) == [(5, 5, 4, 4, 4)] * 2
    assert sizes(schedule(23, 5, 3, sizes=(3, 6, 4, 4, 6))) == [(6, 6, 4, 4, 3)] * 3


@pytest.mark.parametrize(("entries", "seats"), [(54, 6), (42, 7), (30, 5), (24, 3)])
def test_first_seats_are_shared(entries, seats):
    rounds = schedule(entries, seats, seats)
    firsts = Counter(dict.fromkeys(range(1, entries + 1), 0))
    firsts.update(table[0] for drawn in rounds for table in drawn.tables)
    assert max(firsts.values()) - min(firsts.values()) <= 2


def test_lots_draw_who_is_who_and_draw_the_same_again():
    drawn = [schedule(20, 5, 3, lots=lots) for lots in ("", "a", "b", "a")]
    assert drawn[1] == drawn[3]
    assert len({drawn[0], drawn[1], drawn[2]}) == 3


@given(st.integers(8, 40), st.integers(4, 7), st.integers(1, 4), st.integers(0, 2), st.text(max_size=3))
@some
def test_everybody_sits_once_in_every_round_and_the_first_rounds_stay(entries, seats, rounds, more, lots):
    plan = schedule(entries, seats, rounds, lots=lots)
    assert len(plan) == rounds
    sizes = {tuple(len(table) for table in drawn.tables) for drawn in plan}
    assert len(sizes) == 1
    assert all(max(seats) - min(seats) <= 1 for seats in sizes)
    for drawn in plan:
        assert sorted(sum(drawn.tables, ())) == list(range(1, entries + 1))
        assert not drawn.byes
    assert schedule(entries, seats, rounds + more, lots=lots)[:rounds] == plan


@pytest.mark.parametrize(("entries", "last"), [(12, (6, 6)), (13, (7, 6)), (24, (3,) * 8)])
def test_the_last_round_can_have_other_tables(entries, last):
    usual, other = schedule(entries, 4, 3), schedule(entries, 4, 3, last_sizes=last)
    assert other[:2] == usual[:2]
    assert tuple(len(table) for table in other[2].tables) == last
    assert sorted(sum(other[2].tables, ())) == list(range(1, entries + 1))
    assert schedule(entries, 4, 3, last_sizes=[len(table) for table in usual[2].tables]) == usual


def test_a_single_table_stays_together():
    assert [sorted(drawn.tables[0]) for drawn in schedule(5, 5, 3)] == [[1, 2, 3, 4, 5]] * 3


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: schedule(12, 8, 2), "Tables have 3 to 7 seats, not 8."),
        (lambda: schedule(12, 2, 2), "Tables have 3 to 7 seats, not 2."),
        (lambda: schedule(12, 4, 0), "There must be 1 to 50 rounds, not 0."),
        (lambda: schedule(2, 4, 1), "This schedule is for 3 to 1000 entries, not 2."),
        (lambda: schedule(12, 4, 2, sizes=(4, 4)), "The tables have 8 seats, but there are 12 entries."),
        (lambda: schedule(5, 4, 2, sizes=(4, 1)), "A table seats two or more."),
        (lambda: schedule(12, 4, 2, last_sizes=(6,)), "The tables have 6 seats, but there are 12 entries."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
