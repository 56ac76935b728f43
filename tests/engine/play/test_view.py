"""What a seat may see of its own cards."""

from engine.play.game import apply, new_game
from engine.play.moves import grab
from engine.play.rules import Rules
from engine.play.view import view, view_to_json


def test_r1_nobody_has_a_hand_before_it_is_lifted() -> None:
    state = new_game(Rules.preset("family"), bytes(32), seats=4, team_size=2)
    first, second = state.turn, (state.turn + 1) % 4
    assert view_to_json(view(state, first))["hands"][first] == {"count": len(state.hands[first])}
    lifted = apply(state, grab(22)).state
    assert view(lifted, first).hand == lifted.hands[first]
    assert set(view(lifted, second).hand).isdisjoint(range(54))


def test_where_nobody_lifts_the_hand_is_seen_at_once() -> None:
    state = new_game(Rules.preset("standard"), bytes(32), seats=4, team_size=2)
    assert [view(state, seat).hand for seat in range(4)] == list(state.hands)
