"""Ends of deals: when to ask, how to answer, and when to go out."""

from __future__ import annotations

from engine.bots.knowledge import Sight, table_points
from engine.bots.melding import whole_hand
from engine.play.legality.going_out import why_not_out
from engine.play.legality.legal import is_legal, permitted
from engine.play.moves import ASK, END, NO, YES, Move
from engine.play.refusals import Code
from engine.play.state import Position

CARD = 9.0
"""Points of a card that is not seen, on average."""
BEHIND = -150.0
"""A deal may be ended though the team would be this far behind; further, it plays on and hopes."""
MOST = 14
"""With more cards than this nobody goes out; it is not looked for."""


def closing_move(sight: Sight) -> Move | None:
    """The next move towards going out from the foot now, or `None` where that is not possible or not wise."""
    state = sight.state
    if not sight.hand:
        return END if is_legal(state, END) else None
    if len(sight.hand) > MOST or sum(sight.missing().values()) > 1:
        return None
    why = why_not_out(state, sight.melds)
    if why is not None and why.code is Code.PERMISSION:
        if state.refused or not _can_finish(permitted(state)) or not is_wise(state, sight.seat):
            return None
        return ASK if is_legal(state, ASK) else None
    if why is not None and why.code is not Code.CONTRACT:
        return None
    move = whole_hand(sight)
    return move if move and (state.allowed or is_wise(state, sight.seat)) else None


def _can_finish(state: Position) -> bool:
    sight = Sight(state)
    return len(sight.hand) == 1 or whole_hand(sight) is not None


def answer(state: Position) -> Move:
    """A partner's answer: yes where ending now leaves the team ahead, or not far behind."""
    return YES if is_wise(state, state.actor) else NO


def is_wise(state: Position, seat: int) -> bool:
    """Whether ending now, by the team whose turn it is, looks good to one of its seats."""
    return margin_out(state, seat) > BEHIND


def margin_out(state: Position, seat: int) -> float:
    """Lead in points of the team of the turn over the best other, if it went out now.

    Weighs the cards on the table, the cards in `seat`'s own hand, and an average for each card that it does not see;
    the seat of the turn is taken to have laid everything.
    """
    scores = []
    for team in range(state.teams):
        points = float(table_points(state, team))
        for member in range(team, state.seats, state.teams):
            if member == state.turn:
                continue
            if member == seat:
                points -= sum([state.rules.card_values[card] for card in state.hands[member]])
            else:
                points -= CARD * len(state.hands[member])
            points -= CARD * (len(state.knees[member] or b"") + len(state.feet[member] or b""))
        scores.append(points)
    score = scores.pop(state.team)
    return score + state.rules.out_bonus - max(scores)
