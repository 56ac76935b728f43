"""Every level finishes a deal under every ruleset, at every table, without a move that is refused."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bots import BOTS, make_bot
from engine.bots.arena import play_deal
from engine.errors import BadInput
from engine.play.game import apply
from engine.play.moves import grab
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import LIFT, OVER
from engine.play.view import view
from tests.engine.strategies import rulesets, start
from tests.tries import tries

SHAPES = [(name, shape) for name in PRESETS for shape in Rules.preset(name).shapes]
KEY = bytes(range(32))


def teams_of(name, shape, **options):
    return [[make_bot(name, seed=team, **options) for _ in range(shape.team_size)] for team in range(shape.teams)]


@pytest.mark.parametrize(("name", "shape"), SHAPES, ids=[f"{n}-{s.seats}x{s.team_size}" for n, s in SHAPES])
def test_random_novice_and_club_finish_every_preset_at_every_table(name, shape):
    for level in ("random", "novice", "club"):
        result = play_deal(Rules.preset(name), shape, KEY, teams_of(level, shape))
        assert len(result.scores) == shape.teams


@pytest.mark.parametrize("name", PRESETS)
def test_expert_finishes_every_preset(name):
    rules = Rules.preset(name)
    teams = teams_of("club", rules.shape())
    teams[0] = teams_of("expert", rules.shape(), samples=1)[0]
    assert play_deal(rules, rules.shape(), KEY, teams).moves > 0


def test_expert_finishes_at_a_table_of_three_individuals():
    shape = Rules.preset("solo").shape(3)
    assert len(play_deal(Rules.preset("solo"), shape, KEY, teams_of("expert", shape, samples=1)).scores) == 3


@given(rulesets(), st.integers(0, 2**32))
@tries(40)
def test_a_mixed_table_finishes_a_deal_under_any_house_rules(rules, seed):
    rng = random.Random(seed)
    state = start(rules, rng)
    bots = [make_bot(rng.choice(["random", "novice", "club"]), seed=seat) for seat in range(state.seats)]
    for _ in range(6000):
        if state.phase == OVER:
            break
        move = bots[state.actor].choose(view(state, state.actor))
        state = apply(state, move).state  # raises where the move is refused
    assert state.phase == OVER


@given(rulesets(), st.integers(0, 2**32))
@tries(3)
def test_an_expert_makes_no_refused_move_under_any_house_rules(rules, seed):
    rng = random.Random(seed)
    state = start(rules, rng)
    bots = [make_bot("expert" if seat == 0 else "club", seed=seat, samples=1) for seat in range(state.seats)]
    for _ in range(150):
        if state.phase == OVER:
            break
        state = apply(state, bots[state.actor].choose(view(state, state.actor))).state


@pytest.mark.parametrize("level", BOTS)
def test_lifting_is_a_guess_around_the_number_needed(level):
    state = start(Rules.preset("denexa"), random.Random(1))
    assert state.phase == LIFT
    bot = make_bot(level, seed=3)
    guesses = [bot.choose(view(state, state.actor)).number for _ in range(300)]
    exact = guesses.count(22)
    assert 15 < exact < 120
    assert 20 < sum(guesses) / len(guesses) < 24
    assert grab(min(guesses)).number >= 1


def test_an_unknown_level_is_refused_with_a_sentence():
    with pytest.raises(BadInput, match="There is no bot 'wizard'; there are random, novice, club, expert"):
        make_bot("wizard")
