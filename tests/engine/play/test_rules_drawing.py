"""Rules of drawing and taking that vectors cannot say: what happened on the way, and in which order."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.play.cards import write_cards
from engine.play.game import apply
from engine.play.moves import parse_move
from engine.play.state import State
from tests.engine.play.test_rules_positions import happened, house, play, table


def taken_with(rules: object = "standard", **keys: object) -> State:
    """A team that has opened and holds a pair of eights, before a pile that begins with one."""
    return table(rules, **{"phase": "draw", "opened": {0: True}, "hands": {0: "8d 8h Kc Kd"}, "pile": "8c 4d", **keys})


def test_standard_r18_red_threes_drawn_are_laid_one_by_one_and_only_the_rest_is_drawn() -> None:
    state = table(phase="draw", stock="3d 5c 3h 6d 7h")
    assert happened(state, "draw") == ["red_three_laid seat 0 3d", "red_three_laid seat 0 3h", "drew seat 0 5c 6d 2"]


def test_standard_cards_drawn_are_shown_to_nobody_else() -> None:
    drew = apply(table(phase="draw", stock="3d 5c 6d 7h"), parse_move("draw")).events[-1]
    assert write_cards(drew.seen_by(0).cards) == "5c 6d"
    assert [(drew.seen_by(seat).cards, drew.seen_by(seat).number) for seat in (1, 2, 3, None)] == [(b"", 2)] * 4


def test_house_red_three_replaced_never_fewer_cards_are_drawn() -> None:
    state = table(house("standard", red_three_replaced="never"), phase="draw", stock="3d 5c 6d")
    assert happened(state, "draw") == ["red_three_laid seat 0 3d", "drew seat 0 5c 1"]


def test_standard_r3_the_pile_is_taken_then_melded_then_its_red_threes_are_laid() -> None:
    assert happened(taken_with(pile="8c 3d 4d 9c"), "take 8d 8h") == [
        "took_pile seat 0 8c 3d 4d 9c 4",
        "melded seat 0 8d 8h 8c 3 8",
        "red_three_laid seat 0 3d",
    ]


def test_standard_pile_take_seven_only_the_cards_taken_are_named() -> None:
    state = taken_with(pile="8c 4d 5d 6d 7d 9d Td Jd Qd")
    assert happened(state, "take 8d 8h")[0] == "took_pile seat 0 8c 4d 5d 6d 7d 9d Td 7"


def test_standard_r9_a_claim_that_opens_says_so_after_all_its_groups() -> None:
    state = taken_with(opened={0: False}, hands={0: "8d 8h Ac Ad Ah 4c"})
    assert happened(state, "take 8d 8h, Ac Ad Ah") == [
        "took_pile seat 0 8c 4d 2",
        "melded seat 0 8d 8h 8c 3 8",
        "melded seat 0 Ac Ad Ah 3 A",
        "opened seat 0",
    ]


def test_standard_r3_a_claim_that_fills_a_book_tells_of_the_book() -> None:
    state = taken_with(melds={0: ["8: 8c 8d 8h 8s 8s"]}, hands={0: "8c 8d 8h 8s Kc"}, pile="8h 4c")
    assert happened(state, "take 8s 8c 8d 8h") == [
        "took_pile seat 0 8h 4c 2",
        "melded seat 0 8s 8c 8d 8h 8h 5 8",
        "book_completed seat 0 8c 8d 8h 8h 8s 8s 8s 7 clean 8",
    ]


def test_bain_r4_the_top_card_alone_is_melded() -> None:
    state = table("bain", phase="draw", melds={0: ["8: 8c 8d 8s"]}, pile="8h 9c")
    assert happened(state, "take") == ["took_pile seat 0 8h 9c 2", "melded seat 0 8h 1 8"]


def test_bain_r5_a_wild_discard_freezes_and_the_next_taker_unfreezes() -> None:
    state = table("bain", opened={1: True}, hands={0: "2c Kc", 1: "9d Tc", 2: "9c 9h Jc", 3: "5c 5d"}, pile="4c")
    assert happened(state, "discard 2c") == ["discarded seat 0 2c", "froze seat 0", "turn_began seat 1"]
    state = play(state, "discard 2c", "draw", "discard 9d")
    assert state.frozen is True
    state = play(state, "draw", "discard Jc", "draw", "discard 5c")
    assert state.frozen is True
    assert write_cards(state.pile) == "5c Jc 9d 2c 4c"


def test_standard_a_wild_discard_freezes_nothing_and_says_nothing() -> None:
    assert happened(table(hands={0: "2c Kc"}), "discard 2c") == ["discarded seat 0 2c", "turn_began seat 1"]


def test_house_r6_reshuffle_tells_how_many_cards_lie_in_the_new_stock() -> None:
    state = table(house("standard", stock_out="reshuffle"), phase="draw", stock="5c", pile="9c Kc Kd")
    assert happened(state, "draw")[0] == "reshuffled 3"
    assert write_cards(play(state, "draw").pile) == "9c"


def test_house_r6_reshuffle_orders_by_the_deals_key_and_counts_the_shuffles() -> None:
    pile = "9c " + "4c 4d 5c 5d 6c 6d 7c 7d 8c 8d " * 3
    rules = house("standard", stock_out="reshuffle")
    stocks = []
    for seed, reshuffles in (("00" * 32, 0), ("00" * 32, 1), ("01" * 32, 0), ("00" * 32, 0)):
        state = play(table(rules, phase="draw", stock="", pile=pile, seed=seed, reshuffles=reshuffles), "draw")
        stocks.append(state.hands[0] + state.stock)
        assert state.reshuffles == reshuffles + 1
        assert Counter(state.hands[0] + state.stock + state.pile) == Counter(table(pile=pile, hands={0: "Kc Kd"}).pile + table().hands[0])  # fmt: skip
    assert stocks[0] == stocks[3]
    assert len(set(stocks)) == 3


def test_house_r6_reshuffle_first_draws_what_there_is() -> None:
    state = table(house("standard", stock_out="reshuffle"), phase="draw", stock="As", pile="9c 4c 4d 4h 4s", hands={0: "Kc"})  # fmt: skip
    hand = write_cards(play(state, "draw").hands[0]).split()
    assert "As" in hand
    assert len(hand) == 3


def test_standard_r6_nothing_ends_by_itself_without_a_stock() -> None:
    state = table(phase="draw", stock="5c 6d", opened={1: True}, hands={0: "Kc", 1: "5d 5h 4c 4d"})
    state = play(state, "draw", "discard 5c", "take 5d 5h")
    assert (state.phase, state.turn, state.stock) == ("play", 1, b"")


def test_standard_r6_end_in_phase_draw_ends_the_deal() -> None:
    assert happened(table(phase="draw", stock="5c"), "end") == ["deal_over stock_out"]


def test_bga_r6_the_turn_that_leaves_too_few_ends_the_deal() -> None:
    state = play(table("bga", phase="draw", stock="5c 6d 7h"), "draw")
    assert happened(state, "discard Kc") == ["discarded seat 0 Kc", "deal_over stock_out"]


def test_denexa_r6_the_last_red_three_ends_the_deal_with_the_turn() -> None:
    state = table("denexa", phase="draw", stock="5c 3d")
    assert happened(state, "draw") == ["red_three_laid seat 0 3d", "drew seat 0 5c 1"]
    assert happened(play(state, "draw"), "end") == ["deal_over last_red_three"]


def test_standard_r18_walking_the_foot_is_picked_up_as_the_turn_begins() -> None:
    state = table(turn=3, hands={0: ""}, feet={0: "3d 5c"}, stock="6d 7d")
    assert happened(state, "discard Kc") == [
        "discarded seat 3 Kc",
        "turn_began seat 0",
        "foot_picked_up seat 0 2",
        "red_three_laid seat 0 3d",
    ]


def test_bga_r18_walking_the_foot_is_picked_up_before_the_next_turn_begins() -> None:
    state = table("bga", hands={0: "9d"}, feet={0: "3d 5c"}, stock="6d 7d 8d")
    assert happened(state, "discard 9d") == [
        "discarded seat 0 9d",
        "foot_picked_up seat 0 2",
        "red_three_laid seat 0 3d",
        "turn_began seat 1",
    ]


def test_standard_a_red_three_laid_at_the_start_of_a_turn_is_told() -> None:
    state = table(turn=3, hands={0: "3h Kc"}, stock="6d 7d 8d")
    assert happened(state, "discard Kc") == ["discarded seat 3 Kc", "turn_began seat 0", "red_three_laid seat 0 3h"]


def test_bain_r15_peek_shows_the_foot_to_its_owner_only() -> None:
    state = table("bain", phase="draw", first_turn=[True] * 4, feet={0: "4c 5d"})
    (peeked,) = apply(state, parse_move("peek")).events
    assert (peeked.kind, write_cards(peeked.seen_by(0).cards), peeked.number) == ("peeked", "4c 5d", 2)
    assert [peeked.seen_by(seat).cards for seat in (1, 2, 3, None)] == [b""] * 4


@pytest.mark.parametrize("first", ["draw", "take 8d 8h"])
def test_bain_r15_the_first_turn_is_over_for_peeking_with_the_first_act(first: str) -> None:
    state = taken_with("bain", first_turn=[True] * 4)
    assert play(state, first).first_turn == (False, True, True, True)


def test_denexa_r19_a_wrong_claim_is_told_and_changes_nothing_but_the_penalty() -> None:
    state = taken_with("denexa", assist=False, hands={0: "9c 9d Kc"})
    assert happened(state, "take 9c 9d") == ["penalty seat 0 -50 wrong_claim"]
    after = play(state, "take 9c 9d").draft()
    after.penalties = (0, 0)
    assert after.freeze() == state
