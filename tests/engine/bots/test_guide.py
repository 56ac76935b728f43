"""The guide through a first deal: every position has a hint that can be done, and who follows them learns everything."""

from __future__ import annotations

import random

import pytest

from engine.bots.first_deal import KEY, RULES, Host
from engine.bots.guide import LESSONS, REASONS, hint, lessons
from engine.play.cards import write_cards
from engine.play.game import apply, new_game
from engine.play.moves import parse_move, write_move
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import OVER
from engine.play.view import view
from tests.engine.bots.test_club_habits import position
from tests.engine.bots.test_hidden_cards import club_positions
from tests.engine.strategies import hidden_otherwise, start

OPEN = {"opened": {"0": True}}


def first_deal(rng, *, mistakes=0.0):
    """Play the first deal by its hints, with so many random moves among them; yield position, hint, move and events."""
    state = new_game(RULES, KEY, seats=4)
    bots = [Host(rng.randrange(2**32)) for _ in range(4)]
    learnt = set()
    while state.phase != OVER:
        seen = view(state, state.actor)
        advised = hint(seen, learnt)
        move = advised.move if state.actor == 0 else bots[state.actor].choose(seen)
        if state.actor == 0 and rng.random() < mistakes:
            move = rng.choice(seen.legal_moves())
        before, (state, events) = state, apply(state, move)
        learnt |= lessons(before, move, events, 0)
        yield before, advised, move, learnt, state


def hinted(learnt=(), **keys):
    """The hint in a position with `opening` none: its move, reason, cards and the cards that its meld has already."""
    advised = hint(view(position(**keys), 0), learnt)
    return write_move(advised.move), advised.reason, write_cards(advised.cards), advised.joined


@pytest.mark.parametrize("seed", range(20))
def test_who_follows_the_hints_learns_everything_and_goes_out_whatever_the_bots_do(seed):
    *_, (_, _, _, learnt, end) = first_deal(random.Random(seed))
    assert learnt == set(LESSONS)
    assert end.went_out == 0


def test_the_first_deal_has_five_turns_and_begins_with_a_draw_a_meld_and_a_discard():
    acts = [(before, move) for before, _, move, _, _ in first_deal(random.Random(1)) if before.turn == 0]
    assert sum(move.kind in ("draw", "take") for _, move in acts) == 5
    assert [move.kind for _, move in acts[:4]] == ["draw", "meld", "meld", "discard"]


def test_most_newcomers_learn_everything_though_every_fourth_move_is_another():
    """Of these 100 deals 38 taught everything while the hosts went out, and the deal ended with its stock."""
    ends = [list(first_deal(random.Random(seed), mistakes=0.25))[-1] for seed in range(100)]
    assert sum(learnt == set(LESSONS) for *_, learnt, _ in ends) >= 55


@pytest.mark.parametrize("seed", range(10))
def test_hosts_leave_going_out_to_the_newcomer(seed):
    for before, _, _, _, after in first_deal(random.Random(seed), mistakes=1.0):
        assert after.went_out in (None, 0), before.actor


@pytest.mark.parametrize("seed", range(30))
def test_whatever_a_newcomer_does_there_is_a_hint_and_it_can_be_done(seed):
    for state, advised, *_ in first_deal(random.Random(seed), mistakes=0.5):
        seen = view(state, state.actor)
        assert advised.reason in REASONS
        assert seen.why_not(advised.move) is None
        assert all(seen.hand.count(card) >= advised.cards.count(card) for card in advised.cards)


@pytest.mark.parametrize("preset", PRESETS)
def test_every_ruleset_has_a_hint_in_every_position(preset):
    rng = random.Random(3)
    state = start(Rules.preset(preset), rng)
    for _ in range(300):
        if state.phase == OVER:
            break
        seen = view(state, state.actor)
        advised = hint(seen)
        assert seen.why_not(advised.move) is None
        state = apply(state, advised.move if rng.random() < 0.7 else rng.choice(seen.legal_moves())).state


def test_the_hint_is_the_same_whatever_the_seat_cannot_see():
    rng = random.Random(7)
    for state in list(club_positions(RULES, rng)):
        other = hidden_otherwise(state, state.actor, rng)
        assert hint(view(other, other.actor)) == hint(view(state, state.actor))


def test_nothing_is_hinted_to_another_seat_nor_to_a_spectator():
    state = new_game(RULES, KEY, seats=4)
    assert (hint(view(state, 1)), hint(view(state, None))) == (None, None)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"phase": "draw", "hands": {"0": "4c 6d"}}, ("draw", "draw", "", 0)),
        ({"phase": "draw", "pile": "9d", "hands": {"0": "9c 9s 4d Qh"}, **OPEN}, ("take 9c 9s", "take", "9c 9s", 0)),
        ({"hands": {"0": "4c 6c 6d 6h 8s"}}, ("meld 6c 6d 6h", "meld", "6c 6d 6h", 0)),
        ({"hands": {"0": "4c 8s Kd Jh"}, "melds": {"0": ["K: Kc Kd Kh"]}, **OPEN}, ("meld Kd", "add", "Kd", 3)),
        (
            {"hands": {"0": "2h 4c 5s 7s 8s Jh Qh"}, "melds": {"0": ["K: Kc Kd Kh Ks"]}, **OPEN},
            ("meld K: 2h", "wild", "2h", 4),
        ),
        (
            {"hands": {"0": "4c 8s Kd Jh"}, "melds": {"0": ["K: Kc Kc Kd Kd Kh Kh"]}, **OPEN},
            ("meld Kd", "book", "Kd", 6),
        ),
        ({"hands": {"0": "Kd"}, "melds": {"0": ["K: Kc Kd Kh"]}, **OPEN}, ("meld Kd", "empty", "Kd", 3)),
    ],
    ids=["draw", "take", "meld", "add", "wild", "book", "empty"],
)
def test_the_hint_fits_the_position(keys, expected):
    assert hinted(rules={"base": "standard", "set": {"opening": "none"}}, **keys) == expected


def test_a_small_pile_is_taken_only_to_learn_it():
    keys = {"phase": "draw", "pile": "9d 4h", "hands": {"0": "9c 9s 4d Qh"}, **OPEN}
    assert hinted(**keys)[1] == "take"
    assert hinted(learnt=["take"], **keys)[1] == "draw"


@pytest.mark.parametrize(
    ("move", "learnt"),
    [
        ("meld 6c 6d 6h", {"meld"}),
        ("meld Kd", {"add"}),
        ("meld K: 2h", {"wild"}),
        ("meld 6c 6d 2h", {"meld", "wild"}),
        ("meld 6c 6d 6h, Kd", {"meld", "add"}),
        ("discard 8s", {"discard"}),
    ],
)
def test_a_move_teaches_what_it_does(move, learnt):
    state = position(
        rules={"base": "standard", "set": {"opening": "none"}},
        hands={"0": "2h 4c 6c 6d 6h 8s Kd"},
        melds={"0": ["K: Kc Kd Kh"]},
        **OPEN,
    )
    assert lessons(state, parse_move(move), apply(state, parse_move(move)).events, 0) == learnt
    assert lessons(state, parse_move(move), apply(state, parse_move(move)).events, 1) == set()
