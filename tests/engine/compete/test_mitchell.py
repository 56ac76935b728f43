"""Mitchell movements: the two lines, meetings, and sets of deals."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.movements.mitchell import lines, mitchell
from engine.compete.records import CannotPair, Drawn
from tests.tries import tries

some = tries(40)


def test_three_tables_play_all_three_sets():
    assert mitchell(6) == (
        Drawn(((1, 2), (4, 3), (5, 6)), (), ((1,), (2,), (3,))),
        Drawn(((1, 6), (4, 2), (5, 3)), (), ((2,), (3,), (1,))),
        Drawn(((1, 3), (4, 6), (5, 2)), (), ((3,), (1,), (2,))),
    )


def test_at_an_even_number_of_tables_the_moving_line_skips_one_half_way():
    rounds = mitchell(12)
    assert len(rounds) == 5
    second = [next(at for at, table in enumerate(drawn.tables) if 2 in table) for drawn in rounds]
    assert second == [0, 1, 2, 4, 5]


def test_with_an_odd_number_who_would_meet_the_missing_pair_has_a_bye():
    assert [drawn.byes for drawn in mitchell(5)] == [(5,), (1,), (4,)]
    assert [drawn.byes for drawn in mitchell(7)] == [(7,), (6,), (2,)]


@pytest.mark.parametrize(("pairs", "totals"), [(6, (10, 11)), (8, (18, 18)), (12, (39, 39)), (14, (52, 53))])
def test_both_lines_are_equally_strong(pairs, totals):
    assert tuple(sum(line) for line in lines(pairs)) == totals


@given(st.integers(4, 80))
@some
def test_nobody_meets_a_pair_or_plays_a_set_twice_and_the_sets_of_a_round_are_different(pairs):
    rounds = mitchell(pairs)
    tables = (pairs + 1) // 2
    assert len(rounds) == (tables if tables % 2 else tables - 1)
    met = Counter(table for drawn in rounds for table in drawn.tables)
    assert set(met.values()) == {1}
    played = Counter(
        (pair, board)
        for drawn in rounds
        for table, boards in zip(drawn.tables, drawn.boards, strict=True)
        for pair in table
        for board in boards
    )
    assert set(played.values()) == {1}
    assert all(len(set(drawn.boards)) == len(drawn.tables) for drawn in rounds)
    north, east = lines(pairs + pairs % 2)
    assert all(table[0] in north and table[1] in east for table in met)
    assert len({table[0] for table in met}) == len(north) - (max(north) > pairs)


@given(st.integers(4, 80))
@some
def test_nobody_is_twice_in_a_round_and_byes_differ_by_one_at_most(pairs):
    rounds = mitchell(pairs)
    for drawn in rounds:
        assert sorted([*sum(drawn.tables, ()), *drawn.byes]) == list(range(1, pairs + 1))
    byes = Counter(sum((drawn.byes for drawn in rounds), ()))
    assert set(byes.values()) <= {1}
    assert byes.total() == (len(rounds) if pairs % 2 else 0)


def test_fewer_rounds_are_the_first_ones():
    assert mitchell(18, rounds=4) == mitchell(18)[:4]
    assert mitchell(16, rounds=6) == mitchell(16)[:6]


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: mitchell(3), "A Mitchell is for 4 to 200 pairs, not 3."),
        (lambda: mitchell(201), "A Mitchell is for 4 to 200 pairs, not 201."),
        (lambda: mitchell(4, rounds=2), "A Mitchell of 4 pairs has 1 round at most, not 2."),
        (lambda: mitchell(16, rounds=8), "A Mitchell of 16 pairs has 7 rounds at most, not 8."),
        (lambda: mitchell(16, rounds=0), "A Mitchell of 16 pairs has 7 rounds at most, not 0."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
