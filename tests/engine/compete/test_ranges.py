"""Ranks within reach: against every way the open matches can end."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete import ranges
from engine.compete.ranges import Gains, gains_by_place, gains_by_result, possible_ranks
from engine.errors import BadInput
from tests.tries import tries

few = tries(40)
DECISIVE = gains_by_result(nobody=None)


def exact(points):
    return {entry: Fraction(value) for entry, value in points.items()}


def by_hand(points, tables, gains):
    """Best and worst rank by trying everything."""
    best, worst = {}, {}
    ways = [sorted({order for split in gains.splits for order in permutations(split)}) for _ in tables]
    for results in product(*ways):
        end = dict(points)
        for seats, result in zip(tables, results, strict=True):
            for entry, value in zip(seats, result, strict=True):
                end[entry] += value
        for entry, total in end.items():
            above = sum(value > total for value in end.values())
            not_below = sum(value >= total for value in end.values())
            best[entry] = min(best.get(entry, len(end)), above + 1)
            worst[entry] = max(worst.get(entry, 1), not_below)
    return {entry: (best[entry], worst[entry]) for entry in sorted(points)}


def test_the_last_match_decides_between_two():
    points = exact({1: 4, 2: 3, 3: 0})
    assert possible_ranks(points, [(1, 2)], gains=DECISIVE) == {1: (1, 2), 2: (1, 2), 3: (3, 3)}
    assert possible_ranks(points, [(1, 3)], gains=DECISIVE) == {1: (1, 1), 2: (2, 2), 3: (3, 3)}


def test_who_is_level_may_be_in_either_order():
    assert possible_ranks(exact({1: 2, 2: 2, 3: 1}), [], gains=DECISIVE) == {1: (1, 2), 2: (1, 2), 3: (3, 3)}


def test_one_of_two_who_play_each_other_gets_ahead():
    """Either can pass entry 1 by winning, but not both in one match, and a draw is not enough."""
    points = {1: Fraction(3), 2: Fraction(3, 2), 3: Fraction(3, 2)}
    assert possible_ranks(points, [(2, 3)], gains=DECISIVE) == {1: (1, 2), 2: (1, 3), 3: (1, 3)}


def test_both_sides_may_stay_away():
    """If the match is played one of the two passes entry 1; if neither comes nobody does."""
    points = exact({1: 1, 2: 1, 3: 1})
    assert possible_ranks(points, [(2, 3)], gains=DECISIVE)[1] == (2, 3)
    assert possible_ranks(points, [(2, 3)], gains=gains_by_result())[1] == (1, 3)


def test_rounds_still_to_be_drawn():
    points = exact({1: 6, 2: 5, 3: 1})
    assert possible_ranks(points, [], gains=DECISIVE, unknown_rounds=1) == {1: (1, 2), 2: (1, 2), 3: (3, 3)}
    assert possible_ranks(points, [], gains=DECISIVE, unknown_rounds=2) == {1: (1, 2), 2: (1, 3), 3: (2, 3)}
    assert possible_ranks(points, [], gains=DECISIVE, unknown_rounds=9) == dict.fromkeys((1, 2, 3), (1, 3))


def test_entries_without_points_and_seats_that_are_not_ranked():
    ranks = possible_ranks(exact({1: 2}), [(1, 9)], gains=DECISIVE, entries=[1, 2])
    assert ranks == {1: (1, 1), 2: (2, 2)}


def test_larger_tables_by_bounds():
    points = exact({1: 9, 2: 7, 3: 7, 4: 5, 5: 0})
    ranks = possible_ranks(points, [(1, 2, 3, 4)], gains={4: gains_by_place((3, 2, 1, 0))})
    assert ranks == {1: (1, 3), 2: (1, 4), 3: (1, 4), 4: (2, 4), 5: (5, 5)}


def test_larger_tables_that_can_be_followed():
    points = exact({1: 2, 2: 2, 3: 0})
    places = Gains(Fraction(0), Fraction(2), (tuple(map(Fraction, (2, 1, 0))),))
    assert possible_ranks(points, [(1, 2, 3)], gains=places) == by_hand(points, [(1, 2, 3)], places)


def test_no_entries():
    assert possible_ranks({}, [], gains=DECISIVE, unknown_rounds=3) == {}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"open_tables": [(1, 2, 3)], "gains": {2: DECISIVE}}, "no gains for a table of 3"),
        ({"open_tables": [(1, 2, 3)], "gains": DECISIVE}, "not for as many entries"),
        ({"open_tables": [], "gains": DECISIVE, "unknown_rounds": -1}, "cannot be fewer than none"),
        ({"open_tables": [], "gains": {}, "unknown_rounds": 1}, "need gains"),
    ],
)
def test_what_cannot_be_is_refused(arguments, sentence):
    with pytest.raises(BadInput, match=sentence):
        possible_ranks(exact({1: 1, 2: 0, 3: 0}), **arguments)


# Random seasons


@st.composite
def seasons(draw, most_open=5):
    """Points, the matches still open, and their gains."""
    entries = draw(st.integers(2, 6))
    points = {entry: Fraction(draw(st.integers(0, 8)), 2) for entry in range(1, entries + 1)}
    matches = list(combinations(range(1, entries + 1), 2))
    tables = draw(st.lists(st.sampled_from(matches), max_size=most_open))
    gains = draw(
        st.sampled_from(
            [DECISIVE, gains_by_result(), gains_by_result(win=3), gains_by_result(win=1, draw=Fraction(1, 2))]
        )
    )
    return points, tables, gains


@few
@given(seasons())
def test_what_is_followed_through_is_exact(season):
    points, tables, gains = season
    assert possible_ranks(points, tables, gains=gains) == by_hand(points, tables, gains)


@few
@given(seasons(), st.integers(1, 60))
def test_bounds_are_never_wrong(season, most_ways):
    points, tables, gains = season
    usual, ranges.MOST_WAYS = ranges.MOST_WAYS, most_ways
    try:
        ranks = possible_ranks(points, tables, gains=gains)
    finally:
        ranges.MOST_WAYS = usual
    for entry, (best, worst) in by_hand(points, tables, gains).items():
        assert ranks[entry][0] <= best <= worst <= ranks[entry][1]


@few
@given(seasons(most_open=12), st.integers(1, 3000), st.randoms(use_true_random=False))
def test_ranges_never_widen_and_hold_the_end(season, most_ways, chance):
    """A season played out match by match, some of its rounds drawn only on the way."""
    points, tables, gains = season
    results = sorted({order for split in gains.splits for order in permutations(split)})
    drawn, later = list(tables), chance.randint(0, 3)
    entries = sorted(points)
    spans = []
    usual, ranges.MOST_WAYS = ranges.MOST_WAYS, most_ways
    try:
        while True:
            spans.append(possible_ranks(points, drawn, gains=gains, unknown_rounds=later))
            if drawn and (not later or chance.random() < 0.6):
                table = drawn.pop(chance.randrange(len(drawn)))
                for entry, value in zip(table, chance.choice(results), strict=True):
                    points[entry] += value
            elif later:
                later -= 1
                pairs = chance.sample(entries, len(entries))
                drawn += [(pairs[seat], pairs[seat + 1]) for seat in range(0, len(pairs) - 1, 2)]
                if len(pairs) % 2:
                    points[pairs[-1]] += gains.most
            else:
                break
    finally:
        ranges.MOST_WAYS = usual
    for entry, total in points.items():
        above = sum(value > total for value in points.values())
        not_below = sum(value >= total for value in points.values())
        assert spans[-1][entry] == (above + 1, not_below)
        for before, after in pairwise(spans):
            assert before[entry][0] <= after[entry][0] <= after[entry][1] <= before[entry][1]
