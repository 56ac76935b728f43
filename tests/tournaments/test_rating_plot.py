"""The plot of a rating, as numbers."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from tournaments.ratings.rating_plot import BOTTOM, LEFT, MOST_MONTHS, MOST_POINTS, RIGHT, TOP, plot, ticks_for


def points(plotted):
    return [tuple(map(float, point.split(","))) for point in plotted.points.split()]


START = datetime(2026, 3, 14, 20, tzinfo=UTC)


def curve(ratings, days=1.0):
    """Matches that end so many days apart."""
    return [(START + timedelta(days=days * number), rating) for number, rating in enumerate(ratings)]


def labels(plotted):
    return [tick.label for tick in plotted.along]


def test_before_the_first_match_there_is_nothing_to_draw():
    assert plot(1000, []) is None


def test_a_rise_goes_from_the_lower_left_to_the_upper_right():
    plotted = plot(1000, curve([1000, 1050, 1100]))
    middle = ((LEFT + RIGHT) / 2, (TOP + BOTTOM) / 2)
    assert points(plotted) == [(LEFT, BOTTOM), (LEFT, BOTTOM), middle, (RIGHT, TOP)]
    assert plotted.last == (RIGHT, TOP)
    assert [tick.label for tick in plotted.down] == ["1000", "1020", "1040", "1060", "1080", "1100"]
    assert plotted.summary == "Over 3 matches from 1000 to 1100. Lowest 1000, highest 1100."


def test_matches_are_as_far_apart_as_their_dates():
    plotted = plot(1000, [(START, 1010), (START + timedelta(days=75), 1020), (START + timedelta(days=100), 1030)])
    assert points(plotted)[2][0] == LEFT + (RIGHT - LEFT) * 0.75


def test_the_months_are_named_below():
    assert labels(plot(1000, curve([1000] * 4, days=30))) == ["Apr 2026", "May 2026", "Jun 2026"]


def test_a_shorter_time_has_its_ends_named():
    assert labels(plot(1000, curve([1010, 1020]))) == ["14 Mar", "15 Mar"]
    assert labels(plot(1000, curve([1010, 1020], days=0.1))) == ["14 Mar"]
    assert labels(plot(1000, curve([1010]))) == ["14 Mar"]


@given(st.lists(st.integers(-3000, 5000), min_size=1, max_size=40), st.floats(0, 400, allow_nan=False))
def test_everything_lies_in_the_frame_and_nothing_is_left_out(ratings, days):
    plotted = plot(1000, curve(ratings, days))
    assert len(points(plotted)) == len(ratings) + 1
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points(plotted))
    assert [x for x, _ in points(plotted)] == sorted(x for x, _ in points(plotted))
    rows = [int(tick.label) for tick in plotted.down]
    assert rows[0] <= min(ratings)
    assert max(ratings) <= rows[-1]
    assert 3 <= len(rows) <= 6
    assert len({upper - lower for upper, lower in zip(rows[1:], rows, strict=False)}) == 1
    assert 1 <= len(plotted.along) <= MOST_MONTHS + 1
    assert all(LEFT <= tick.at <= RIGHT for tick in plotted.along)


@given(st.integers(-(10**6), 10**6), st.integers(0, 10**6))
def test_ticks_are_few_whatever_the_range(lowest, span):
    ticks = ticks_for(lowest, lowest + span)
    assert ticks[0] <= lowest
    assert lowest + span <= ticks[-1]
    assert 3 <= len(ticks) <= 7


def test_a_very_long_history_keeps_its_ends():
    kept_points = points(plot(0, curve(list(range(1, 2001)))))
    assert len(kept_points) <= MOST_POINTS + 1
    assert kept_points[0] == (LEFT, BOTTOM)
    assert kept_points[-1] == (RIGHT, TOP)
