"""A seat's view of its own cards."""

import pytest

from engine.play.game import apply, new_game
from engine.play.moves import grab, parse_move
from engine.play.position import read_position
from engine.play.refusals import Code
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


def test_a_view_answers_for_its_own_seat_only() -> None:
    state = new_game(Rules.preset("standard"), bytes(32), seats=4, team_size=2)
    views = {seat: view(state, seat) for seat in (None, 0, 1, 2, 3)}
    draw = parse_move("draw")
    for seat, seat_view in views.items():
        assert (seat_view.legal_moves() != []) == (seat == state.actor)
        refusal = seat_view.why_not(draw)
        assert refusal is None if seat == state.actor else refusal is not None and refusal.code == Code.NOT_YOUR_TURN
    assert repr(views[None]).endswith(" by a spectator>")
    assert repr(views[2]).endswith(" by seat 2>")


def test_a_spectator_may_do_nothing_whoever_is_to_act() -> None:
    for dealer in range(4):
        spectator = view(
            read_position({"rules": "standard", "dealer": dealer, "phase": "draw", "turn": (dealer + 1) % 4}), None
        )
        assert spectator.legal_moves() == []
        assert spectator.why_not(parse_move("draw")) is not None


@pytest.mark.parametrize(
    ("position", "sees"),
    [
        ({}, True),
        ({"first_turn": {"0": False}}, False),
        ({"peeked": {"0": False}}, False),
        ({"phase": "play"}, False),
        ({"turn": 1}, False),
    ],
)
def test_a_foot_is_seen_from_the_peek_until_the_first_draw(position, sees) -> None:
    looking = {"phase": "draw", "turn": 0, "peeked": {"0": True}, "first_turn": {"0": True}}
    state = read_position({"rules": "standard", "feet": {"0": "4c 5c", "1": "6c"}, **looking, **position})
    feet = view_to_json(view(state, 0))["feet"]
    assert feet[0] == ({"count": 2, "cards": "4c 5c"} if sees else {"count": 2})
    assert feet[1] == {"count": 1}


def test_a_view_as_json_has_these_names_and_reasons() -> None:
    state = read_position(
        {
            "rules": "standard",
            "dealer": 3,
            "turn": 0,
            "phase": "play",
            "hands": {"0": "Kc Kd 4c", "1": "5c 5d", "2": "6c", "3": "7c"},
            "melds": {"0": ["K: Kh Ks Kc"]},
            "pile": "9c Td",
        }
    )
    data = view_to_json(view(state, 0))
    assert set(data) == {
        *(
            "seat",
            "rules",
            "phase",
            "hands",
            "feet",
            "knees",
            "melds",
            "red_threes",
            "laid_sevens",
            "pile",
            "stock",
            "actor",
        ),
        *(
            "minimum",
            "clean_book_opens",
            "opened_by",
            "seats",
            "team_size",
            "deal",
            "dealer",
            "turn",
            "frozen",
            "assist",
            "allowed",
            "refused",
            "answers",
        ),
        *("foot_due", "last_red_three", "went_out", "out_by", "scores", "foot_turns", "opened", "books_by", "grabs"),
        *("penalties", "first_turn", "peeked", "legal_moves", "pile_shut", "not_out", "contract_missing"),
        *("red_threes_missing", "can_undo"),
    }
    assert data["phase"] == "play"
    assert data["hands"][0] == {"count": 3, "cards": "4c Kc Kd"}
    assert data["hands"][1] == {"count": 2}
    assert data["melds"][0] == ["K: Kc Kh Ks"]
    assert set(data["not_out"]) == {"code", "sentence"}
    assert data["legal_moves"]
    assert view_to_json(view(state, 1))["legal_moves"] == []
