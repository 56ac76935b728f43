"""Arena evenings: players called to a table, and their company."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.arena import Waiting, seat
from engine.compete.records import CannotPair
from tests.tries import tries

some = tries(40)


def queue(*entries, points=(), met=None):
    """Entries that wait in this order."""
    points = points or (0,) * len(entries)
    return [
        Waiting(entry, Fraction(score), since, tuple((met or {}).get(entry, ())))
        for since, (entry, score) in enumerate(zip(entries, points, strict=True))
    ]


def tables(seated):
    return {frozenset(table) for table in seated}


def test_who_waits_longest_is_seated_and_who_came_last_waits_on():
    assert tables(seat(queue(5, 3, 8, 1, 9), 4)) == {frozenset({5, 3, 8, 1})}


def test_too_few_are_not_seated():
    assert seat(queue(5, 3, 8), 4) == ()
    assert seat([], 4) == ()


def test_those_with_near_points_sit_together():
    waiting = queue(1, 2, 3, 4, 5, 6, 7, 8, points=(9, 0, 8, 1, 7, 2, 6, 3))
    assert tables(seat(waiting, 4)) == {frozenset({1, 3, 5, 7}), frozenset({2, 4, 6, 8})}


def test_tables_that_finish_together_mix():
    met = {
        1: (2, 3, 4),
        2: (1, 3, 4),
        3: (1, 2, 4),
        4: (1, 2, 3),
        5: (6, 7, 8),
        6: (5, 7, 8),
        7: (5, 6, 8),
        8: (5, 6, 7),
    }
    seated = seat(queue(1, 2, 3, 4, 5, 6, 7, 8, points=(3, 3, 3, 3, 1, 1, 1, 1), met=met), 4)
    assert all(len(set(table) & {1, 2, 3, 4}) == 2 for table in seated)


def test_two_who_met_before_their_last_table_may_sit_together_again_where_points_say_so():
    met = {1: (2, 9), 2: (1, 8), 3: (7,), 4: (6,)}
    assert tables(seat(queue(1, 2, 3, 4, points=(5, 5, 1, 1), met=met), 2)) == {frozenset({1, 2}), frozenset({3, 4})}
    assert frozenset({1, 2}) not in tables(seat(queue(1, 2, 3, 4, met=met), 2))


def test_two_who_have_just_met_part_whatever_their_points():
    met = {3: (4,), 4: (3,)}
    assert frozenset({3, 4}) not in tables(seat(queue(1, 2, 3, 4, points=(5, 5, 1, 1), met=met), 2))


def test_the_same_company_waits_for_others_while_there_are_any():
    waiting = queue(1, 2, met={1: (2,), 2: (1,)})
    assert seat(waiting, 2, playing=4) == ()
    assert tables(seat(waiting, 2)) == {frozenset({1, 2})}


def test_lots_decide_who_sits_first():
    firsts = {seat(queue(1, 2, 3, 4), 4, lots=str(number))[0][0] for number in range(40)}
    assert firsts == {1, 2, 3, 4}


@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.integers(0, 5), st.lists(st.integers(1, 14), max_size=6)),
        min_size=0,
        max_size=14,
    ),
    st.integers(2, 7),
    st.text(max_size=3),
)
@some
def test_tables_are_full_nobody_sits_twice_and_nobody_is_passed_over(people, seats, lots):
    waiting = [
        Waiting(entry, Fraction(points, 2), since, tuple(met))
        for entry, (points, since, met) in enumerate(people, start=1)
    ]
    seated = seat(waiting, seats, lots=lots)
    called = [entry for table in seated for entry in table]
    assert len(seated) == len(waiting) // seats
    assert {len(table) for table in seated} <= {seats}
    assert len(set(called)) == len(called)
    remaining = [player.since for player in waiting if player.entry not in called]
    assert all(player.since <= min(remaining) for player in waiting if remaining and player.entry in called)
    assert seat(list(reversed(waiting)), seats, lots=lots) == seated


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: seat(queue(1, 2), 1), "A table seats two or more."),
        (lambda: seat(queue(1, 2, 1), 2), "Nobody can wait twice."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
