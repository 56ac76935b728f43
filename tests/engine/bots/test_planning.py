"""Plans that empty the hand: found where there is one, legal, and paid for with no more than they are worth."""

from __future__ import annotations

import random

import pytest

from engine.bots.club import sensible_move
from engine.bots.ending import closing_move
from engine.bots.knowledge import Sight
from engine.bots.planning import emptying_plan
from engine.play.cards import without
from engine.play.choices import legal_moves
from engine.play.game import apply
from engine.play.legality.legal import is_legal
from engine.play.moves import write_move
from engine.play.rules import Rules
from engine.play.state import PLAYING
from tests.engine.bots.test_club_habits import CONTRACT_DONE, position
from tests.engine.bots.test_hidden_cards import club_deal

ON_FOOT = {"feet": [None] * 4, "foot_turns": [1] * 4}


def free(old, new):
    return 0.0


def emptied(hand, *melds, **keys):
    """The cards that a plan leaves, or `None` without a plan."""
    state = position(melds={"0": list(melds)}, hands={"0": hand}, **keys)
    plan = emptying_plan(Sight(state), free)
    if plan is None:
        return None
    assert is_legal(state, plan.move)
    return len(without(state.hands[0], b"".join(group.cards for group in plan.move.groups)))


@pytest.mark.parametrize(
    ("hand", "melds", "left"),
    [
        ("Kc Ks 4d", ["K: Kc Kd Kh"], 1),
        ("4d 5d", ["K: Kc Kd Kh"], None),
        ("2c 4c 4d 9h", ["K: Kc Kd Kh"], 1),
        ("4c 4d 9h 9s 2c", ["K: Kc Kd Kh"], None),
        ("4c 4d 9h 9s 2c Xr 5d", ["K: Kc Kd Kh"], 1),
        ("2c 2d Xr", ["K: Kc Kd Kh"], 1),  # the last wild card is thrown away rather than kept
        ("Kc Kd Kh Ks 7d", ["K: Kc Kd Kh Kh Ks Ks"], 1),  # the book is filled, and three begin another meld
        ("Kc Kd 7d", ["K: Kc Kd Kh Kh Ks Ks"], None),
        ("3c 4c 4d 4h", ["K: Kc Kd Kh"], 1),
        ("3c 3s 4c 4d 4h", ["K: Kc Kd Kh"], None),
    ],
)
def test_what_can_be_emptied(hand, melds, left):
    over = emptied(hand, *melds)
    assert (over is None) == (left is None)
    assert left is None or over <= left


def test_a_hand_that_one_move_of_the_list_empties_has_a_plan():
    """Whatever the list of legal moves finds, the plan finds too, in the deals of a club."""
    rng, count = random.Random(3), 0
    for _ in range(12):
        for state, _log in club_deal(Rules.preset("standard"), rng):
            if state.phase != PLAYING or not state.opened[state.team] or not 2 <= len(state.hands[state.turn]) <= 8:
                continue
            sizes = [sum(len(g.cards) for g in move.groups) for move in legal_moves(state) if move.kind == "meld"]
            if sizes and max(sizes) >= len(state.hands[state.turn]) - 1:
                count += 1
                assert emptying_plan(Sight(state), free) is not None
    assert count > 15


def test_a_contract_and_the_hand_are_finished_in_one_turn():
    """The last dirty book is filled by two aces and a joker, and the rest goes to the pile."""
    melds = {"0": [*CONTRACT_DONE[:3], "wild: 2c 2d 2h 2s Xr Xb 2c", "A: Ac Ad Ah 2c"]}
    state = position(**ON_FOOT, melds=melds, hands={"0": "Ad Ah Xr 7d"})
    moves = []
    while state.phase != "over" and state.turn == 0:
        move = sensible_move(state)
        moves.append(write_move(move))
        state = apply(state, move).state
    assert moves[:2] == ["ask", "answer yes"] or moves[1:3] == ["ask", "answer yes"]
    assert state.went_out == 0


def test_a_partner_sees_the_contract_before_the_question():
    melds = {"0": [*CONTRACT_DONE[:3], "wild: 2c 2d 2h 2s Xr Xb 2c", "A: Ac Ad Ah Ad Ah 2c"]}
    state = position(**ON_FOOT, melds=melds, hands={"0": "Xr 7d 9c 9d 9h"})
    assert write_move(closing_move(Sight(state))) == "meld A: Xr"


def test_no_wild_card_is_thrown_away_while_another_card_can_be():
    melds = {"0": [*CONTRACT_DONE[:4], "Q: Qc Qd Qh Qs", "J: Jc Jd Jh"]}
    state = position(**ON_FOOT, melds=melds, hands={"0": "2h Xb Qd"})
    move = sensible_move(state)
    assert write_move(move) == "discard Qd"
