"""The plot of a rating, as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings.rating_plot import BOTTOM, LEFT, MOST_POINTS, RIGHT, TOP, plot, ticks_for


def points(plotted):
    return [tuple(map(float, point.split(","))) for point in plotted.points.split()]


@pytest.mark.parametrize("ratings", [[], [1000]])
def test_before_the_first_match_there_is_nothing_to_draw(ratings):
    assert plot(ratings) is None


def test_a_rise_goes_from_the_lower_left_to_the_upper_right():
    plotted = plot([1000, 1050, 1100])
    assert points(plotted) == [(LEFT, BOTTOM), ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2), (RIGHT, TOP)]
    assert plotted.last == (RIGHT, TOP)
    assert [tick.label for tick in plotted.down] == ["1000", "1020", "1040", "1060", "1080", "1100"]
    assert [tick.label for tick in plotted.along] == ["0", "2"]
    assert plotted.summary == "Over 2 matches from 1000 to 1100. Lowest 1000, highest 1100."


def test_the_ends_and_what_lies_between_are_named_below():
    assert [tick.label for tick in plot([1000] * 13).along] == ["0", "4", "8", "12"]


@given(st.lists(st.integers(-3000, 5000), min_size=2, max_size=40))
def test_everything_lies_in_the_frame_and_nothing_is_left_out(ratings):
    plotted = plot(ratings)
    assert len(points(plotted)) == len(ratings)
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points(plotted))
    assert [x for x, _ in points(plotted)] == sorted(x for x, _ in points(plotted))
    labels = [int(tick.label) for tick in plotted.down]
    assert labels[0] <= min(ratings)
    assert max(ratings) <= labels[-1]
    assert 3 <= len(labels) <= 6
    assert len({upper - lower for upper, lower in zip(labels[1:], labels, strict=False)}) == 1


@given(st.integers(-(10**6), 10**6), st.integers(0, 10**6))
def test_ticks_are_few_whatever_the_range(lowest, span):
    ticks = ticks_for(lowest, lowest + span)
    assert ticks[0] <= lowest
    assert lowest + span <= ticks[-1]
    assert 3 <= len(ticks) <= 7


def test_a_very_long_history_keeps_its_ends():
    kept_points = points(plot(list(range(2001))))
    assert len(kept_points) <= MOST_POINTS + 1
    assert kept_points[0] == (LEFT, BOTTOM)
    assert kept_points[-1] == (RIGHT, TOP)
