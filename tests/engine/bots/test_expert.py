"""The search: candidates, imagined play, and the worth of a position."""

from __future__ import annotations

import random

import pytest

from engine.bots import make_bot
from engine.bots.expert import HORIZON, Expert, Trial, best_of, bound, candidates, horizon, many_candidates, play_on
from engine.bots.features import features
from engine.bots.imagining import Imagination
from engine.bots.valuation import margin
from engine.play.cards import parse_card
from engine.play.game import apply, new_game
from engine.play.legality.legal import why_not
from engine.play.moves import DISCARDS, DRAW, write_move
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.scoring import outcome
from engine.play.state import OVER
from engine.play.view import view
from tests.engine.bots.test_club_habits import CONTRACT_DONE, FOOT, STOCK, position


def table(**keys):
    return read_position({"rules": "standard", "feet": [FOOT] * 4, "stock": STOCK, "pile": "3c"} | keys)


@pytest.mark.parametrize("choices", [candidates, many_candidates])
@pytest.mark.parametrize("name", ["standard", "bain", "family", "vegas"])
def test_every_candidate_is_legal_and_none_comes_twice(name, choices):
    state = new_game(Rules.preset(name), bytes(32))
    club = make_bot("club", seed=1)
    while state.phase != OVER:
        seat_view = view(state, state.actor)
        if state.phase not in ("lift", "choose"):
            moves = choices(seat_view.position)
            assert len(set(moves)) == len(moves)
            assert all(why_not(state, move) is None for move in moves)
            assert len(moves) <= (8 if choices is candidates else 40)
        state = apply(state, club.choose(seat_view)).state


def test_candidates_hold_the_draw_beside_a_claim():
    keys = {"melds": {"0": ["K: Kc Kd Kh"]}, "hands": {"0": "8c 8d Tc"}, "pile": "8h Ac Kd 2c 9h"}
    moves = {write_move(move) for move in candidates(table(phase="draw", **keys))}
    assert {"draw", "take 8c 8d"} <= moves


def test_a_master_thinks_of_parts_of_melds_and_of_wild_cards_anywhere():
    state = table(melds={"0": ["K: Kc Kd Kh", "9: 9c 9d 9h"]}, hands={"0": "Ks Kc 8c 8d 2c 5h Tc"})
    few, many = candidates(state), many_candidates(state)
    assert many[: len(few)] == few
    assert {"meld Kc", "meld 2c 8c 8d", "meld 9: 2c", "discard 5h"} <= {write_move(move) for move in many}


def test_with_samples_the_clock_does_not_matter():
    state = table(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "8c 8d Tc Jd 4s 5h"})
    seat_view = view(state, 0)
    choices = {Expert(3, samples=3, seconds=seconds).choose(seat_view) for seconds in (0.0, 10.0)}
    assert len(choices) == 1


@pytest.mark.parametrize(
    ("hand", "usual", "plays"), [("8c 8d Tc Jd 4s 5h", "discard 4s", 6), ("8c 8d 8h Tc Jd 4s", "meld 8c 8d 8h", 1)]
)
def test_the_discard_can_take_the_time_that_is_left_and_others_a_part_of_it(monkeypatch, hand, usual, plays):
    now = iter(range(1000))
    monkeypatch.setattr("engine.bots.expert.perf_counter", lambda: float(next(now)))
    monkeypatch.setattr("engine.bots.expert.play_on", lambda deal, move, team: 0.0)
    state = view(table(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": hand}, feet=[None] * 4), 0).position
    moves = candidates(state)
    trials = Expert(3, seconds=9.0).search(state, moves)
    assert write_move(moves[0]) == usual
    assert sum(len(trial.gains) for trial in trials) == plays


def test_without_time_it_plays_by_habit():
    state = table(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "8c 8d Tc Jd 4s 5h"})
    assert Expert(3, seconds=0.0).choose(view(state, 0)) == candidates(view(state, 0).position)[0]


def test_playing_on_to_the_end_of_the_deal_gives_the_score():
    melds = {"0": CONTRACT_DONE, "1": ["Q: Qc Qd Qh"]}
    hands = {"0": "8c", "1": "Kc", "2": "Ac", "3": "9c"}
    state = table(melds=melds, feet=[None, FOOT, None, FOOT], hands=hands, allowed=True)
    over = apply(state, DISCARDS[state.hands[0][0]]).state
    scores = outcome(over).deal_score
    assert play_on(state, DISCARDS[state.hands[0][0]], 0) == scores[0] - scores[1]
    assert margin(over, 1) == scores[1] - scores[0]


def test_a_deal_with_a_short_stock_is_imagined_to_its_end(monkeypatch):
    state = position(stock="5c 6d Kh 9s 4h Jd Qs 8c " * 3, opened={"0": True}, hands={"0": "8c 8d Tc Jd"})
    valued = []
    monkeypatch.setattr("engine.bots.expert.margin", lambda reached, team: valued.append(reached.phase) or 0.0)
    play_on(state, candidates(state)[0], 0)
    assert valued == [OVER]


@pytest.mark.parametrize(("rules", "cards", "is_long"), [("standard", 24, True), ("standard", 25, False)])
def test_a_longer_stock_is_imagined_for_some_turns(rules, cards, is_long):
    assert (horizon(table(rules=rules, stock="5c " * cards)) > HORIZON) is is_long


def test_where_the_pile_is_shuffled_again_no_deal_is_imagined_to_its_end():
    rules = {"base": "standard", "set": {"stock_out": "reshuffle"}}
    assert horizon(table(rules=rules, stock="5c " * 8)) == HORIZON


def test_candidates_hold_the_way_out_that_habit_finds_unwise():
    melds = {"0": [*CONTRACT_DONE, "Q: Qc Qd Qh Qs"], "1": [*CONTRACT_DONE, *CONTRACT_DONE]}
    rules = {"base": "standard", "set": {"permission": "none"}}
    state = table(rules=rules, melds=melds, feet=[None] * 4, hands={"0": "2d 2h 4s"})
    usual, *others = [write_move(move) for move in candidates(state)]
    assert usual == "discard 4s"
    assert "meld Q: 2d 2h" in others


def test_imagined_play_is_the_same_for_the_same_cards():
    state = new_game(Rules.preset("standard"), bytes(32))
    deal = Imagination(view(state, 0).position, 0, random.Random(1)).deal()
    assert play_on(deal, DRAW, 0) == play_on(deal, DRAW, 0)


def test_a_card_that_fits_is_worth_the_same_in_the_hand_and_on_the_table():
    held = table(melds={"0": ["K: Kc Kd Kh"]}, hands={"0": "Ks 4c"})
    laid = table(melds={"0": ["K: Kc Kd Kh Ks"]}, hands={"0": "4c"})
    assert features(held, 0) == features(laid, 0)


def test_books_and_progress_are_worth_more_than_none():
    bare = table(melds={"0": ["K: Kc Kd Kh"]})
    assert margin(table(melds={"0": ["K: Kc Kd Kh Ks Kc"]}), 0) > margin(bare, 0)
    assert margin(table(melds={"0": CONTRACT_DONE[:1]}), 0) > margin(table(melds={"0": ["K: Kc Kd Kh Ks Kc Kd"]}), 0)
    assert margin(bare, 0) > margin(bare, 1)


def test_a_gain_is_doubted_the_more_the_fewer_deals_show_it():
    assert bound([100.0] * 2, -1) < bound([100.0] * 50, -1) < 100
    assert bound([100.0, 300.0], 0) == 200


@pytest.mark.parametrize(("gain", "best"), [(100.0, "draw"), (300.0, "discard 4c")])
def test_the_habit_is_left_only_for_a_gain_beyond_doubt(gain, best):
    trials = [Trial([0.0] * 4, []), Trial([gain] * 4, [gain] * 4)]
    assert write_move(best_of([DRAW, DISCARDS[parse_card("4c")]], trials)) == best
