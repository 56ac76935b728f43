"""Bots choose by what their seat sees: positions that differ only in hidden cards get the same move."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots import make_bot
from engine.bots.imagining import Imagination
from engine.bots.knowledge import visible
from engine.play.cards import BLANK, RED_THREES
from engine.play.game import apply, new_game
from engine.play.rules import Rules
from engine.play.state import OVER, State
from engine.play.view import View, view
from tests.engine.strategies import all_cards, hidden_otherwise, rulesets, start
from tests.tries import tries


def club_positions(rules, rng, *, limit=6000):
    """The positions of a deal between club players."""
    state = start(rules, rng)
    bots = [make_bot("club", seed=seat) for seat in range(state.seats)]
    for _ in range(limit):
        if state.phase == OVER:
            return
        yield state
        state = apply(state, bots[state.actor].choose(view(state, state.actor))).state


@pytest.mark.parametrize("level", ["random", "novice", "club"])
@given(rules=rulesets(), seed=st.integers(0, 2**32))
@tries(12)
def test_what_a_seat_cannot_see_changes_nothing(level, rules, seed):
    rng = random.Random(seed)
    for state in club_positions(rules, rng):
        if rng.random() < 0.2:
            other = hidden_otherwise(state, state.actor, rng)
            first = make_bot(level, seed=5).choose(view(state, state.actor))
            assert make_bot(level, seed=5).choose(view(other, state.actor)) == first


@pytest.mark.parametrize("name", ["standard", "bain"])
def test_what_a_seat_cannot_see_changes_nothing_for_an_expert(name):
    rng = random.Random(4)
    for state in list(club_positions(Rules.preset(name), rng))[10:200:17]:
        other = hidden_otherwise(state, state.actor, rng)
        first = make_bot("expert", seed=5, samples=2).choose(view(state, state.actor))
        assert make_bot("expert", seed=5, samples=2).choose(view(other, state.actor)) == first


def test_the_arena_gives_bots_views_and_nothing_else():
    class Watcher:
        def choose(self, view):
            assert type(view) is View
            other_hands = [cards for seat, cards in enumerate(view.position.hands) if seat != view.seat]
            assert all(set(cards) <= {BLANK} for cards in [*other_hands, view.position.stock])
            assert view.position.seed is None
            return make_bot("club").choose(view)

    from engine.bots.arena import play_deal

    rules = Rules.preset("standard")
    play_deal(rules, rules.shape(), bytes(32), [[Watcher(), Watcher()], [Watcher(), Watcher()]])


def imagined(state: State, seed: int) -> State:
    position = view(state, state.actor).position
    return Imagination(position, state.actor, random.Random(seed)).deal()


@given(seed=st.integers(0, 2**32))
@tries(10)
def test_an_imagined_position_holds_the_whole_pack_and_agrees_with_the_view(seed):
    rng = random.Random(seed)
    for state in club_positions(Rules.preset("standard"), rng, limit=60):
        position = imagined(state, seed)
        assert all_cards(position) == all_cards(state)
        assert view(position, state.actor) == view(state, state.actor)
        assert visible(position, state.actor).count(BLANK) == 0
        for seat, hand in enumerate(position.hands):
            assert position.first_turn[seat] or seat == state.actor or not set(hand) & set(RED_THREES)


def test_imagined_positions_differ():
    state = new_game(Rules.preset("standard"), bytes(32))
    assert imagined(state, 1) != imagined(state, 2)
