"""Rules of going out that vectors cannot express: events, answers, and the end of a deal."""

from __future__ import annotations

import pytest

from engine.play.cards import write_cards
from engine.play.game import apply
from engine.play.legality.legal import why_not
from engine.play.moves import parse_move
from engine.play.scoring import outcome
from engine.play.state import State
from tests.engine.play.test_rules_positions import (
    BAIN_CONTRACT,
    CONTRACT,
    JACKS,
    KINGS,
    QUEENS,
    TENS,
    happened,
    house,
    play,
    table,
)

FAMILY_CONTRACT = [KINGS, QUEENS, JACKS, TENS]
UP = [None] * 4


def ready(rules: object = "standard", **keys: object) -> State:
    """A player on the foot whose team has fulfilled the standard contract."""
    return table(rules, **{"melds": {0: CONTRACT}, "feet": {0: None, 2: None}, "hands": {0: "9d 9s"}, **keys})


# Asking


def test_standard_r15_the_question_and_the_answer_are_told() -> None:
    assert happened(ready(), "ask") == ["asked seat 0"]
    assert happened(play(ready(), "ask"), "answer yes") == ["answered seat 2 yes"]


@pytest.mark.parametrize(
    ("rules", "seats", "team_size", "asker", "partners"),
    [
        ("standard", 4, 2, 1, [3]),
        ("standard", 4, 2, 3, [1]),
        ("standard", 6, 3, 0, [2, 4]),
        ("standard", 6, 3, 3, [5, 1]),
        ("saskatchewan", 6, 3, 5, [1, 3]),
        (house("bga", permission="optional"), 9, 3, 4, [7, 1]),
        (house("bga", permission="required"), 12, 3, 9, [1, 5]),
        (house("bga", permission="required"), 12, 6, 4, [6, 8, 10, 0, 2]),
    ],
)
def test_r15_the_partners_answer_in_seat_order_after_the_asker(
    rules: object, seats: int, team_size: int, asker: int, partners: list[int]
) -> None:
    state = table(rules, seats=seats, team_size=team_size, turn=asker, feet=[None] * seats)
    state = play(state, "ask")
    answering = []
    while state.phase == "answer":
        answering.append(state.actor)
        assert state.turn == asker
        state = play(state, "answer yes")
    assert (answering, state.allowed, state.actor) == (partners, True, asker)


def test_standard_r15_only_the_partner_who_is_asked_may_answer() -> None:
    state = play(table(seats=6, feet={0: None}), "ask", "answer yes")
    answer = parse_move("answer no")
    assert [seat for seat in range(6) if why_not(state, answer, seat) is None] == [4]


def test_standard_r15_the_answer_binds_for_this_turn_only() -> None:
    state = play(ready(stock="4c 4d 5c 5d 6c 6d 7c 7d"), "ask", "answer no", "discard 9d")
    assert (state.refused, state.allowed) == (False, False)
    state = play(state, *["draw", "discard Kc"] * 3, "draw")
    assert why_not(state, parse_move("ask")) is None


# Out


def test_standard_out_by_a_discard() -> None:
    state = ready(allowed=True, hands={0: "9d"})
    assert happened(state, "discard 9d") == ["discarded seat 0 9d", "went_out seat 0", "deal_over went_out"]
    assert play(state, "discard 9d").went_out == 0


def test_standard_out_by_a_meld_the_deal_is_over_only_with_end() -> None:
    state = ready(allowed=True, hands={0: "5c 5d 5h"})
    assert happened(state, "meld 5c 5d 5h") == ["melded seat 0 5c 5d 5h 3 5"]
    state = play(state, "meld 5c 5d 5h")
    assert (state.phase, state.went_out) == ("play", None)
    assert happened(state, "end") == ["went_out seat 0", "deal_over went_out"]


def test_family_r22_the_first_out_by_a_discard_starts_the_final_turns() -> None:
    state = table("family", melds={1: FAMILY_CONTRACT}, feet=UP, turn=3, hands={3: "4c"})
    assert happened(state, "discard 4c") == ["discarded seat 3 4c", "went_out seat 3", "turn_began seat 0"]
    state = play(state, "discard 4c")
    assert (state.out_by, state.went_out, state.phase) == (3, 1, "draw")


def test_family_r22_nobody_else_goes_out_in_a_final_turn() -> None:
    state = table("family", out_by=0, turn=1, feet=UP, hands={0: "", 1: "9c", 2: "5c 5d 5h", 3: "Kc"})
    assert happened(state, "discard 9c") == ["discarded seat 1 9c", "turn_began seat 2"]
    state = play(state, "discard 9c", "draw", "meld 5c 5d 5h")
    assert happened(state, "discard 6d") == ["discarded seat 2 6d", "turn_began seat 3"]
    assert (play(state, "discard 6d").went_out, play(state, "discard 6d").out_by) == (0, 0)


def test_family_r22_the_deal_is_over_after_the_last_final_turn() -> None:
    state = table("family", out_by=2, turn=1, feet=UP, hands={2: "", 1: "9c Kc"})
    assert happened(state, "discard Kc") == ["discarded seat 1 Kc", "deal_over final_turns"]


def test_family_r22_each_of_the_others_has_exactly_one_turn() -> None:
    state = table("family", seats=6, melds={2: FAMILY_CONTRACT}, feet=[None] * 6, turn=5, hands={5: "4c"})
    state = play(state, "discard 4c")
    turns = []
    while state.phase != "over":
        turns.append(state.turn)
        state = play(state, "draw", "discard Kc")
    assert turns == [0, 1, 2, 3, 4]


def test_family_r22_in_a_final_turn_the_hand_emptied_by_end_passes_on() -> None:
    state = table("family", out_by=0, turn=1, feet=UP, hands={0: "", 1: "9c 9d 9h"})
    assert happened(play(state, "meld 9c 9d 9h"), "end") == ["turn_began seat 2"]


# Passing


def test_bga_r15_end_passes_the_turn_where_nothing_else_can_be_done() -> None:
    state = table("bga", feet={0: None}, hands={0: "4c"})
    assert happened(state, "end") == ["turn_passed seat 0", "turn_began seat 1"]


def test_standard_r15_a_drawn_out_stock_of_red_threes_leaves_one_card_and_end_passes() -> None:
    state = table(phase="draw", stock="3d 3h", feet={0: None, 2: None}, hands={0: "4c"})
    assert play(state, "draw", "end").turn == 1


def test_bain_r20_all_sevens_are_laid_and_the_deal_is_over() -> None:
    state = table("bain", feet=UP, hands=["7c 7d", "", "", ""])
    assert happened(state, "end") == ["sevens_laid seat 0 7c 7d 2", "deal_over all_kept"]
    over = play(state, "end")
    assert (over.hands[0], write_cards(over.laid_sevens[0]), over.went_out) == (b"", "7c 7d", None)


# Penalties, assist off


def test_denexa_r19_going_out_against_a_no_is_told_with_its_price() -> None:
    state = ready("denexa", assist=False, refused=True, hands={0: "9d"})
    assert "penalty seat 0 -100 out_refused" in happened(state, "discard 9d")


def test_denexa_r19_asked_and_not_gone_out_is_told_with_its_price() -> None:
    state = ready("denexa", assist=False, allowed=True)
    assert happened(state, "discard 9d") == [
        "discarded seat 0 9d",
        "penalty seat 0 -100 asked_not_out",
        "turn_began seat 1",
    ]


def test_denexa_r19_with_assist_on_nothing_is_charged() -> None:
    assert happened(ready("denexa", allowed=True), "discard 9d") == ["discarded seat 0 9d", "turn_began seat 1"]


def test_denexa_r19_the_penalty_of_a_claim_and_of_a_question_add_up() -> None:
    state = ready("denexa", assist=False, phase="draw", pile="8c", hands={0: "9d 9s"}, stock="4c 4d 5c 5d")
    state = play(state, "take 9d 9s", "draw", "ask", "answer yes", "discard 4c")
    assert state.penalties == (-150, 0)


# Wild cards announced


def test_family_r15_the_partner_tells_how_many_wild_cards() -> None:
    state = table("family", phase="draw", hands={0: "2c", 1: "2d 2h", 2: "2c 2d Xr Kc", 3: "Xb"})
    assert happened(state, "wilds") == ["wilds_told seat 2 3"]
    assert happened(play(state, "draw"), "wilds") == ["wilds_told seat 2 3"]


def test_family_r15_in_three_teams_of_two_the_partner_sits_opposite() -> None:
    assert happened(table("family", seats=6, turn=4, hands={1: "2c 2d Xr"}), "wilds") == ["wilds_told seat 1 3"]


def test_house_r15_each_of_several_partners_tells() -> None:
    state = table(house("bga", ask_wilds=True), seats=9, team_size=3, turn=1, hands={4: "2c", 7: "Xr Xb", 3: "2d"})
    assert happened(state, "wilds") == ["wilds_told seat 4 1", "wilds_told seat 7 2"]


def test_family_r15_no_card_is_named_with_the_number() -> None:
    (event,) = apply(table("family", hands={2: "2c 2d"}), parse_move("wilds")).events
    assert (event.cards, event.number) == (b"", 2)


# The end of each kind of deal scores alike but for going out (ruling 21)


@pytest.mark.parametrize(
    ("state", "moves"),
    [
        (table("bain", feet=UP, hands=["7c", "", "", ""], melds={0: [KINGS]}, red_threes=["", ""]), ["end"]),
        (table("bain", feet=UP, phase="draw", stock="5c", hands=["7c", "", "", ""], melds={0: [KINGS]}), ["end"]),
    ],
)
def test_bain_r21_without_anybody_out_nobody_scores_for_it(state: State, moves: list[str]) -> None:
    result = outcome(play(state, *moves))
    assert result is not None
    assert "out" not in {item.what for sheet in result.sheets for item in sheet}


def test_bain_out_scores_200() -> None:
    state = table("bain", feet=UP, hands=["4c", "", "", ""], melds={0: BAIN_CONTRACT}, red_threes={1: "3d 3d 3d 3d 3h 3h 3h 3h"})  # fmt: skip
    result = outcome(play(state, "discard 4c"))
    assert result is not None
    assert ("out", 1, 200) in result.sheets[0]
    assert result.sheets[1] == (("red_threes_laid", 8, -800),)
