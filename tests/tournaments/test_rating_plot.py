"""The plot of a rating, as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings.rating_plot import BOTTOM, LEFT, MOST_POINTS, RIGHT, TOP, plot, ticks_for


def points(found):
    return [tuple(map(float, point.split(","))) for point in found.points.split()]


@pytest.mark.parametrize("ratings", [[], [1000]])
def test_before_the_first_match_there_is_nothing_to_draw(ratings):
    assert plot(ratings) is None


def test_a_rise_goes_from_the_lower_left_to_the_upper_right():
    found = plot([1000, 1050, 1100])
    assert points(found) == [(LEFT, BOTTOM), ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2), (RIGHT, TOP)]
    assert found.last == (RIGHT, TOP)
    assert [tick.label for tick in found.down] == ["1000", "1020", "1040", "1060", "1080", "1100"]
    assert [tick.label for tick in found.along] == ["0", "2"]
    assert found.summary == "Over 2 matches from 1000 to 1100. Lowest 1000, highest 1100."


def test_the_ends_and_what_lies_between_are_named_below():
    assert [tick.label for tick in plot([1000] * 13).along] == ["0", "4", "8", "12"]


@given(st.lists(st.integers(-3000, 5000), min_size=2, max_size=40))
def test_everything_lies_in_the_frame_and_nothing_is_left_out(ratings):
    found = plot(ratings)
    assert len(points(found)) == len(ratings)
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points(found))
    assert [x for x, _ in points(found)] == sorted(x for x, _ in points(found))
    labels = [int(tick.label) for tick in found.down]
    assert labels[0] <= min(ratings)
    assert max(ratings) <= labels[-1]
    assert 3 <= len(labels) <= 6
    assert len({one - other for one, other in zip(labels[1:], labels, strict=False)}) == 1


@given(st.integers(-(10**6), 10**6), st.integers(0, 10**6))
def test_ticks_are_few_whatever_the_range(lowest, span):
    found = ticks_for(lowest, lowest + span)
    assert found[0] <= lowest
    assert lowest + span <= found[-1]
    assert 3 <= len(found) <= 7


def test_a_very_long_history_keeps_its_ends():
    found = points(plot(list(range(2001))))
    assert len(found) <= MOST_POINTS + 1
    assert found[0] == (LEFT, BOTTOM)
    assert found[-1] == (RIGHT, TOP)
