"""Why a move is refused: a closed list of codes, and a sentence for the player."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from engine.errors import EngineError
from engine.play.cards import Cards


class Code(StrEnum):
    """Every reason for which a move can be refused."""

    DEAL_OVER = "deal_over"
    NOT_YOUR_TURN = "not_your_turn"
    WRONG_PHASE = "wrong_phase"
    NOT_IN_RULES = "not_in_rules"
    NOT_HELD = "not_held"
    # drawing and taking
    STOCK_OUT = "stock_out"
    PILE_EMPTY = "pile_empty"
    PILE_NEVER_TAKEN = "pile_never_taken"
    PILE_BLOCKED = "pile_blocked"
    PILE_FROZEN = "pile_frozen"
    PILE_NEEDS_OPEN = "pile_needs_open"
    WILD_ON_TOP = "wild_on_top"
    CLAIM_TOO_WEAK = "claim_too_weak"
    NO_MELD_FOR_TOP = "no_meld_for_top"
    # melding
    RED_THREE = "red_three"
    MIXED_RANKS = "mixed_ranks"
    NEEDS_NAME = "needs_name"
    NAME_DISAGREES = "name_disagrees"
    TOO_FEW_CARDS = "too_few_cards"
    TOO_MANY_WILD = "too_many_wild"
    PURE_RANK = "pure_rank"
    WILD_MELD = "wild_meld"
    BOOK_FULL = "book_full"
    SECOND_MELD = "second_meld"
    NO_SUCH_MELD = "no_such_meld"
    BELOW_MINIMUM = "below_minimum"
    BOOK_LOCK = "book_lock"
    GARBAGE = "garbage"
    BLACK_THREES = "black_threes"
    # the rest of the hand
    KEEP_CARDS = "keep_cards"
    KEEP_DISCARD = "keep_discard"
    # discarding and ending
    KEPT_RANK = "kept_rank"
    NO_DISCARD = "no_discard"
    CANNOT_END = "cannot_end"
    # going out
    CONTRACT = "contract"
    RED_THREES_MISSING = "red_threes_missing"
    PARTNER_FOOT = "partner_foot"
    PERMISSION = "permission"
    LAST_CARD = "last_card"
    # the other acts
    NOBODY_TO_ASK = "nobody_to_ask"
    ALREADY_ASKED = "already_asked"
    NOT_ON_FOOT = "not_on_foot"
    NOTHING_TO_UNDO = "nothing_to_undo"
    TOO_LATE = "too_late"
    OUT_OF_RANGE = "out_of_range"


class Refusal(NamedTuple):
    """A reason. `cards` are the cards of the move that it is about, if any."""

    code: Code
    sentence: str
    cards: Cards = b""


class IllegalMove(EngineError):
    """A move that the rules refuse; `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence, code=refusal.code.value)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[IllegalMove], tuple[Refusal]]:
        """Rebuild the exception from its arguments when it crosses processes."""
        return type(self), (self.refusal,)
