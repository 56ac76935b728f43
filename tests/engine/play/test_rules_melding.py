"""Rules of melding that vectors cannot express: events on the way, and chains of melds undone."""

from __future__ import annotations

import pytest

from engine.play.state import State
from tests.engine.play.test_rules_positions import BAIN_CONTRACT, CONTRACT, KINGS, SEVENS, happened, house, play, table

SIX_EIGHTS = "8: 8c 8c 8d 8d 8h 8h"
SIX_QUEENS = "Q: Qc Qc Qd Qd Qh Qh"
ALL_RED_THREES = {0: "3d 3d 3d 3d 3h 3h 3h 3h"}


# Events


def test_standard_r9_a_first_meld_opens() -> None:
    assert happened(table(hands={0: "Ac Ad Ah 4c 4d"}), "meld Ac Ad Ah") == [
        "melded seat 0 Ac Ad Ah 3 A",
        "opened seat 0",
    ]


def test_standard_r9_a_partners_meld_opens_nothing_more() -> None:
    state = table(turn=2, melds={0: [KINGS]}, hands={2: "4c 4d 4h 5c 6d"})
    assert happened(state, "meld 4c 4d 4h") == ["melded seat 2 4c 4d 4h 3 4"]


def test_standard_r9_groups_are_told_in_the_order_written_and_by_their_meld() -> None:
    state = table(opened={0: True}, melds={0: ["9: 9c 9d 9h"]}, hands={0: "2c 2d 2h Xr Kc Kd Kh 4c 4d"})
    assert happened(state, "meld 9: Xr, wild: 2c 2d 2h, Kc Kd Kh") == [
        "melded seat 0 Xr 1 9",
        "melded seat 0 2c 2d 2h 3 wild",
        "melded seat 0 Kc Kd Kh 3 K",
    ]


@pytest.mark.parametrize(
    ("rules", "melds", "hand", "move", "book"),
    [
        ("standard", [SIX_EIGHTS], "8s Kc Kd", "meld 8s", "8c 8c 8d 8d 8h 8h 8s 7 clean 8"),
        ("standard", [SIX_EIGHTS], "2s Kc Kd", "meld 8: 2s", "2s 8c 8c 8d 8d 8h 8h 7 dirty 8"),
        ("standard", ["wild: 2c 2d 2h 2s Xr Xb"], "2s Kc Kd", "meld wild: 2s", "2c 2d 2h 2s 2s Xr Xb 7 wild wild"),
        ("standard", ["7: 7c 7c 7d 7d 7h 7h"], "7s Kc Kd", "meld 7s", "7c 7c 7d 7d 7h 7h 7s 7 clean 7"),
        ("bain", ["7: 7c 7c 7d 7d 7h 7h"], "7s Kc Kd", "meld 7s", "7c 7c 7d 7d 7h 7h 7s 7 sevens 7"),
        ("pennies", ["7: 7c 7c 7d 7d 7h 7h"], "2s Kc Kd", "meld 7: 2s", "2s 7c 7c 7d 7d 7h 7h 7 dirty 7"),
        ("family", [SIX_EIGHTS], "8s 8s Kc Kd", "meld 8s 8s", "8c 8c 8d 8d 8h 8h 8s 8s 8 clean 8"),
    ],
)
def test_r12_a_seventh_card_completes_a_book_of_its_kind(
    rules: str, melds: list[str], hand: str, move: str, book: str
) -> None:
    assert f"book_completed seat 0 {book}" in happened(table(rules, melds={0: melds}, hands={0: hand}), move)


def test_family_r7_an_eighth_card_completes_nothing() -> None:
    state = table("family", melds={0: [KINGS]}, hands={0: "2c Kd 4c"})
    assert happened(state, "meld K: 2c") == ["melded seat 0 2c 1 K"]


def test_standard_r9_two_groups_may_complete_two_books() -> None:
    state = table(melds={0: [SIX_EIGHTS, SIX_QUEENS]}, hands={0: "8s Qs Kc Kd"})
    assert happened(state, "meld 8s, Qs") == [
        "melded seat 0 8s 1 8",
        "melded seat 0 Qs 1 Q",
        "book_completed seat 0 8c 8c 8d 8d 8h 8h 8s 7 clean 8",
        "book_completed seat 0 Qc Qc Qd Qd Qh Qh Qs 7 clean Q",
    ]
    assert play(state, "meld 8s, Qs").books_by == (2, 0, 0, 0)


def test_bain_r11_the_seventh_card_makes_the_foot_due_once() -> None:
    state = table("bain", melds={0: [SIX_EIGHTS, SIX_QUEENS]}, hands={0: "8s Qs Kc Kd"}, feet={0: "4c 3d"})
    assert happened(state, "meld 8s")[-1] == "foot_due seat 0"
    state = play(state, "meld 8s")
    assert "foot_due seat 0" not in happened(state, "meld Qs")
    assert happened(state, "discard Kc") == [
        "discarded seat 0 Kc",
        "foot_picked_up seat 0 2",
        "red_three_laid seat 0 3d",
        "turn_began seat 1",
    ]


def test_bain_r11_an_own_book_on_the_foot_makes_nothing_due() -> None:
    state = table("bain", melds={0: [SIX_EIGHTS]}, hands={0: "8s Kc Kd"}, feet={0: None})
    assert [line.split()[0] for line in happened(state, "meld 8s")] == ["melded", "book_completed"]


def test_bain_r8_garbage_completes_nothing() -> None:
    state = table("bain", melds={0: [SEVENS, KINGS, "garbage: Kc Kc Kd Kd Kh Kh"]}, hands={0: "Ks 4c 5c"})
    assert happened(state, "meld garbage: Ks") == ["melded seat 0 Ks 1 garbage"]


def test_bain_r26_black_threes_are_told_as_threes() -> None:
    state = table("bain", melds={0: BAIN_CONTRACT}, red_threes=ALL_RED_THREES, feet={0: None}, hands={0: "3c 3c 3s 4d"})
    assert happened(state, "meld 3c 3c 3s") == ["melded seat 0 3c 3c 3s 3 3"]


def test_standard_hand_empty_the_foot_is_told_by_its_number_of_cards() -> None:
    state = table(opened={0: True}, hands={0: "4c 4d 4h"}, feet={0: "5c 6c 7c"})
    assert happened(state, "meld 4c 4d 4h") == ["melded seat 0 4c 4d 4h 3 4", "foot_picked_up seat 0 3"]


# Taking back


def undone(state: State, *moves: str) -> State:
    """The position after these melds and as many undos."""
    return play(state, *moves, *["undo"] * len(moves))


CHAINS = {
    "standard: three melds": (table(hands={0: "Ac Ad Ah As 4c 4d 4h 9d 9s"}), ["meld Ac Ad Ah", "meld As", "meld 4c 4d 4h"]),
    "standard: a book and a second meld": (table(melds={0: [SIX_EIGHTS]}, hands={0: "8s 8c 8d 8h 9d 9s"}), ["meld 8s", "meld 8c 8d 8h"]),
    "standard: groups of one move go back together": (table(hands={0: "Ac Ad Ah 4c 4d 4h 9d 9s"}), ["meld Ac Ad Ah, 4c 4d 4h"]),
    "bain: a book that makes the foot due": (table("bain", melds={0: [SIX_EIGHTS]}, hands={0: "8s 9c 9d 9h 4d 5d"}), ["meld 8s", "meld 9c 9d 9h"]),
    "bain: garbage": (table("bain", melds={0: [SEVENS, KINGS]}, hands={0: "Kc Kd 9d 9s"}), ["meld garbage: Kc", "meld garbage: Kd"]),
    "bain: black threes": (table("bain", melds={0: BAIN_CONTRACT}, red_threes=ALL_RED_THREES, feet={0: None}, hands={0: "3c 3c 3s 4d 4h 4s 5d"}), ["meld 4d 4h 4s", "meld 3c 3c 3s"]),
    "standard: the last card": (table(melds={0: CONTRACT}, feet={0: None, 2: None}, allowed=True, hands={0: "4c 4d 4h 5c 5d 5h"}), ["meld 4c 4d 4h", "meld 5c 5d 5h"]),
    "family: a wild card that made a book dirty": (table("family", melds={0: [KINGS]}, hands={0: "2c 9d 9s"}), ["meld K: 2c"]),
    "family: in a final turn": (table("family", out_by=0, turn=1, feet=[None] * 4, hands={0: "", 1: "4c 4d 4h 5c 5d 5h"}), ["meld 4c 4d 4h", "meld 5c 5d 5h"]),
    "denexa: after the last red three": (table("denexa", last_red_three=True, stock="", opened={0: True}, hands={0: "4c 4d 4h 5c 5d 5h 9d"}), ["meld 4c 4d 4h", "meld 5c 5d 5h"]),
}  # fmt: skip


@pytest.mark.parametrize(("state", "moves"), CHAINS.values(), ids=CHAINS)
def test_as_many_undos_as_melds_give_the_position_back(state: State, moves: list[str]) -> None:
    assert undone(state, *moves) == state


@pytest.mark.parametrize(("state", "moves"), CHAINS.values(), ids=CHAINS)
def test_undo_is_told_and_gives_back_one_move(state: State, moves: list[str]) -> None:
    before = play(state, *moves[:-1])
    assert happened(play(before, moves[-1]), "undo") == [f"undone seat {state.turn}"]
    assert play(before, moves[-1], "undo") == before


def test_standard_undo_after_a_claim_gives_back_the_meld_but_not_the_claim() -> None:
    state = table(phase="draw", opened={0: True}, pile="8c 4d", hands={0: "8d 8h 9c 9d 9h Kc"})
    claimed = play(state, "take 8d 8h")
    assert play(claimed, "meld 9c 9d 9h", "undo") == claimed
    assert claimed.undo == ()


def test_standard_undo_and_meld_again() -> None:
    state = table(hands={0: "Ac Ad Ah As 9d 9s"})
    assert play(state, "meld Ac Ad Ah", "undo", "meld Ac Ad Ah As") == play(state, "meld Ac Ad Ah As")


def test_house_r10_second_waits_counts_a_book_taken_back_no_longer() -> None:
    state = table(house("standard", book_lock="second_waits"), melds={0: [SIX_EIGHTS, SIX_QUEENS]}, hands={0: "8s Qs 4c 5c"})  # fmt: skip
    assert play(state, "meld 8s", "undo", "meld Qs").books_by == (1, 0, 0, 0)


@pytest.mark.parametrize(
    ("rules", "moves"), [("standard", ["ask", "answer yes"]), ("standard", ["ask", "answer no"]), ("family", ["wilds"])]
)
def test_an_answer_ends_what_can_be_taken_back(rules: str, moves: list[str]) -> None:
    state = table(rules, opened={0: True}, feet={0: None}, hands={0: "4c 4d 4h 9d 9s"})
    melded = play(state, "meld 4c 4d 4h")
    assert len(melded.undo) == 1
    assert play(melded, *moves).undo == ()


def test_standard_melds_before_the_foot_was_picked_up_cannot_be_taken_back() -> None:
    state = table(opened={0: True}, hands={0: "4c 4d 4h 5c 5d 5h"}, feet={0: "9c 9d 9h 6c 6d"})
    state = play(state, "meld 4c 4d 4h")
    assert len(state.undo) == 1
    state = play(state, "meld 5c 5d 5h")
    assert state.undo == ()
    assert len(play(state, "meld 9c 9d 9h").undo) == 1
