import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.groups import cross_seed
from engine.compete.pairing.knockout import seed_order
from engine.compete.records import CannotPair
from tests.tries import tries


def group_of(entry):
    return entry // 100


def finished(count, size):
    """Groups whose finishing order is the order of their numbers: 101, 102, …, then 201, …"""
    return [[100 * group + place for place in range(1, size + 1)] for group in range(1, count + 1)]


def meetings(order):
    """By round, from the first, how many pairs of group mates would meet in it if both came so far."""
    size = 1 << (len(order) - 1).bit_length()
    leaf = {seed: leaf for leaf, seed in enumerate(seed_order(size))}
    counts = [0] * (size.bit_length() - 1)
    for (first, entry), (second, other) in itertools.combinations(enumerate(order, start=1), 2):
        if group_of(entry) == group_of(other):
            counts[(leaf[first] ^ leaf[second]).bit_length() - 1] += 1
    return counts


def test_two_groups_of_two_cross():
    assert cross_seed(finished(2, 4), 2) == (101, 201, 102, 202)


@pytest.mark.parametrize("count", [2, 3, 4, 5, 7, 8, 16])
def test_two_of_a_group_meet_only_in_the_final(count):
    counts = meetings(cross_seed(finished(count, 4), 2))
    assert counts == [0] * (len(counts) - 1) + [count]


@pytest.mark.parametrize(("count", "advance"), [(2, 4), (2, 6), (3, 3), (3, 4), (4, 3), (5, 2)])
def test_no_other_order_keeps_group_mates_apart_longer(count, advance):
    groups = finished(count, advance)
    pots = [[group[place] for group in groups] for place in range(advance)]
    orders = itertools.product(*(itertools.permutations(pot) for pot in pots[1:]))
    best = min(meetings(pots[0] + list(itertools.chain(*order))) for order in orders)
    assert meetings(cross_seed(groups, advance)) == best


def test_four_from_each_of_four_groups_meet_in_a_semi_final_at_the_earliest():
    assert meetings(cross_seed(finished(4, 4), 4)) == [0, 0, 8, 16]


def test_best_others_fill_the_places():
    groups = [[101, 102, 103, 104], [201, 202, 203], [301, 302, 303]]
    key = [303, 104, 103, 203].index
    assert set(cross_seed(groups, 2, 8, best=key)) == {101, 102, 201, 202, 301, 302, 303, 103}
    assert cross_seed(groups, 2, 10, best=key)[9] == 104
    assert set(cross_seed(groups, 1, 4)) == {101, 201, 301, 102}


@tries(40)
@given(st.data())
def test_better_places_are_seeded_higher(data):
    sizes = data.draw(st.lists(st.integers(2, 6), min_size=1, max_size=9))
    groups = [[100 * number + place for place in range(size)] for number, size in enumerate(sizes, start=1)]
    advance = data.draw(st.integers(1, min(sizes)))
    places = data.draw(st.integers(advance * len(sizes), sum(sizes)))
    order = cross_seed(groups, advance, places)
    assert len(set(order)) == len(order) == places
    assert [entry % 100 for entry in order] == sorted(entry % 100 for entry in order)
    assert order[: len(groups)] == tuple(group[0] for group in groups)


@pytest.mark.parametrize(
    ("groups", "advance", "places", "sentence"),
    [
        ([[1, 2], [3]], 2, None, "The top 2 of each group cannot go through, because a group has only 1."),
        ([], 1, None, "The top 1 of each group cannot go through, because a group has only 0."),
        ([[1, 2], [3, 4]], 2, 3, "The top 2 of 2 groups are 4 of 4 entries, so 3 cannot go through."),
        ([[1, 2], [3, 4]], 1, 5, "The top 1 of 2 groups are 2 of 4 entries, so 5 cannot go through."),
    ],
)
def test_what_cannot_be(groups, advance, places, sentence):
    with pytest.raises(CannotPair) as refused:
        cross_seed(groups, advance, places)
    assert refused.value.sentence == sentence
