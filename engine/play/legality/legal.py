"""Whether a move is legal, and why not. `judge` is the one place that decides; `apply` asks it too."""

from __future__ import annotations

from collections.abc import Callable

from engine.play.legality.card_moves import card_moves
from engine.play.legality.card_verdicts import Verdict, judge_discard, judge_draw_top, judge_meld, judge_take
from engine.play.legality.going_out import all_kept, why_not_out
from engine.play.moves import ASK, Move
from engine.play.refusals import Code, Refusal
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, OVER, PLAYING, Position, State
from engine.words import later, say


def why_not(state: State, move: Move, seat: int | None = None) -> Refusal | None:
    """Reason to refuse the move, or `None` if `apply` accepts it. `seat`, if given, is the player's."""
    if seat is not None and seat != state.actor and state.phase != OVER:
        return Refusal(Code.NOT_YOUR_TURN, say("It is not your turn."))
    verdict = judge(state, move)
    return verdict if type(verdict) is Refusal else None


def is_legal(state: Position, move: Move) -> bool:
    """Whether `apply` accepts the move of the seat to act."""
    return type(judge(state, move)) is not Refusal


def judge(state: Position, move: Move) -> Verdict:
    """The verdict on a move by the seat to act."""
    kind = move.kind
    if state.phase in _PHASES.get(kind, ()):
        return _JUDGES[kind](state, move)
    if state.phase == OVER:
        return Refusal(Code.DEAL_OVER, say("The deal is over."))
    if kind not in _PHASES:
        return Refusal(Code.WRONG_PHASE, say("That is not a move."))
    return Refusal(Code.WRONG_PHASE, say(_WRONG_PHASE.get(state.phase) or _TOO_SOON[kind]))


_WRONG_PHASE = {
    ANSWERING: later("Wait for your partner’s answer first."),
    LIFT: later("The cards are being lifted. Enter how many you lifted."),
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
        return Refusal(Code.NOT_IN_RULES, say("You have no stacks to choose from."))
    return None


def _judge_peek(state: Position, move: Move) -> Verdict:
    seat = state.turn
    if not state.rules.foot_seen:
        return Refusal(Code.NOT_IN_RULES, say("Nobody looks at the foot in this ruleset."))
    if not state.first_turn[seat] or state.feet[seat] is None:
        return Refusal(Code.TOO_LATE, say("You can look at your foot only before your first turn."))
    if state.peeked[seat]:
        return Refusal(Code.TOO_LATE, say("You have already looked at your foot. You can do that only once."))
    return None


# Drawing


def can_draw(state: Position) -> bool:
    """Whether the stock, reshuffled if the rules allow it, has enough cards for a draw."""
    stock = len(state.stock)
    if stock < state.rules.draw_count and state.can_reshuffle:
        stock += max(len(state.pile) - 1, 0)
    return stock >= state.rules.draw_count


def _judge_draw(state: Position, move: Move) -> Verdict:
    if not can_draw(state):
        return Refusal(
            Code.STOCK_OUT, say("The stock has too few cards to draw. Take the discard pile or end the deal.")
        )
    return None


# Ending the turn


def _judge_end(state: Position, move: Move) -> Verdict:
    if state.phase == DRAWING:
        if can_draw(state):
            return Refusal(Code.CANNOT_END, say("Draw or take the discard pile first. The stock has enough cards."))
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
    if card_moves(state):
        return False
    if state.rules.permission == "required" and _judge_ask(state, ASK) is None:
        return not card_moves(permitted(state))
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
        return Refusal(Code.NOT_ON_FOOT, say("You can ask only after you pick up your foot."))
    if state.allowed or state.refused:
        return Refusal(Code.ALREADY_ASKED, say("You have already asked in this turn."))
    if not state.hands[state.turn]:
        return Refusal(Code.TOO_LATE, say("You have no card left. End your turn."))
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
        sentence = say("There is nothing you can undo in this turn.")
        return Refusal(Code.NOTHING_TO_UNDO, sentence)
    return None


_PHASES: dict[str, tuple[str, ...]] = {
    "grab": (LIFT,),
    "keep": (CHOOSE,),
    "peek": (DRAWING,),
    "draw": (DRAWING,),
    "draw_top": (DRAWING,),
    "take": (DRAWING,),
    "meld": (PLAYING,),
    "discard": (PLAYING,),
    "end": (DRAWING, PLAYING),
    "undo": (PLAYING,),
    "ask": (PLAYING,),
    "answer": (ANSWERING,),
    "wilds": (DRAWING, PLAYING),
}

_TOO_SOON = {
    "grab": later("Cards are lifted before the deal."),
    "keep": later("Stacks are chosen before the deal."),
    "peek": later("You can look at your foot only before drawing or taking the discard pile in your first turn."),
    "draw": later("You have already drawn or taken the pile in this turn."),
    "draw_top": later("You have already drawn or taken the pile in this turn."),
    "take": later("You have already drawn or taken the pile in this turn."),
    "meld": later("Draw or take the discard pile before you meld."),
    "discard": later("Draw or take the discard pile before you discard."),
    "end": later("There is no turn to end."),
    "undo": later("There is nothing to undo. Draw or take the discard pile first."),
    "ask": later("Draw or take the discard pile before you ask."),
    "answer": later("There is no question to answer."),
    "wilds": later("Ask in your turn."),
}

_JUDGES: dict[str, Callable[[Position, Move], Verdict]] = {
    "grab": _judge_grab,
    "keep": _judge_keep,
    "peek": _judge_peek,
    "draw": _judge_draw,
    "draw_top": judge_draw_top,
    "take": judge_take,
    "meld": judge_meld,
    "discard": judge_discard,
    "end": _judge_end,
    "undo": _judge_undo,
    "ask": _judge_ask,
    "answer": _judge_answer,
    "wilds": _judge_wilds,
}
