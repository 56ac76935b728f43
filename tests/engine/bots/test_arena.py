"""Matches of bots: they repeat themselves, count rightly, and show that the levels are levels."""

from __future__ import annotations

import json

import pytest

from engine.bots.arena import Task, play_deal, play_task, simulate
from engine.bots.result import DealResult, normal, summarise, wilson
from engine.errors import BadInput
from engine.play.moves import DRAW
from engine.play.refusals import IllegalMove
from engine.play.rules import Rules

STANDARD = Rules.preset("standard")
SMALL = Rules.make("standard", {"hand_cards": 6, "foot_cards": 6, "decks": 2})
"""Deals that are soon over."""


def timeless(result):
    data = result.to_json()
    del data["time"]
    return data


def test_the_same_seed_gives_the_same_result_whatever_the_number_of_jobs():
    options = {"games": 2, "bots": ["expert", "club"], "duplicate": True, "seed": 5, "samples": 1}
    alone = simulate(SMALL, jobs=1, **options)
    assert timeless(alone) == timeless(simulate(SMALL, jobs=2, **options))
    assert timeless(alone) != timeless(simulate(SMALL, jobs=1, **{**options, "seed": 6}))


def test_without_a_seed_the_deals_differ():
    first, second = (simulate(STANDARD, games=2, bots=["club", "club"]) for _ in range(2))
    assert first.mean_scores != second.mean_scores


def test_equal_bots_share_a_duplicate_match_evenly():
    result = simulate(STANDARD, games=5, bots=["club", "club"], duplicate=True, seed=1)
    assert result.wins.mean == 0.5
    assert result.difference == (0.0, 0.0, 0.0)
    assert result.deals == 10


def test_the_levels_are_levels():
    for better, worse, games in (("novice", "random", 8), ("club", "random", 8), ("club", "novice", 20)):
        result = simulate(STANDARD, games=games, bots=[better, worse], duplicate=True, seed=1)
        assert result.wins.low > 0.6, (better, worse)
        assert result.difference.low > 0


@pytest.mark.slow
def test_an_expert_with_few_samples_beats_a_novice():
    result = simulate(STANDARD, games=2, bots=["expert", "novice"], duplicate=True, seed=2, samples=2)
    assert result.wins.mean >= 0.75
    assert result.difference.mean > 1000


def test_bots_are_dealt_out_to_the_teams_in_turn():
    result = simulate(STANDARD, seats=3, games=4, bots=["club", "random"], duplicate=True, seed=1)
    assert (result.seats, result.team_size) == (3, 1)
    assert result.turns[0] > 0
    assert result.turns[1] > 0
    assert result.wins.mean > 0.5


def test_progress_is_told():
    calls = []
    simulate(STANDARD, games=3, bots=["random", "random"], seed=1, progress=lambda *counts: calls.append(counts))
    assert calls == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    "wrong",
    [{"games": 0}, {"jobs": 0}, {"bots": ["club"]}, {"bots": ["club", "wizard"]}, {"bots": ["club"] * 3}, {"seats": 7}],
)
def test_what_cannot_be_is_refused(wrong):
    with pytest.raises(BadInput):
        simulate(STANDARD, **{"games": 1, "bots": ["club", "club"], **wrong})


def test_a_refused_move_is_raised():
    class Stubborn:
        def choose(self, view):
            return DRAW

    with pytest.raises(IllegalMove):
        play_deal(STANDARD, STANDARD.shape(), bytes(32), [[Stubborn()] * 2] * 2)


def task(**changes):
    return Task(STANDARD, STANDARD.shape(), ("club", "novice"), 0, bytes(32), False, None, None)._replace(**changes)


def test_a_duplicate_task_changes_sides():
    first, second = play_task(task(duplicate=True, bots=("club", "random")))
    assert first.scores[0] > first.scores[1]
    assert second.scores[1] > second.scores[0]


def summary(*deals, duplicate=False):
    games = [list(deals)] if duplicate else [[deal] for deal in deals]
    return summarise(STANDARD, STANDARD.shape(), ("club", "novice"), games, duplicate=duplicate, seed=None, elapsed=2.0)


def test_the_figures_of_a_summary():
    deals = [DealResult((300, 100), 0, 50, (5, 4), (1.0, 2.0)), DealResult((100, 100), None, 30, (3, 4), (1.0, 2.0))]
    result = summary(*deals)
    assert result.wins.mean == 0.75
    assert result.method == "Wilson, by deals"
    assert result.difference.mean == 100
    assert result.mean_scores == (200, 100)
    assert result.went_out == (1, 0)
    assert (result.moves, result.moves_per_second) == (80, 40)
    assert result.turn_seconds == (0.25, 0.5)
    pair = summary(*deals, duplicate=True)
    assert pair.wins.mean == 0.75
    assert pair.difference.mean == 100
    assert pair.went_out == (1, 0)
    assert pair.games == 1
    assert pair.method == "Wilson, by pairs"


def test_a_result_is_json_and_lines():
    result = simulate(STANDARD, games=2, bots=["club", "random"], seed=3)
    assert json.loads(json.dumps(result.to_json()))["wins"]["mean"] == result.wins.mean
    text = "\n".join(result.lines())
    assert "club won 100.0%" in text
    assert "2 deals, seed 3" in text


def test_intervals():
    assert wilson(50, 100)[1:] == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(0, 10).low == 0
    assert wilson(10, 10)[1:] == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert normal([1.0, 0.0, 1.0, 0.0]) == pytest.approx((0.5, -0.0658, 1.0658), abs=1e-4)
    assert normal([0.7]) == (0.7, 0.7, 0.7)
