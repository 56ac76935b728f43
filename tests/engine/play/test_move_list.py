"""The list of moves in phase play, of which each is made when somebody looks at it, is as good as a list."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.choices import legal_moves
from engine.play.legality.card_moves import card_moves
from engine.play.position import read_position
from engine.play.rules import Rules
from engine.play.state import PLAYING, State
from tests.engine.strategies import positions, rulesets
from tests.tries import tries

seeds = st.integers(0, 2**32).map(random.Random)


def table(hand: str) -> State:
    """The turn of a player of Standard whose team has opened with kings."""
    return read_position({"rules": "standard", "hands": [hand], "melds": [["K: Kc Kd Kh"]], "opened": [True]})


@given(rulesets(), seeds)
@tries(25)
def test_moves_looked_at_one_by_one_are_those_of_the_whole_list(rules: Rules, rng: random.Random) -> None:
    for state in positions(rules, rng):
        if state.phase == PLAYING:
            moves = legal_moves(state)
            singles = [moves[index] for index in range(len(moves))]
            assert singles == list(legal_moves(state)) == moves
            assert list(moves) == singles == [*moves]


def test_the_list_equals_lists_and_tuples_of_its_moves_and_nothing_else() -> None:
    moves = legal_moves(table("4c 4d 4h 5c 9s Ks 2c Xr Ac Ad"))
    alike: list[object] = [[*moves], (*moves,), legal_moves(table("4c 4d 4h 5c 9s Ks 2c Xr Ac Ad"))]
    assert [moves == other for other in alike] == [other == moves for other in alike] == [True, True, True]
    others: list[object] = [[*moves][1:], set(moves), None]
    assert [moves == other for other in others] == [False, False, False]
    assert repr(moves) == repr([*moves])


def test_it_counts_from_the_end_and_slices_like_a_list() -> None:
    moves = legal_moves(table("4c 4d 4h 5c 9s Ks 2c Xr Ac Ad"))
    last = moves[-1]
    assert last == [*moves][-1]
    assert legal_moves(table("4c 4d 4h 5c 9s Ks 2c Xr Ac Ad"))[2:5] == [*moves][2:5]
    assert last in moves
    assert moves.index(last) == len(moves) - 1


@pytest.mark.parametrize("looked_at", [False, True])
def test_there_is_no_move_beyond_the_last(looked_at: bool) -> None:
    moves = legal_moves(table("4c 5c 9s"))
    assert not looked_at or len([*moves]) == len(moves)
    with pytest.raises(IndexError):
        moves[len(moves)]


def test_a_move_added_is_the_last() -> None:
    moves = card_moves(table("4c 5c 9s"))
    count, first = len(moves), legal_moves(table("4c 5c 9s"))[0]
    moves.append(first)
    assert (len(moves), moves[count], [*moves][-1]) == (count + 1, first, first)
