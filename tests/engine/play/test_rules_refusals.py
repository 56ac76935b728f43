"""Why a move is refused: every code, and the sentence the player reads, with the ruleset and the section it rests on."""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.cards import parse_cards, write_cards
from engine.play.game import apply
from engine.play.legality.legal import why_not
from engine.play.moves import parse_move
from engine.play.refusals import Code, IllegalMove
from engine.play.state import State, put
from tests.engine.play.test_rules_positions import (
    BAIN_CONTRACT,
    CONTRACT,
    KINGS,
    SEVENS,
    WILD,
    house,
    play,
    refusal,
    table,
)

STACKS = {seat: ["4c 5c", "6c 7c"] for seat in range(4)}
EIGHT_RED_THREES = {0: "3d 3d 3d 3d 3h 3h 3h 3h"}
UP = {0: None, 2: None}
TWO_STAY = "Until then you need two cards: one to discard and one to keep."
BLACK_THREES_GO_OUT = "Threes of clubs and spades are melded only when going out."
HELD_EIGHTS = {"phase": "draw", "opened": {0: True}, "hands": {0: "8d 8h Kc Kd"}}
HELD_KINGS = {"opened": {0: True}, "hands": {0: "Kc Kc Kd Kd Kh Kh Ks Ks 4c 4d 2c 2d 2h"}}
STANDARD_ASKS = "Your team cannot go out yet. It still needs two clean books, two dirty books and one wild book."


def ready(rules: Any = "standard", **keys: Any) -> State:
    """A player on the foot whose team has fulfilled the standard contract, with leave to go out."""
    return table(rules, **{"melds": {0: CONTRACT}, "feet": UP, "allowed": True, **keys})


def bain_ready(**keys: Any) -> State:
    """A player on the foot whose team has fulfilled Bain's contract."""
    return table("bain", **{"melds": {0: BAIN_CONTRACT}, "feet": UP, "red_threes": EIGHT_RED_THREES, **keys})


def holding_a_red_three() -> State:
    """A position that play never reaches: a red three in the hand of the seat to act."""
    draft = table(opened={0: True}).draft()
    draft.hands = put(draft.hands, 0, bytes(sorted(parse_cards("3c 3d 3d 3h Kc"))))
    return draft.freeze()


CASES: dict[str, tuple[State, str, Code, str]] = {
    # before the deal
    "a deal that is over": (table(phase="over"), "draw", Code.DEAL_OVER, "The deal is over."),
    "denexa r1 drawing while cards are lifted": (table("denexa", phase="lift", stacks=STACKS), "draw", Code.WRONG_PHASE, "The cards are being lifted. Enter how many you lifted."),
    "denexa r1 lifting nothing": (table("denexa", phase="lift", stacks=STACKS), "grab 0", Code.OUT_OF_RANGE, "You can lift from 1 to 270 cards."),
    "bain-sized pack: lifting more than there is": (table(house("bain", lift_bonus=100), phase="lift"), "grab 217", Code.OUT_OF_RANGE, "You can lift from 1 to 216 cards."),
    "denexa r2 drawing while stacks are chosen": (table("denexa", phase="choose", stacks=STACKS), "draw", Code.WRONG_PHASE, "Choose one of your two stacks first."),
    "denexa r1 lifting after the deal": (table("denexa", phase="draw"), "grab 22", Code.WRONG_PHASE, "Cards are lifted before the deal."),
    "denexa r2 keeping after the deal": (table("denexa", phase="draw"), "keep 1", Code.WRONG_PHASE, "Stacks are chosen before the deal."),
    # looking at the foot
    "standard foot_seen no": (table(phase="draw", first_turn=[True] * 4), "peek", Code.NOT_IN_RULES, "Nobody looks at the foot in this ruleset."),
    "bain r15 peeking after the first turn": (table("bain", phase="draw"), "peek", Code.TOO_LATE, "You can look at your foot only before your first turn."),
    "bain r15 peeking twice": (play(table("bain", phase="draw", first_turn=[True] * 4), "peek"), "peek", Code.TOO_LATE, "You have already looked at your foot. You can do that only once."),
    "bain r15 peeking after drawing": (table("bain", first_turn=[True] * 4), "peek", Code.WRONG_PHASE, "You can look at your foot only before drawing or taking the discard pile in your first turn."),
    # drawing
    "standard r25 drawing twice": (table(), "draw", Code.WRONG_PHASE,
        "You have already drawn or taken the pile in this turn."),
    "standard r6 too small a stock": (table(phase="draw", stock="5c"), "draw", Code.STOCK_OUT, "The stock has too few cards to draw. Take the discard pile or end the deal."),
    "standard r6 ending with a stock": (table(phase="draw"), "end", Code.CANNOT_END, "Draw or take the discard pile first. The stock has enough cards."),
    # taking
    "standard r25 taking after drawing": (table(pile="8c", opened={0: True}, hands={0: "8d 8h Kc"}), "take 8d 8h", Code.WRONG_PHASE,
        "You have already drawn or taken the pile in this turn."),
    "family pile_take none": (table("family", **HELD_EIGHTS, pile="8c"), "take 8d 8h", Code.PILE_NEVER_TAKEN, "The discard pile is never taken in this ruleset."),
    "standard taking from an empty pile": (table(**HELD_EIGHTS, pile=""), "take 8d 8h", Code.PILE_EMPTY, "The discard pile is empty."),
    "standard a black three on top": (table(**HELD_EIGHTS, pile="3c 8c"), "take 8d 8h", Code.PILE_BLOCKED,
        "You cannot take the discard pile while 3c is on top."),
    "bain r5 a red three on top": (table("bain", **HELD_EIGHTS, pile="3h", frozen=True), "take 8d 8h", Code.PILE_BLOCKED, "You cannot take the discard pile while 3h is on top."),
    "house take_needs_open": (table(house("standard", take_needs_open=True), phase="draw", pile="Ac", hands={0: "Ad Ah Kc"}), "take Ad Ah", Code.PILE_NEEDS_OPEN, "Your team must have melded before it can take the discard pile."),
    "bain wild_on_top never": (table("bain", phase="draw", opened={0: True}, pile="2c", hands={0: "2d 2h Kc"}), "take 2d 2h", Code.WILD_ON_TOP, "You cannot take the discard pile while a wild card is on top."),
    "standard naturals on a wild top card": (table(**HELD_EIGHTS, pile="2c"), "take 8d 8h", Code.WILD_ON_TOP, "A wild card on top of the discard pile can only join a meld of wild cards."),
    "standard a mixed pair for a two": (table(phase="draw", opened={0: True}, pile="2c", hands={0: "2d Xr Kc"}), "take 2d Xr", Code.CLAIM_TOO_WEAK, "You need two twos from your hand to take 2c."),
    "standard a mixed pair for a joker": (table(phase="draw", opened={0: True}, pile="Xb", hands={0: "2d Xr Kc"}), "take 2d Xr", Code.CLAIM_TOO_WEAK, "You need two jokers from your hand to take Xb."),
    "standard r3 one natural and a wild card": (table(phase="draw", opened={0: True}, pile="8c", hands={0: "8d 2c Kc"}), "take 8d 2c", Code.CLAIM_TOO_WEAK, "You need two natural eights from your hand to take 8c."),
    "standard r4 taking without cards": (table(**HELD_EIGHTS, pile="8c", melds={0: ["8: 8c 8d 8h"]}), "take", Code.CLAIM_TOO_WEAK,
        "Select the cards from your hand that take the top card."),
    "house r3 one_match without a natural": (table(house("standard", pile_claim="one_match"), phase="draw", melds={0: ["8: 8c 8d 8h"]}, pile="8c", hands={0: "2c 2d Kc"}), "take 2c 2d", Code.CLAIM_TOO_WEAK, "You need a natural eight from your hand to take 8c."),
    "denexa r3 one card beside the meld": (table("denexa", **HELD_EIGHTS, melds={0: ["8: 8c 8d 8h"]}, pile="8c"), "take 8d", Code.CLAIM_TOO_WEAK, "You need two cards from your hand that go with 8c."),
    "house pile_claim none": (table(house("standard", pile_claim="none", pile_to_meld="unfrozen"), **HELD_EIGHTS, pile="8c"), "take 8d 8h", Code.CLAIM_TOO_WEAK,
        "In this ruleset you cannot take the discard pile with cards from your hand."),
    "bain r5 frozen, one natural": (table(house("bain", pile_claim="one_match"), phase="draw", melds={0: ["8: 8c 8d 8h"]}, pile="8c 2c", frozen=True, hands={0: "8s Kc Kd"}), "take 8s", Code.PILE_FROZEN, "The discard pile is frozen. You need two natural eights from your hand to take it."),
    "bain r5 frozen, onto the meld": (table("bain", phase="draw", melds={0: ["8: 8c 8d 8h"]}, pile="8c 2c", frozen=True), "take", Code.PILE_FROZEN,
        "The discard pile is frozen. You need a natural pair from your hand to take it."),
    "bain r4 no meld for the top card": (table("bain", phase="draw", melds={0: ["8: 8c 8d 8h"]}, pile="9c"), "take", Code.NO_MELD_FOR_TOP, "Your team has no incomplete meld that 9c could join."),
    "bain r8 claiming for garbage": (table("bain", phase="draw", melds={0: [SEVENS, KINGS]}, pile="Ks", hands={0: "Kc Kd 4c 5c"}), "take garbage: Kc Kd", Code.GARBAGE, "The top card of the discard pile can only join a meld, not the garbage pile."),
    "standard r3 five on the table and a pair": (table(phase="draw", melds={0: ["8: 8c 8c 8d 8h 8s"]}, pile="8c", hands={0: "8d 8h Kc Kd"}), "take 8d 8h", Code.TOO_FEW_CARDS,
        "A new meld needs at least three cards."),
    "standard taking with a card that is not held": (table(**HELD_EIGHTS, pile="8c"), "take 8d 8s", Code.NOT_HELD, "You do not have 8s."),
    # melding
    "standard r25 melding before drawing": (table(phase="draw"), "meld Kc Kd Kh", Code.WRONG_PHASE,
        "Draw or take the discard pile before you meld."),
    "standard melding what is not held twice": (table(opened={0: True}, hands={0: "Kc Kd Kh 4c"}), "meld Kc Kc Kd", Code.NOT_HELD, "You do not have 2 × Kc."),
    "standard one card in two groups": (table(opened={0: True}, hands={0: "Kc Kd Kh Ks 4c 4d"}), "meld Kc Kd Kh, Kc Ks Kd", Code.NOT_HELD, "You do not have 2 × Kc."),
    "a red three in a meld": (holding_a_red_three(), "meld 3d 3d 3h", Code.RED_THREE,
        "You cannot meld a red three. It is laid automatically."),
    "a red three discarded": (holding_a_red_three(), "discard 3d", Code.RED_THREE,
        "You cannot discard a red three. It is laid automatically."),
    "standard two ranks in a meld": (table(**HELD_KINGS), "meld Kc Kd 4c", Code.MIXED_RANKS, "The natural cards of a meld are all of one rank."),
    "standard r9 wild cards without a name": (table(**HELD_KINGS), "meld 2c 2d 2h", Code.NEEDS_NAME,
        "Choose a meld for these wild cards."),
    "standard r9 the wrong name": (table(**HELD_KINGS), "meld Q: Kc Kd Kh", Code.NAME_DISAGREES, "These are kings, not queens."),
    "standard r9 another wrong name, with a wild card": (table(**HELD_KINGS), "meld A: 4c 4d 2c", Code.NAME_DISAGREES, "These are fours, not aces."),
    "standard two cards": (table(**HELD_KINGS), "meld Kc Kd", Code.TOO_FEW_CARDS,
        "A new meld needs at least three cards."),
    "standard wild_limits in three": (table(**HELD_KINGS), "meld Kc 2c 2d", Code.TOO_MANY_WILD, "A meld of three cards can have one wild card. This one has two."),
    "standard wild_limits in seven": (table(**HELD_KINGS), "meld Kc Kc Kd Kd 2c 2d 2h", Code.TOO_MANY_WILD, "A meld of seven cards can have two wild cards. This one has three."),
    "family r7 wild_limits in nine": (table("family", **HELD_KINGS), "meld Kc Kc Kd Kd Kh Kh 2c 2d 2h", Code.TOO_MANY_WILD, "A meld of nine cards can have two wild cards. This one has three."),
    "house wild_limits none": (table(house("standard", wild_limits=[0, 0, 0, 1, 1]), **HELD_KINGS), "meld Kc Kd 2c", Code.TOO_MANY_WILD, "A meld of three cards can have no wild cards. This one has one."),
    "standard only wild cards under a rank's name": (table(**HELD_KINGS), "meld K: 2c 2d 2h", Code.TOO_MANY_WILD, "A meld of three cards can have one wild card. This one has three."),
    "bain pure_ranks 7": (table("bain", melds={0: ["7: 7c 7d 7h"]}, hands={0: "2c Kc Kd"}), "meld 7: 2c", Code.PURE_RANK, "A meld of sevens cannot have a wild card."),
    "bain black threes with a wild card": (bain_ready(hands={0: "3c 3s 2c 4d"}), "meld 3c 3s 2c", Code.PURE_RANK, "A meld of threes cannot have a wild card."),
    "standard r9 kings among the wild cards": (table(**HELD_KINGS), "meld wild: Kc 2c 2d", Code.WILD_MELD, "A meld of wild cards cannot have Kc."),
    "solo wild_melds no": (table("solo", **HELD_KINGS), "meld wild: 2c 2d 2h", Code.WILD_MELD, "Melds of wild cards only are not played in this ruleset."),
    "standard eight in one group": (table(**HELD_KINGS), "meld Kc Kc Kd Kd Kh Kh Ks Ks", Code.BOOK_FULL, "A meld has at most seven cards, and these are 8. Meld the others separately."),
    "standard two on six": (table(melds={0: ["K: Kc Kc Kd Kd Kh Kh"]}, hands={0: "Ks Ks 4c 4d"}), "meld Ks Ks", Code.BOOK_FULL, "Your team’s meld of kings has 6 cards and room for one more. These are 2."),
    "standard three on five wild cards": (table(melds={0: ["wild: 2c 2d 2h 2s Xr"]}, hands={0: "2c 2d 2h 4c 4d"}), "meld wild: 2c 2d 2h", Code.BOOK_FULL, "Your team’s meld of wild cards has 5 cards and room for two more. These are 3."),
    "house r38 no meld with wild cards": (table(house("standard", melds_per_rank="free"), melds={0: ["8: 8c 8d 8h"]}, hands={0: "8s 9c Kc"}), "meld 8*: 8s", Code.NO_SUCH_MELD, "Your team has no incomplete meld of eights with wild cards."),
    "house r38 a second incomplete meld": (table("standard", melds={0: ["8: 8c 8d 8h"]}, hands={0: "8s 8s 8c 9c Kc"}), "meld new 8s 8s 8c", Code.SECOND_MELD, "Your team has an incomplete meld of eights. Another one is not allowed at the same time."),
    "house r32 a closed book": (table(house("standard", books_grow={"clean": "natural"}), melds={0: ["8: 8c 8c 8d 8d 8h 8h 2c"]}, hands={0: "8s 9c Kc"}), "meld 8s", Code.BOOK_FULL, "Your team’s book of eights is closed. Nothing is added to it."),
    "house r34 too wild beyond seven": (table(house("standard", books_grow=True, wild_beyond="equal"), melds={0: ["8: 8c 8c 8d 8d 8h 2c 2c"]}, hands={0: "2d 2d 2h 2h 9c Kc"}), "meld 8: 2d 2d 2h 2h", Code.TOO_MANY_WILD, "A book of more than seven cards cannot have more wild cards than natural ones."),
    "house r38 a star without several melds": (table("standard", opened={0: True}, melds={0: ["8: 8c 8d 8h"]}, hands={0: "8s Kc Kd"}), "meld 8*: 8s", Code.NOT_IN_RULES, "A star names a meld only if a rank may have several melds."),
    "house r32 a book of natural cards": (table(house("standard", books_grow={"clean": "natural"}), opened={0: True}, melds={0: ["8: 8c 8c 8d 8d 8h 8h 8s"]}, hands={0: "2c Kc Kd"}), "meld 8: 2c", Code.BOOK_FULL, "Your team’s book of eights takes natural cards only."),
    "house r44 nothing drawn from the top": (table("standard", phase="draw"), "draw top", Code.NOT_IN_RULES, "Cards are drawn from the stock only in this ruleset."),
    "house r44 a natural card is needed": (table(house("standard", draw_top="melded"), phase="draw", opened={0: True}, pile="8h", hands={0: "2c 2d 9c"}), "draw top 2c 2d", Code.CLAIM_TOO_WEAK, "You need a natural eight from your hand to draw 8h."),
    "house r46 no wild card with the pair": (table(house("standard", pile_claim="naturals"), phase="draw", pile="8h", hands={0: "8c 8d 2c Kc"}), "take 8c 8d 2c", Code.CLAIM_TOO_WEAK, "No wild card may go with the cards that take the discard pile."),
    "house r40 each player opens": (table(house("standard", opening_terms=["each_player"]), hands={0: "4c 4d 4h Kc Kd"}), "meld 4c 4d 4h", Code.BELOW_MINIMUM, "You need at least 50 points to open. These cards are worth 15."),
    "house r40 a clean book opens": (table(house("standard", opening={"by_deal": ["clean_book"]}), hands={0: "Ac Ad Ah Kc Kd"}), "meld Ac Ad Ah", Code.BELOW_MINIMUM, "To open in this deal, you must lay a book without wild cards."),
    "house second_meld no": (table(house("standard", second_meld=False), melds={0: [KINGS]}, hands={0: "Kc Kd Kh 4c 4d"}), "meld Kc Kd Kh", Code.SECOND_MELD, "Your team has a complete book of kings. A second meld of them is not allowed."),
    "house second_meld no, wild": (table(house("standard", second_meld=False), melds={0: [WILD]}, hands={0: "2c 2d 2h 4c 4d"}), "meld wild: 2c 2d 2h", Code.SECOND_MELD, "Your team has a complete book of wild cards. A second meld of them is not allowed."),
    "standard r9 below the minimum": (table(hands={0: "Kc Kd Kh 4c 4d"}), "meld Kc Kd Kh", Code.BELOW_MINIMUM, "Your team needs at least 50 points to open. These melds are worth 30."),
    "standard r9 a claim below the minimum": (table(phase="draw", deal=3, pile="8c", hands={0: "8d 8h Ac Ad Ah 4c"}), "take 8d 8h, Ac Ad Ah", Code.BELOW_MINIMUM, "Your team needs at least 120 points to open. These melds are worth 90."),
    "bain r10 opener_waits": (table("bain", melds={0: ["K: Kc Kc Kd Kd Kh Kh"]}, opener={0: 0}, hands={0: "Ks 4c 4d"}), "meld Ks", Code.BOOK_LOCK,
        "You opened for your team. A partner must complete a book and pick up the foot before you can complete one."),
    "house r10 second_waits": (table(house("standard", book_lock="second_waits"), melds={0: ["K: Kc Kc Kd Kd Kh Kh"]}, books_by={0: 1}, hands={0: "Ks 4c 4d"}), "meld Ks", Code.BOOK_LOCK,
        "You have completed a book. Every partner must complete one before you complete another."),
    # garbage
    "standard garbage no": (table(melds={0: [SEVENS, KINGS]}, hands={0: "Kc 4c 4d"}), "meld garbage: Kc", Code.GARBAGE, "There is no garbage pile in this ruleset."),
    "bain r8 garbage before the sevens": (table("bain", melds={0: [KINGS]}, hands={0: "Kc 4c 4d"}), "meld garbage: Kc", Code.GARBAGE, "The garbage pile starts once your team has a book of sevens."),
    "bain r8 garbage of an unfinished rank": (table("bain", melds={0: [SEVENS, KINGS]}, hands={0: "Kc 4c 4d 5d"}), "meld garbage: Kc 4c", Code.GARBAGE, "You cannot put 4c on the garbage pile, because your team has no complete book of its rank."),
    "bain r8 sevens as garbage": (table("bain", melds={0: [SEVENS, KINGS]}, hands={0: "7c 4c 4d"}), "meld garbage: 7c", Code.GARBAGE, "You cannot put sevens on the garbage pile."),
    "bain r8 wild garbage": (table("bain", melds={0: [SEVENS, KINGS]}, hands={0: "2c 4c 4d"}), "meld garbage: 2c", Code.GARBAGE, "You cannot put wild cards on the garbage pile."),
    # black threes
    "standard black_three_meld never": (ready(hands={0: "3c 3c 3s 4d"}), "meld 3c 3c 3s", Code.BLACK_THREES, "Threes of clubs and spades are never melded in this ruleset."),
    "bain r26 black threes from the hand": (bain_ready(feet={}, hands={0: "3c 3c 3s 4d"}), "meld 3c 3c 3s", Code.BLACK_THREES, f"{BLACK_THREES_GO_OUT} You can go out only from your foot, and it is still face down."),
    "bain r26 black threes without the contract": (bain_ready(melds={0: [KINGS, SEVENS]}, hands={0: "3c 3c 3s 4d"}), "meld 3c 3c 3s", Code.BLACK_THREES, f"{BLACK_THREES_GO_OUT} Your team cannot go out yet. It still needs one dirty canasta and one wild canasta."),
    "bain r26 black threes that leave two": (bain_ready(hands={0: "3c 3c 3s 4d 5d"}), "meld 3c 3c 3s", Code.BLACK_THREES, "Threes of clubs and spades are melded only in a move that leaves you at most one card."),
    # cards left in the hand
    "pennies r11 no right to the foot": (table("pennies", opened={0: True}, hands={0: "8c 8d 8h Kc"}), "meld 8c 8d 8h", Code.KEEP_CARDS, "Until you have laid the seventh card of a book yourself, you need two cards: one to discard and one to keep."),
    "bain r11 a card to discard": (table("bain", melds={0: ["K: Kc Kc Kd Kd Kh Kh"]}, hands={0: "Ks"}), "meld Ks", Code.KEEP_CARDS, "Keep a card to discard. The foot joins your hand after that."),
    "bain r11 the last card discarded": (table("bain", opened={0: True}, hands={0: "4c"}), "discard 4c", Code.KEEP_CARDS, "You cannot discard your last card before you have laid the seventh card of a book yourself."),
    "house r6 r11 the last red three and no right to the foot": (table(house("bain", last_red_three_ends=True), opened={0: True}, last_red_three=True, stock="", hands={0: "8c 8d 8h"}), "meld 8c 8d 8h", Code.KEEP_CARDS, "Until you have laid the seventh card of a book yourself, keep a card."),
    "bain r15 only sevens left": (table("bain", opened={0: True}, hands={0: "8c 8d 8h 7c 7d"}), "meld 8c 8d 8h", Code.KEEP_DISCARD,
        "You would have no card you can discard."),
    # discarding and ending
    "standard r25 discarding before drawing": (table(phase="draw"), "discard Kc", Code.WRONG_PHASE, "Draw or take the discard pile before you discard."),
    "standard discarding what is not held": (table(), "discard 5c", Code.NOT_HELD, "You do not have 5c."),
    "bain kept_ranks 7": (table("bain", hands={0: "7c Kc"}), "discard 7c", Code.KEPT_RANK, "Sevens cannot be discarded in this ruleset."),
    "pennies kept_until own_sevens": (table("pennies", hands={0: "7c Kc"}), "discard 7c", Code.KEPT_RANK, "Sevens cannot be discarded until your team has a book of sevens."),
    "denexa r6 discarding after the last red three": (table("denexa", last_red_three=True, stock=""), "discard Kc", Code.NO_DISCARD, "The stock ended with a red three. Meld the cards you can, then end your turn without a discard."),
    "standard r25 ending with cards": (table(), "end", Code.CANNOT_END, "End your turn by discarding a card."),
    # going out
    "standard r15 melding without the contract": (ready(melds={0: [KINGS]}, hands={0: "5c 5d 5h 9d"}), "meld 5c 5d 5h", Code.CONTRACT, f"Your team cannot go out yet. It still needs one clean book, two dirty books and one wild book. {TWO_STAY}"),
    "standard r15 discarding without the contract": (ready(melds={}, hands={0: "9d"}), "discard 9d", Code.CONTRACT, f"{STANDARD_ASKS} You must keep your last card."),
    "bain r12 the contract names sevens": (bain_ready(melds={0: [KINGS, WILD]}, hands={0: "9d"}), "discard 9d", Code.CONTRACT, "Your team cannot go out yet. It still needs one dirty canasta and one book of sevens. You must keep your last card."),
    "house r6 r15 the last red three and no contract": (ready(house("standard", last_red_three_ends=True), melds={}, opened={0: True}, last_red_three=True, stock="", hands={0: "5c 5d 5h"}), "meld 5c 5d 5h", Code.CONTRACT, f"{STANDARD_ASKS} Until then you must keep a card."),
    "bain r13 two red threes missing": (bain_ready(red_threes={0: "3d 3d 3d 3d", 1: "3h 3h"}, hands={0: "9d"}), "discard 9d", Code.RED_THREES_MISSING, "Nobody can go out before all red threes are on the table. There are still two missing. You must keep your last card."),
    "standard r14 the partner's foot face down": (ready(feet={0: None}, hands={0: "9d"}), "discard 9d", Code.PARTNER_FOOT, "You cannot go out before your partner has picked up the foot. You must keep your last card."),
    "standard r14 the partner's foot not played from": (ready(foot_turns={2: 0}, hands={0: "9d"}), "discard 9d", Code.PARTNER_FOOT, "You cannot go out before your partner has played from the foot. You must keep your last card."),
    "standard r15 not asked": (ready(allowed=False, hands={0: "9d"}), "discard 9d", Code.PERMISSION, "Ask your partner first. You can go out only with permission. You must keep your last card."),
    "standard r15 refused": (ready(allowed=False, refused=True, hands={0: "5c 5d 5h 9d"}), "meld 5c 5d 5h", Code.PERMISSION, f"Your partner said no. You cannot go out in this turn. {TWO_STAY}"),
    "solo last_card discard": (table("solo", melds={0: CONTRACT[:1] + CONTRACT[2:3]}, feet={0: None}, hands={0: "5c 5d 5h"}), "meld 5c 5d 5h", Code.LAST_CARD, "You must discard your last card. Keep one for it."),
    "house last_card meld, discarding": (ready(house("standard", last_card="meld"), hands={0: "5c"}), "discard 5c", Code.LAST_CARD, "You go out by melding your last card, not by discarding it."),
    # the other acts
    "standard r15 asking before drawing": (table(phase="draw", feet=UP), "ask", Code.WRONG_PHASE, "Draw or take the discard pile before you ask."),
    "bga permission none": (table("bga", feet=UP), "ask", Code.NOT_IN_RULES, "Nobody asks for permission in this ruleset."),
    "standard r14 asking without partners": (table(seats=3, feet={0: None}), "ask", Code.NOBODY_TO_ASK, "You have no partner to ask."),
    "standard r15 asking from the hand": (table(), "ask", Code.NOT_ON_FOOT,
        "You can ask only after you pick up your foot."),
    "standard r15 asking twice": (play(table(feet=UP), "ask", "answer no"), "ask", Code.ALREADY_ASKED,
        "You have already asked in this turn."),
    "standard r15 anything while a question is open": (play(table(feet=UP), "ask"), "discard Kc", Code.WRONG_PHASE,
        "Wait for your partner’s answer first."),
    "standard an answer to no question": (table(), "answer yes", Code.WRONG_PHASE, "There is no question to answer."),
    "standard ask_wilds no": (table(), "wilds", Code.NOT_IN_RULES, "Partners do not tell each other their wild cards in this ruleset."),
    "house ask_wilds without partners": (table(house("standard", ask_wilds=True), seats=3), "wilds", Code.NOBODY_TO_ASK, "You have no partner to ask."),
    "standard nothing to take back": (table(), "undo", Code.NOTHING_TO_UNDO,
        "There is nothing you can undo in this turn."),
    "standard taking back before drawing": (table(phase="draw"), "undo", Code.WRONG_PHASE,
        "There is nothing to undo. Draw or take the discard pile first."),
}  # fmt: skip


@pytest.mark.parametrize(("state", "move", "code", "sentence"), CASES.values(), ids=CASES)
def test_refusal(state: State, move: str, code: Code, sentence: str) -> None:
    assert refusal(state, move) == (code.value, sentence)
    with pytest.raises(IllegalMove) as caught:
        apply(state, parse_move(move))
    assert (caught.value.code, caught.value.sentence) == (code.value, sentence)


def test_r44_the_top_card_is_drawn_by_its_player_who_then_plays() -> None:
    drawn = apply(
        table(house("standard", draw_top="first"), phase="draw", pile="8h 9c", stock="4c 5c"), parse_move("draw top")
    )
    (event,) = (event for event in drawn.events if event.kind == "drew_top")
    assert (event.seat, write_cards(event.cards), event.number) == (0, "8h", 1)
    assert drawn.state.phase == "play"


def test_another_seat_is_told_that_it_is_not_its_turn() -> None:
    refused = [why_not(table(turn=1), parse_move("discard Kc"), seat) for seat in range(4)]
    assert [refusal and refusal.code for refusal in refused] == [Code.NOT_YOUR_TURN, None, Code.NOT_YOUR_TURN, Code.NOT_YOUR_TURN]  # fmt: skip
    assert refused[0] is not None
    assert refused[0].sentence == "It is not your turn."


def test_once_the_deal_is_over_every_seat_is_told_so() -> None:
    refused = [why_not(table(phase="over"), parse_move("draw"), seat) for seat in range(4)]
    assert [refusal and refusal.code for refusal in refused] == [Code.DEAL_OVER] * 4


def test_every_code_has_a_case() -> None:
    assert {code for _, _, code, _ in CASES.values()} | {Code.NOT_YOUR_TURN} == set(Code)


@pytest.mark.parametrize(
    ("state", "move", "cards"),
    [
        (table(**HELD_KINGS), "meld Kc Kd Qh", "Qh"),
        (table(**HELD_KINGS), "meld Kc 2c 2d", "2c 2d"),
        (table("bain", hands={0: "7c Kc"}), "discard 7c", "7c"),
        (table("bain", melds={0: [SEVENS, KINGS]}, hands={0: "Kc 4c 4d 5d"}), "meld garbage: Kc 4c", "4c"),
        (table("bain", opened={0: True}, hands={0: "8c 8d 8h 7c 7d"}), "meld 8c 8d 8h", "7c 7d"),
        (table(phase="draw", opened={0: True}, pile="8c", hands={0: "8d 2c Kc"}), "take 8d 2c", "8d 2c"),
    ],
)
def test_a_refusal_points_at_the_cards_it_is_about(state: State, move: str, cards: str) -> None:
    refusal = why_not(state, parse_move(move))
    assert refusal is not None
    assert write_cards(refusal.cards) == cards


@pytest.mark.parametrize("move", ["meld Kc Kd Kh, 4c 4d", "meld Kc Kd Kh, Ks Ks Qc", "meld K: 2c, Kc Kd Kh"])
def test_r9_one_wrong_group_refuses_the_whole_move_and_changes_nothing(move: str) -> None:
    state = table(**HELD_KINGS)
    with pytest.raises(IllegalMove):
        apply(state, parse_move(move))
    assert state == table(**HELD_KINGS)
