"""Match points from card points."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.compete.scoring import (
    SCORINGS,
    by_place,
    by_result,
    cross_imps,
    imps,
    matchpoints,
    normalised,
    normalised_places,
    score,
    victory_points,
    walkover,
)
from engine.errors import BadInput
from tests.tries import tries

HALF = Fraction(1, 2)
few = tries(40)
fields = st.lists(st.integers(-9000, 9000), min_size=1, max_size=8)


def test_by_result():
    assert by_result((1520, 985)) == (2, 0)
    assert by_result((985, 1520)) == (0, 2)
    assert by_result((700, 700)) == (1, 1)
    assert by_result((985, 1520), win=3, draw=1, loss=HALF) == (HALF, 3)


def test_by_place():
    assert by_place((300, 900, 100, 500)) == (1, 3, 0, 2)
    assert by_place((300, 900, 300), points=(5, 3, 1)) == (2, 5, 2)
    assert by_place((1, 1, 1), points=(5, 3, 0)) == (Fraction(8, 3),) * 3
    assert by_place((4,)) == (0,)


def test_normalised_places_compare_tables_of_any_size():
    assert normalised_places((9, 5, 1)) == (1, HALF, 0)
    assert normalised_places((9, 5, 4, 2, 1)) == (1, Fraction(3, 4), HALF, Fraction(1, 4), 0)
    assert normalised_places((5, 5, 1, 0)) == (Fraction(5, 6), Fraction(5, 6), Fraction(1, 3), 0)
    assert normalised_places((7,)) == (1,)
    assert normalised(3, 7) == HALF


@pytest.mark.parametrize(
    ("margin", "winner"),
    [
        (0, "10"),
        (1, "10.31"),
        (2, "10.61"),
        (3, "10.91"),
        (10, "12.80"),
        (30, "16.73"),
        (59, "19.92"),
        (60, "20"),
        (99, "20"),
    ],
)
def test_victory_points_over_sixteen_boards(margin, winner):
    """WBF's continuous scale for 16 boards: 60 IMPs are all there is to win."""
    expected = Fraction(winner)
    assert victory_points((margin, 0), deals=16, unit=1) == (expected, 20 - expected)
    assert victory_points((0, margin), deals=16, unit=1) == (20 - expected, expected)


def test_victory_points_of_card_points():
    assert victory_points((5000, 5000)) == (10, 10)
    assert victory_points((4500, 0)) == (20, 0)
    assert victory_points((4500, 0), deals=4) == victory_points((15, 0), deals=4, unit=1)
    assert victory_points((300, 0), deals=16) == (Fraction("10.31"), Fraction("9.69"))


def test_matchpoints():
    assert matchpoints((620, 170, 620, -100)) == (5, 2, 5, 0)
    assert matchpoints((50,)) == (0,)


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(0, 0), (10, 0), (20, 1), (40, 1), (50, 2), (430, 10), (490, 10), (500, 11), (3990, 23), (4000, 24), (99999, 24)],
)
def test_imps_follow_the_table_of_the_laws(difference, expected):
    assert imps(difference, unit=1) == expected
    assert imps(-difference, unit=1) == -expected


def test_imps_of_card_points():
    assert imps(5000) == 11
    assert imps(4999) == 10


def test_cross_imps():
    # 430 more is 10, 480 more 10, 50 more 2.
    assert cross_imps((480, 50, 0), unit=1) == (10, -4, -6)
    assert cross_imps((480,), unit=1) == (0,)


def test_every_way_has_a_name_and_words():
    for name, way in SCORINGS.items():
        assert way.title
        assert way.explanation.endswith(".")
        points = score(name, (900, 300))
        assert len(points) == 2
        assert points[0] > points[1]
        came, did_not = walkover(name)
        assert came > did_not


@pytest.mark.parametrize(
    ("name", "settings", "expected"),
    [
        ("by_result", {}, (2, 0)),
        ("by_result", {"win": 3, "loss": 1}, (3, 0)),
        ("by_place", {"sides": 4}, (3, 0)),
        ("by_place", {"points": (5, 3, 1)}, (5, 0)),
        ("normalised_places", {}, (1, 0)),
        ("victory_points", {"deals": 4}, (12, 0)),
        ("matchpoints", {"others": 5}, (6, 0)),
        ("cross_imps", {}, (3, -3)),
    ],
)
def test_walkovers(name, settings, expected):
    assert walkover(name, **settings) == expected


def test_score_by_name():
    assert score("by_result", (3, 1), win=1, draw=HALF) == (1, 0)
    assert score("by_place", (3, 1, 2), points=(4, 2, 0)) == (4, 0, 2)


@pytest.mark.parametrize(
    ("name", "scores", "settings", "sentence"),
    [
        ("by_luck", (1, 2), {}, "Scoring “by_luck” not found"),
        ("by_result", (1, 2, 3), {}, "two sides, not 3"),
        ("by_result", (1, 2), {"deals": 3}, "“By result” does not have a setting “deals”"),
        ("by_result", (1, 2), {"scores": 3}, "not have a setting “scores”"),
        ("by_result", (), {}, "no scores"),
        ("by_place", (1, 2, 3), {"points": (2, 1)}, "3 sides, but points for 2 places"),
        ("by_place", (1, 2), {"points": (1, 2)}, "more points than the one before"),
        ("victory_points", (1, 2, 3), {}, "two sides, not 3"),
        ("victory_points", (1, 2), {"deals": 0}, "at least one deal"),
        ("cross_imps", (1, 2), {"unit": 0}, "unit of IMPs"),
    ],
)
def test_what_cannot_be_scored_is_refused(name, scores, settings, sentence):
    with pytest.raises(BadInput, match=sentence):
        score(name, scores, **settings)


@few
@given(fields, st.randoms(use_true_random=False))
def test_more_card_points_are_never_worth_less_and_order_does_not_matter(scores, chance):
    for name in SCORINGS:
        if name in ("by_result", "victory_points") and len(scores) != 2:
            continue
        points = score(name, scores)
        pairs = sorted(zip(scores, points, strict=True))
        assert [value for _, value in pairs] == sorted(points)
        assert len({(score, value) for score, value in pairs}) == len(set(scores))
        seats = list(range(len(scores)))
        chance.shuffle(seats)
        assert score(name, [scores[seat] for seat in seats]) == tuple(points[seat] for seat in seats)


@few
@given(fields)
def test_what_is_shared_out_is_always_as_much(scores):
    size = len(scores)
    assert sum(by_place(scores)) == Fraction(size * (size - 1), 2)
    assert sum(matchpoints(scores)) == size * (size - 1)
    assert sum(cross_imps(scores)) == 0
    if size > 1:
        assert sum(normalised_places(scores)) == Fraction(size, 2)


@few
@given(st.integers(0, 60), st.integers(1, 40))
def test_victory_points_grow_less_and_less(margin, deals):
    """To a hundredth: rounding may shift a step by one."""
    steps = [victory_points((margin + more, 0), deals=deals, unit=1)[0] for more in range(3)]
    assert 10 <= steps[0] <= steps[1] <= steps[2] <= 20
    assert steps[2] - steps[1] <= steps[1] - steps[0] + Fraction(1, 50)
