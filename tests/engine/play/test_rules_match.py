"""Rules of the match: its length and its winner (ruling 23), deal after deal."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.cards import write_cards
from engine.play.game import next_deal
from engine.play.scoring import outcome
from engine.play.state import State
from tests.engine.play.test_rules_positions import house, play, table

KEY = bytes(32)
EXTRA = house("standard", tie="extra_deals")
SHARED_TARGET = house("bain", tie="shared", length={"target": 1000})


def over(rules: Any, deal: int, scores: list[int], **keys: Any) -> State:
    """A deal that is over and changed nothing."""
    seats = keys.get("seats", 6 if rules == "pennies" else 4)
    return table(rules, phase="over", deal=deal, scores=scores, hands=[""] * seats, feet=[None] * seats, **keys)


@pytest.mark.parametrize(
    ("rules", "deal", "scores", "winners"),
    [
        ("standard", 3, [500, 0], None),
        ("standard", 4, [500, 0], (0,)),
        ("standard", 4, [-5, -5], (0, 1)),
        ("denexa", 4, [0, 5], (1,)),
        ("family", 1, [0, 5], (1,)),
        ("family", 1, [7, 7], (0, 1)),
        ("solo", 4, [1, 9, 9, 3], (1, 2)),
        ("bga", 3, [30000, 0], None),
        ("bga", 4, [30000, 0], (0,)),
        ("saskatchewan", 4, [10, 20], (1,)),
        ("bain", 30, [19999, 0], None),
        ("bain", 1, [20000, 0], (0,)),
        ("bain", 9, [20005, 23000], (1,)),
        ("bain", 9, [20000, 20000], None),
        ("pennies", 9, [25000, 25000], None),
        ("pennies", 9, [19000, 20000], (1,)),
        (EXTRA, 4, [70, 70], None),
        (EXTRA, 5, [70, 71], (1,)),
        (EXTRA, 6, [70, 70], None),
        (SHARED_TARGET, 2, [1000, 1000], (0, 1)),
        (SHARED_TARGET, 2, [999, 999], None),
    ],
)
def test_r23_winners(rules: Any, deal: int, scores: list[int], winners: tuple[int, ...] | None) -> None:
    result = outcome(over(rules, deal, scores))
    assert result is not None
    assert (result.totals, result.winners) == (tuple(scores), winners)


def test_r23_a_tie_below_the_best_is_no_tie() -> None:
    result = outcome(over(house("bga", tie="extra_deals"), 4, [5, 5, 9], seats=9, team_size=3))
    assert result is not None
    assert result.winners == (2,)


def test_standard_four_deals_and_no_fifth() -> None:
    state = over("standard", 1, [0, 0])
    for deal in (2, 3, 4):
        state = next_deal(state, KEY)
        assert (state.deal, state.dealer) == (deal, deal - 2)
        state = over("standard", deal, [10 * deal, 0], dealer=state.dealer)
    result = outcome(state)
    assert result is not None
    assert result.winners == (0,)


def test_bain_r9_the_minimum_follows_the_total_into_the_next_deal() -> None:
    ended = table("bain", phase="over", scores=[4400, -90], hands=["", "", "", ""], feet=[None] * 4, melds={0: ["K: Kc Kc Kd Kd Kh Kh Ks"], 1: ["A: Ac Ad Ah"]})  # fmt: skip
    state = next_deal(ended, KEY)
    assert state.scores == (4970, -30)
    minimums = []
    for _ in range(2):
        minimums.append(state.minimum)
        state = play(state, "draw", "discard " + first_discard(state))
    assert minimums == [15, 50]


def first_discard(state: State) -> str:
    """A card that the seat to act holds and may discard in Bain."""
    return next(card for card in write_cards(state.hands[state.turn]).split() if card[0] not in "73")


def test_standard_r9_the_minimum_follows_the_deal() -> None:
    assert [table(deal=deal).minimum for deal in range(1, 7)] == [50, 90, 120, 150, 150, 150]
    assert table(deal=2, opened={0: True}).minimum == 0
