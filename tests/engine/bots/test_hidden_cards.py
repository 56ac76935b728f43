"""Bots choose by what their seat sees: positions that differ only in hidden cards get the same move."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots import make_bot
from engine.bots.imagining import Imagination
from engine.bots.knowledge import visible
from engine.bots.memory import Memory
from engine.play.cards import BLANK, RED_THREES
from engine.play.events import Event, PublicLog
from engine.play.game import apply, new_game
from engine.play.rules import Rules
from engine.play.state import OVER, State
from engine.play.view import View, view
from tests.engine.strategies import all_cards, hidden_otherwise, rulesets, start
from tests.tries import tries


def club_deal(rules, rng, *, limit=6000):
    """The positions of a deal between club players, each with the public log that led to it."""
    state, log = start(rules, rng), PublicLog()
    bots = [make_bot("club", seed=seat) for seat in range(state.seats)]
    for _ in range(limit):
        if state.phase == OVER:
            return
        yield state, log
        state, events = apply(state, bots[state.actor].choose(view(state, state.actor, log=log)))
        log = log.after(events)


def club_positions(rules, rng, *, limit=6000):
    """The positions of a deal between club players."""
    return (state for state, _ in club_deal(rules, rng, limit=limit))


@pytest.mark.parametrize("level", ["random", "novice", "club"])
@given(rules=rulesets(), seed=st.integers(0, 2**32))
@tries(12)
def test_what_a_seat_cannot_see_changes_nothing(level, rules, seed):
    rng = random.Random(seed)
    for state, log in club_deal(rules, rng):
        if rng.random() < 0.2:
            other = hidden_otherwise(state, state.actor, rng)
            first = make_bot(level, seed=5).choose(view(state, state.actor, log=log))
            assert make_bot(level, seed=5).choose(view(other, state.actor, log=log)) == first


@pytest.mark.parametrize("level", ["expert", "master"])
@pytest.mark.parametrize("name", ["standard", "bain"])
def test_what_a_seat_cannot_see_changes_nothing_for_one_who_searches(name, level):
    rng = random.Random(4)
    for state, log in list(club_deal(Rules.preset(name), rng))[10:200:23]:
        other = hidden_otherwise(state, state.actor, rng)
        first = make_bot(level, seed=5, samples=2).choose(view(state, state.actor, log=log))
        assert make_bot(level, seed=5, samples=2).choose(view(other, state.actor, log=log)) == first


@given(rules=rulesets(), seed=st.integers(0, 2**32))
@tries(6)
def test_the_log_of_a_view_is_the_same_for_all_and_tells_no_card_that_was_drawn(rules, seed):
    last = PublicLog()
    for state, log in club_deal(rules, random.Random(seed), limit=400):
        views = [view(state, seat, log=log) for seat in [None, *range(state.seats)]]
        assert {seat_view.log for seat_view in views} == {log}
        last = log
    assert not [event for event in last.events if event.private and event.cards]
    assert "drew" in {event.kind for event in last.events}


def test_private_cards_never_enter_a_public_log():
    drew = Event("drew", 1, b"\x10\x11", 2, private=True)
    for log in (PublicLog([drew]), PublicLog().after([drew])):
        assert log.events == (drew._replace(cards=b""),)
        assert len(log) == 1


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


def imagined(state: State, seed: int, memory: Memory | None = None) -> State:
    position = view(state, state.actor).position
    return Imagination(position, state.actor, random.Random(seed), memory).deal()


@given(seed=st.integers(0, 2**32), remembers=st.booleans())
@tries(10)
def test_an_imagined_position_holds_the_whole_pack_and_agrees_with_the_view(seed, remembers):
    rng = random.Random(seed)
    for state, log in club_deal(Rules.preset("standard"), rng, limit=120):
        position = imagined(state, seed, Memory().follow(log) if remembers else None)
        assert all_cards(position) == all_cards(state)
        assert view(position, state.actor) == view(state, state.actor)
        assert visible(position, state.actor).count(BLANK) == 0
        for seat, hand in enumerate(position.hands):
            assert position.first_turn[seat] or seat == state.actor or not set(hand) & set(RED_THREES)


def test_imagined_positions_differ():
    state = new_game(Rules.preset("standard"), bytes(32))
    assert imagined(state, 1) != imagined(state, 2)
