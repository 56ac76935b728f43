"""Advice: what must and must never be advised, from what the seat may know, with a sentence why."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from engine.bots.advice import Advice, advise, worths
from engine.bots.expert import Trial
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.view import view
from tests.engine.bots.test_club_habits import CONTRACT_DONE, FOOT, position
from tests.engine.bots.test_hidden_cards import club_deal
from tests.engine.strategies import hidden_otherwise

POSITIONS = json.loads((Path(__file__).parent / "advised_positions.json").read_text())


def advised(state, seat=None):
    return advise(view(state, state.actor if seat is None else seat), samples=2, seed=1)


def reason(move, **keys):
    """The reason given for a move among the advice in a position."""
    return {write_move(item.move): item.reason for item in advised(position(**keys))}[move]


def test_there_are_positions_enough():
    assert len(POSITIONS) >= 60


@pytest.mark.parametrize("entry", POSITIONS, ids=range(len(POSITIONS)))
def test_what_must_and_must_never_be_advised(entry):
    moves = [write_move(item.move) for item in advised(read_position(entry["position"]))]
    assert not set(moves) & set(entry.get("never", [])), entry["say"]
    assert moves[0] in entry.get("must", moves), entry["say"]


def test_advice_is_the_same_whatever_the_seat_cannot_see():
    rng = random.Random(7)
    for state, log in list(club_deal(Rules.preset("standard"), rng))[10:200:19]:
        worlds = [state, hidden_otherwise(state, state.actor, rng)]
        first, other = [advise(view(world, world.actor, log=log), samples=2, seed=1) for world in worlds]
        assert first == other


def test_nothing_is_advised_to_another_seat():
    assert advised(position(), seat=1) == []


def test_the_best_comes_first_and_then_by_worth():
    advice = advised(position(hands={"0": "4c 4d 6d 8s Tc Qh"}))
    assert len(advice) > 2
    assert [item.worth for item in advice[1:]] == sorted((item.worth for item in advice[1:]), reverse=True)
    assert all(type(item) is Advice and item.reason.endswith(".") for item in advice)


def test_without_time_advice_still_has_a_worth():
    assert advise(view(position(), 0), 0.0, seed=1)


def test_a_gain_that_may_be_luck_counts_nothing_and_a_loss_counts_whole():
    usual, lucky = Trial([100.0, 300.0], []), Trial([], [900.0, -100.0])
    sure, worse = Trial([], [500.0] * 400), Trial([], [-50.0, -70.0])
    values = worths([usual, lucky, sure, worse])
    assert values[:2] == [200.0, 200.0]
    assert 600 < values[2] < 700
    assert values[3] == 140.0


SHORT = "5c 6d Kh 9s 4h Jd Qs 8c 7d Th " * 4


def test_a_reason_names_what_is_kept_clean_and_what_is_missing():
    melds = {"0": ["J: Jc Jd Jh Js Jc Jd", *CONTRACT_DONE[:2], CONTRACT_DONE[2]]}
    text = reason("discard 5c", melds=melds, hands={"0": "2c 5c 6d 8s Tc"})
    assert text == "Keeps the jacks clean, though one dirty book is still missing."
    text = reason("discard 5c", melds={"0": melds["0"][:3]}, hands={"0": "2c 5c 6d 8s Tc"})
    assert text == "Keeps the jacks clean, though two dirty books are still missing."
    text = reason("discard 6d", melds={"0": [*melds["0"], CONTRACT_DONE[3]]}, hands={"0": "2c 6d 8s Tc Qc"})
    assert text == "Keeps the jacks clean."


def test_a_reason_tells_of_the_book_that_a_move_completes():
    keys = {"melds": {"0": ["9: 9c 9d 9h 9s 9c 9d"]}, "hands": {"0": "9h 5c 6d 8s Tc Qc"}, "stock": SHORT}
    assert reason("meld 9h", **keys) == "Completes a clean book, which your team still needs to go out."
    keys["melds"]["0"] += [*CONTRACT_DONE[:1], "K: Kc Kd Kh Ks Kc Kd Ks"]
    assert reason("meld 9h", **keys) == "Completes a clean book."


@pytest.mark.parametrize(
    ("move", "hand", "melds", "text"),
    [
        ("meld Kc", "Kc 5d 7h 8s 9s Tc", ["K: Kc Kd Kh"], "The kings come nearer to a book."),
        ("meld wild: 2h Xb", "2h Xb 7h 8s 9s Tc", ["wild: 2c 2d Xr"], "Wild cards in a meld of their own make the "),
        ("meld 2c 4c 4d", "2c 4c 4d 6d 8s Tc Qd Kc", ["J: Jc Jd Jh", "wild: 2c 2d 2h 2s Xr Xb 2c"], "Starts a dirty"),
    ],
)
def test_a_reason_tells_what_a_meld_is_for(move, hand, melds, text):
    assert reason(move, melds={"0": melds}, hands={"0": hand}, stock=SHORT).startswith(text)


def test_a_reason_tells_of_the_opening():
    first = advised(position(hands={"0": "Kc Kd Kh Qc Qd Qh 4c 6d 7h 8s"}))[0]
    assert (first.move.kind, first.reason) == ("meld", "Opens for your team.")


def test_a_reason_tells_what_a_claim_brings_and_why_to_draw():
    keys = {"phase": "draw", "melds": {"0": ["K: Kc Kd Kh Ks"]}, "hands": {"0": "8c 8d Tc Jd Qh Qs 5c"}}
    keys["pile"] = "8h Ac Kd 2c 9h Jc"
    assert reason("take 8c 8d", **keys) == "You get 6 cards of the pile at once. The eights come nearer to a book."
    assert reason("draw", **keys).startswith("Two new cards are worth more")
    assert reason("draw", rules="family", phase="draw") == "New cards come from the stock."


def test_a_reason_tells_that_a_black_three_blocks():
    melds = {"1": ["4: 4c 4d 4h", "5: 5c 5d 5h"]}
    keys = {"pile": "4c Qh Qs Ac Kd 2c Xr 9h Jc", "melds": melds, "hands": {"0": "3s 4d 5h 8s 9d Tc Jd"}}
    assert reason("discard 3s", **keys) == "Blocks a pile of 9 cards."


def test_a_reason_for_ending_tells_who_is_ahead():
    melds = {"0": CONTRACT_DONE, "1": ["Q: Qc Qd Qh"]}
    keys = {"melds": melds, "feet": [None, FOOT, None, FOOT], "hands": {"0": "8c", "2": "Ac"}}
    assert "points ahead" in reason("ask", **keys)
    answers = {**keys, "phase": "answer", "hands": {"0": "8c", "2": "Ac 4c"}}
    assert "points ahead" in reason("answer yes", **answers)
    assert reason("answer no", **answers) == "Your team can still gain more before the deal ends."
    behind = {"0": CONTRACT_DONE[:1], "1": [*CONTRACT_DONE, *CONTRACT_DONE]}
    assert "points behind, so" in reason("answer no", **{**answers, "melds": behind})
