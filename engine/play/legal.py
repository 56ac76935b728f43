"""Whether a move is legal, and why not. `judge` is the one place that decides; `apply` asks it too."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.play.cards import (
    BLACK_THREES,
    NAMES,
    RED_THREES,
    WILD_CARDS,
    Cards,
    rank_word,
    rank_words,
    without,
)
from engine.play.going_out import all_kept, keeps_ranks, why_not_out
from engine.play.laying import Laid, lay
from engine.play.melds import BOOK
from engine.play.moves import ASK, GARBAGE, WILD, Group, Move
from engine.play.refusals import Code, Refusal
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, OVER, PLAYING, Position, State
from engine.words import later, say


class WrongClaim(NamedTuple):
    """A claim that the rules refuse and the table accepts at a price (ruling 19)."""

    refusal: Refusal


Verdict = Refusal | Laid | WrongClaim | None
"""What `judge` says: a refusal, or what the move comes to where that took working out."""


def why_not(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """Why the move is refused, or `None` where `apply` accepts it. `seat`, where given, is who wants to make it."""
    if seat is not None and seat != state.actor and state.phase != OVER:
        return Refusal(Code.NOT_YOUR_TURN, say("It is not your turn."))
    verdict = judge(state, move)
    return verdict if type(verdict) is Refusal else None


def is_legal(state: Position, move: Move) -> bool:
    """Whether `apply` accepts the move of the seat to act."""
    return type(judge(state, move)) is not Refusal


def judge(state: Position, move: Move) -> Verdict:
    """The verdict on a move by the seat to act."""
    if state.phase == OVER:
        return Refusal(Code.DEAL_OVER, say("The deal is over."))
    judge_one = _JUDGES.get(move.kind)
    if judge_one is None:
        return Refusal(Code.WRONG_PHASE, say("That is not a move."))
    phases, too_soon = _PHASES[move.kind]
    if state.phase not in phases:
        return Refusal(Code.WRONG_PHASE, say(_WRONG_PHASE.get(state.phase) or too_soon))
    return judge_one(state, move)


_WRONG_PHASE = {
    ANSWERING: later("A question is open: the partner who is asked answers first."),
    LIFT: later("The cards are being lifted: say how many you lifted."),
    CHOOSE: later("Choose one of your two stacks first."),
}


# Before the deal


def _judge_grab(state: Position, move: Move) -> Verdict:
    most = len(state.rules.pack(state.seats))
    if not 1 <= move.number <= most:
        return Refusal(Code.OUT_OF_RANGE, say("You can lift from 1 to %(most)s cards.", most=most))
    return None


def _judge_keep(state: Position, move: Move) -> Verdict:
    if state.stacks[state.turn] is None:
        return Refusal(Code.NOT_IN_RULES, say("You have no two stacks to choose from."))
    return None


def _judge_peek(state: Position, move: Move) -> Verdict:
    seat = state.turn
    if not state.rules.foot_seen:
        return Refusal(Code.NOT_IN_RULES, say("Nobody looks at the foot in this ruleset."))
    if not state.first_turn[seat] or state.feet[seat] is None:
        return Refusal(Code.TOO_LATE, say("You may look at your foot only before your first turn."))
    if state.peeked[seat]:
        return Refusal(Code.TOO_LATE, say("You have looked at your foot already; you may do so once."))
    return None


# Drawing and taking


def can_draw(state: Position) -> bool:
    """Whether the stock, reshuffled where the rules say so, has enough cards for a draw."""
    stock = len(state.stock)
    if state.rules.stock_out == "reshuffle" and stock < state.rules.draw_count:
        stock += max(len(state.pile) - 1, 0)
    return stock >= state.rules.draw_count


def _judge_draw(state: Position, move: Move) -> Verdict:
    if not can_draw(state):
        return Refusal(Code.STOCK_OUT, say("The stock has too few cards to draw from: take the pile, or end the deal."))
    return None


def _judge_take(state: Position, move: Move) -> Verdict:
    verdict = _judge_claim(state, move)
    if type(verdict) is Refusal and not state.assist and state.rules.penalties is not None:
        asked = b"".join(group.cards for group in move.groups)
        if asked and state.pile and without(state.hands[state.turn], asked) is not None:
            return WrongClaim(verdict)
    return verdict


def why_pile_shut(state: Position) -> Refusal | None:
    """Why nobody of the team to act can take the pile as it lies, whatever they hold."""
    rules = state.rules
    if rules.pile_take == "none":
        return Refusal(Code.PILE_NEVER_TAKEN, say("The discard pile is never taken in this ruleset."))
    if not state.pile:
        return Refusal(Code.PILE_EMPTY, say("The discard pile is empty."))
    top = state.pile[0]
    if top in BLACK_THREES:
        return Refusal(Code.PILE_BLOCKED, say("A black three on top blocks the pile."))
    if top in RED_THREES:
        return Refusal(Code.PILE_BLOCKED, say("The pile cannot be taken while a red three lies on top."))
    if rules.take_needs_open and not state.opened[state.team]:
        return Refusal(Code.PILE_NEEDS_OPEN, say("Your team must have melded before it may take the pile."))
    if top in WILD_CARDS and (rules.wild_on_top == "never" or state.frozen):
        return Refusal(Code.WILD_ON_TOP, say("The pile cannot be taken while a wild card lies on top."))
    return None


def _judge_claim(state: Position, move: Move) -> Refusal | Laid:
    if shut := why_pile_shut(state):
        return shut
    top = state.pile[0]
    hand = state.hands[state.turn]
    asked = b"".join(group.cards for group in move.groups)
    if without(hand, asked) is None:
        return _not_held(hand, asked)
    if not move.groups:
        if fault := _why_not_bare(state, top):
            return fault
        return lay(state, (Group(None, b""),), top)
    if fault := _why_claim_weak(state, move.groups[0], top):
        return fault
    return lay(state, move.groups, top)


def _why_not_bare(state: Position, top: int) -> Refusal | None:
    """Ruling 4: the top card alone goes on the team's own incomplete meld."""
    if state.rules.pile_to_meld == "never":
        return Refusal(Code.CLAIM_TOO_WEAK, say("The top card is claimed with cards from your hand: say which."))
    if state.frozen:
        return Refusal(Code.PILE_FROZEN, say("The pile is frozen: only a natural pair from your hand takes it."))
    rank = top // 4
    if top in WILD_CARDS or not any(m.name == rank and len(m.cards) < BOOK for m in state.melds[state.team]):
        sentence = say("Your team has no incomplete meld that %(card)s could go on.", card=NAMES[top])
        return Refusal(Code.NO_MELD_FOR_TOP, sentence)
    return None


def _why_claim_weak(state: Position, group: Group, top: int) -> Refusal | None:
    """Ruling 3: whether the claiming group has what `pile_claim` or `wild_on_top` asks for."""
    rules, rank = state.rules, top // 4
    if group.name == GARBAGE:
        return Refusal(Code.GARBAGE, say("The top card of the pile goes on a meld, not on garbage."), group.cards)
    if top in WILD_CARDS:
        if group.name not in (None, WILD) or group.cards.translate(None, WILD_CARDS):
            return Refusal(Code.WILD_ON_TOP, say("A wild card on top goes on a meld of wild cards."), group.cards)
        if sum(1 for card in group.cards if card // 4 == rank) >= 2:
            return None
        sentence = say(
            "%(card)s on top is claimed only with two %(ranks)s from your hand.",
            card=NAMES[top],
            ranks=rank_words(rank),
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    natural = sum(1 for card in group.cards if card // 4 == rank)
    if state.frozen and natural < 2:
        sentence = say("The pile is frozen: only two natural %(ranks)s from your hand take it.", ranks=rank_words(rank))
        return Refusal(Code.PILE_FROZEN, sentence, group.cards)
    if rules.pile_claim == "none":
        return Refusal(
            Code.CLAIM_TOO_WEAK, say("Cards from the hand do not claim the pile in this ruleset."), group.cards
        )
    if rules.pile_claim == "natural_pair" and natural < 2:
        sentence = say(
            "You need two natural %(ranks)s from your hand to take %(card)s.", ranks=rank_words(rank), card=NAMES[top]
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    if rules.pile_claim == "one_match" and natural < 1:
        sentence = say(
            "You need a natural %(rank)s from your hand to take %(card)s.", rank=rank_word(rank), card=NAMES[top]
        )
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    if rules.pile_claim == "legal_meld" and len(group.cards) < 2:
        sentence = say("You need two cards from your hand that go with %(card)s.", card=NAMES[top])
        return Refusal(Code.CLAIM_TOO_WEAK, sentence, group.cards)
    return None


# Melding


def _not_held(hand: Cards, cards: Cards) -> Refusal:
    missing = next(card for card in cards if cards.count(card) > hand.count(card))
    many = cards.count(missing)
    what = NAMES[missing] if many == 1 else f"{many} × {NAMES[missing]}"
    return Refusal(Code.NOT_HELD, say("You do not hold %(cards)s.", cards=what), bytes([missing]))


def _judge_meld(state: Position, move: Move) -> Verdict:
    hand = state.hands[state.turn]
    asked = b"".join(group.cards for group in move.groups) if len(move.groups) != 1 else move.groups[0].cards
    if not asked:
        return Refusal(Code.TOO_FEW_CARDS, say("Say which cards you meld."))
    if without(hand, asked) is None:
        return _not_held(hand, asked)
    return lay(state, move.groups)


# Discarding and ending the turn


def _judge_discard(state: Position, move: Move) -> Verdict:
    seat, card = state.turn, move.card
    hand = state.hands[seat]
    if card not in hand:
        return Refusal(Code.NOT_HELD, say("You do not hold %(cards)s.", cards=NAMES[card]), bytes([card]))
    if state.last_red_three:
        return Refusal(
            Code.NO_DISCARD, say("The stock ended with a red three: meld what you can, then end without a discard.")
        )
    if card in RED_THREES:
        return Refusal(Code.RED_THREE, say("A red three is never discarded; it is laid by itself."), bytes([card]))
    melds = state.melds[state.team]
    if card in state.rules.kept and keeps_ranks(state, melds):
        return Refusal(Code.KEPT_RANK, _kept_sentence(state, card), bytes([card]))
    if len(hand) > 1 or (state.feet[seat] is not None and (state.rules.foot_when == "hand_empty" or state.foot_due)):
        return None
    if state.feet[seat] is not None:
        sentence = say("You may not discard your last card before you have laid the seventh card of a book yourself.")
        return Refusal(Code.KEEP_CARDS, sentence, bytes([card]))
    if forbidden := why_not_out(state, melds):
        sentence = forbidden.sentence + " " + say("Your last card must stay.")
        return forbidden._replace(sentence=sentence, cards=bytes([card]))
    if state.rules.last_card == "meld":
        return Refusal(
            Code.LAST_CARD, say("You go out by melding your last card, not by discarding it."), bytes([card])
        )
    return None


def _kept_sentence(state: Position, card: int) -> str:
    ranks = rank_words(card // 4).capitalize()
    if state.rules.kept_until == "own_sevens":
        return say("%(ranks)s may not be discarded until your team has a book of sevens.", ranks=ranks)
    return say("%(ranks)s may not be discarded in this ruleset.", ranks=ranks)


def _judge_end(state: Position, move: Move) -> Verdict:
    if state.phase == DRAWING:
        if can_draw(state):
            return Refusal(Code.CANNOT_END, say("Draw or take the pile first: the stock has enough cards."))
        return None
    hand = state.hands[state.turn]
    melds = state.melds[state.team]
    if state.last_red_three or all_kept(state, melds, hand) or is_out(state) or is_stuck(state):
        return None
    return Refusal(Code.CANNOT_END, say("End your turn by discarding a card."))


def is_out(state: Position) -> bool:
    """Whether the player has melded the last card and may go out."""
    if state.hands[state.turn] or state.feet[state.turn] is not None:
        return False
    if state.rules.last_card == "discard" and state.out_by is None and not state.last_red_three:
        return False
    return why_not_out(state, state.melds[state.team]) is None


def is_stuck(state: Position) -> bool:
    """Whether no card can be melded or discarded, not even with leave to go out that could still be asked."""
    from engine.play.choices import card_moves  # legal_moves asks this module in turn

    if next(iter(card_moves(state)), None) is not None:
        return False
    if state.rules.permission == "required" and _judge_ask(state, ASK) is None:
        return next(iter(card_moves(permitted(state))), None) is None
    return True


def permitted(state: Position) -> Position:
    """The position as it would be with the partners' leave to go out."""
    draft = state.draft()
    draft.allowed = True
    return draft


# Asking


def _judge_ask(state: Position, move: Move) -> Verdict:
    if state.rules.permission == "none":
        return Refusal(Code.NOT_IN_RULES, say("Nobody asks for permission in this ruleset."))
    if state.team_size == 1:
        return Refusal(Code.NOBODY_TO_ASK, say("You have no partner to ask."))
    if state.feet[state.turn] is not None:
        return Refusal(Code.NOT_ON_FOOT, say("You ask from the foot, and yours is still face down."))
    if state.allowed or state.refused:
        return Refusal(Code.ALREADY_ASKED, say("You have asked already in this turn."))
    if not state.hands[state.turn]:
        return Refusal(Code.TOO_LATE, say("You have no card left: end your turn."))
    return None


def _judge_answer(state: Position, move: Move) -> Verdict:
    return None


def _judge_wilds(state: Position, move: Move) -> Verdict:
    if not state.rules.ask_wilds:
        return Refusal(Code.NOT_IN_RULES, say("Partners do not tell each other their wild cards in this ruleset."))
    if state.team_size == 1:
        return Refusal(Code.NOBODY_TO_ASK, say("You have no partner to ask."))
    return None


def _judge_undo(state: Position, move: Move) -> Verdict:
    if not state.undo:
        sentence = say("There is no meld of this turn to take back, or something hidden has been shown since.")
        return Refusal(Code.NOTHING_TO_UNDO, sentence)
    return None


_PHASES: dict[str, tuple[tuple[str, ...], str]] = {
    "grab": ((LIFT,), later("Cards are lifted before the deal.")),
    "keep": ((CHOOSE,), later("Stacks are chosen before the deal.")),
    "peek": ((DRAWING,), later("You may look at your foot only before drawing or taking in your first turn.")),
    "draw": ((DRAWING,), later("You have drawn or taken already in this turn.")),
    "take": ((DRAWING,), later("You have drawn or taken already in this turn.")),
    "meld": ((PLAYING,), later("Draw or take the pile before you meld.")),
    "discard": ((PLAYING,), later("Draw or take the pile before you discard.")),
    "end": ((DRAWING, PLAYING), later("There is no turn to end.")),
    "undo": ((PLAYING,), later("Draw or take the pile first; there is nothing to take back.")),
    "ask": ((PLAYING,), later("Draw or take the pile before you ask.")),
    "answer": ((ANSWERING,), later("Nobody has asked anything.")),
    "wilds": ((DRAWING, PLAYING), later("Ask in your turn.")),
}

_JUDGES: dict[str, Callable[[Position, Move], Verdict]] = {
    "grab": _judge_grab,
    "keep": _judge_keep,
    "peek": _judge_peek,
    "draw": _judge_draw,
    "take": _judge_take,
    "meld": _judge_meld,
    "discard": _judge_discard,
    "end": _judge_end,
    "undo": _judge_undo,
    "ask": _judge_ask,
    "answer": _judge_answer,
    "wilds": _judge_wilds,
}
