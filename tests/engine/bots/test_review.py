"""A finished deal looked at again: costly acts, expected leads, and the same cards played by bots."""

from __future__ import annotations

import pytest

from engine.bots import review
from engine.bots.review import better_act, leads, scores_of_bots
from engine.play.game import new_game
from engine.play.moves import parse_move, write_move
from engine.play.rules import Rules
from engine.play.view import view
from tests.engine.bots.test_club_habits import position

KEY = bytes(range(32))


def better(state, move):
    return better_act(view(state, state.actor), parse_move(move), samples=12, seed=1)


def test_throwing_a_wild_card_costs_more_than_throwing_a_four():
    state = position(hands={"0": "4c 8d 8h Ts Tc 2h"})
    other_act = better(state, "discard 2h")
    assert write_move(other_act.move) != "discard 2h"
    assert other_act.gain > 0
    assert better(state, write_move(other_act.move)) is None


def test_no_act_is_blamed_where_there_is_no_choice():
    state = new_game(Rules.preset("family"), KEY, seats=4, team_size=2)
    assert better_act(view(state, state.actor), parse_move("grab 44"), samples=2, seed=1) is None
    assert better_act(view(state, (state.actor + 1) % 4), parse_move("draw"), samples=2, seed=1) is None


def test_the_same_cards_come_to_the_same_points_each_time():
    state = new_game(Rules.preset("standard"), KEY, seats=4, team_size=2)
    plays = scores_of_bots(state)
    assert len(plays) == len(review.TEMPERS) + 1
    assert all(len(scores) == 2 for scores in plays)
    assert scores_of_bots(state) == plays


def test_the_lead_of_two_teams_is_the_same_seen_from_both_sides():
    state = new_game(Rules.preset("standard"), KEY, seats=4, team_size=2)
    first, second = leads(state)
    assert first == -second


def test_a_deal_that_bots_do_not_end_is_given_up(monkeypatch):
    monkeypatch.setattr(review, "MOST_MOVES", 10)
    with pytest.raises(review.Endless) as caught:
        scores_of_bots(new_game(Rules.preset("standard"), KEY, seats=4, team_size=2))
    assert caught.value.code == "endless"
