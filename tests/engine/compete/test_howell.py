"""Howell movements: meetings, sets of deals, and the published first rounds."""

from collections import Counter
from itertools import combinations

import pytest

from engine.compete.movements.howell import howell
from engine.compete.records import CannotPair, Drawn

ALL = range(3, 17)


def sets_by_pair(rounds):
    """Number of times each pair plays each set of deals."""
    return Counter(
        (pair, board)
        for drawn in rounds
        for table, boards in zip(drawn.tables, drawn.boards, strict=True)
        for pair in table
        for board in boards
    )


@pytest.mark.parametrize("pairs", ALL)
def test_every_pair_meets_every_other_once(pairs):
    met = Counter(frozenset(table) for drawn in howell(pairs) for table in drawn.tables)
    assert met == Counter(map(frozenset, combinations(range(1, pairs + 1), 2)))


@pytest.mark.parametrize("pairs", ALL)
def test_every_pair_plays_every_set_once_but_that_of_its_bye(pairs):
    rounds = howell(pairs)
    sets = len(rounds)
    assert sets == pairs - 1 + pairs % 2
    played = sets_by_pair(rounds)
    assert set(played.values()) == {1}
    assert {board for _, board in played} == set(range(1, sets + 1))
    assert Counter(pair for pair, _ in played) == dict.fromkeys(range(1, pairs + 1), pairs - 1)


@pytest.mark.parametrize("pairs", ALL)
def test_nobody_is_twice_in_a_round_and_with_an_odd_number_each_has_one_bye(pairs):
    rounds = howell(pairs)
    for drawn in rounds:
        assert sorted([*sum(drawn.tables, ()), *drawn.byes]) == list(range(1, pairs + 1))
    byes = Counter(sum((drawn.byes for drawn in rounds), ()))
    assert byes == (dict.fromkeys(range(1, pairs + 1), 1) if pairs % 2 else {})


@pytest.mark.parametrize("pairs", range(7, 17))
def test_from_seven_pairs_on_no_two_tables_play_the_same_set_in_a_round(pairs):
    for drawn in howell(pairs):
        assert len(set(drawn.boards)) == len(drawn.tables)


def test_six_pairs_share_a_set_in_the_last_round_only_and_four_in_every_round():
    assert [len(set(drawn.boards)) for drawn in howell(6)] == [3, 3, 3, 3, 1]
    assert [len(set(drawn.boards)) for drawn in howell(6, rounds=4)] == [3, 3, 3, 3]
    assert [drawn.boards for drawn in howell(4)] == [((1,), (1,)), ((2,), (2,)), ((3,), (3,))]


@pytest.mark.parametrize("pairs", [4, 6])
def test_of_four_and_six_pairs_all_but_one_sit_both_ways(pairs):
    north = Counter(table[0] for drawn in howell(pairs) for table in drawn.tables)
    assert sum(0 < north[pair] < pairs - 1 for pair in range(1, pairs + 1)) >= pairs - 1


def test_the_movement_of_eight_pairs_starts_as_published():
    assert howell(8)[:2] == (
        Drawn(((8, 1), (2, 4), (3, 7), (5, 6)), (), ((1,), (3,), (5,), (2,))),
        Drawn(((8, 2), (3, 5), (4, 1), (6, 7)), (), ((2,), (4,), (6,), (3,))),
    )


def test_with_seven_pairs_who_would_meet_the_eighth_has_a_bye():
    assert howell(7)[0] == Drawn(((2, 4), (3, 7), (5, 6)), (1,), ((3,), (5,), (2,)))


def test_fewer_rounds_are_the_first_ones():
    assert howell(12, rounds=7) == howell(12)[:7]


@pytest.mark.parametrize(
    ("impossible", "sentence"),
    [
        (lambda: howell(2), "A Howell is for 3 to 16 pairs, not 2."),
        (lambda: howell(17), "A Howell is for 3 to 16 pairs, not 17. A Mitchell seats more."),
        (lambda: howell(8, rounds=8), "A Howell of 8 pairs has at most 7 rounds, not 8."),
        (lambda: howell(9, rounds=0), "A Howell of 9 pairs has at most 9 rounds, not 0."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(impossible, sentence):
    with pytest.raises(CannotPair) as refusal:
        impossible()
    assert refusal.value.sentence == sentence
