"""The move that standing orders choose, from what the player's own seat sees."""

from collections.abc import Iterable

from engine.play.cards import RANK_OF, WILD_CARDS, Cards
from engine.play.moves import DISCARDS, DRAW, NO, YES, Move, write_move
from engine.play.state import ANSWERING, DRAWING, PLAYING
from engine.play.view import View
from gameplay.standing_orders.orders import Standing


def move_for(view: View, standing: Standing, drawn: Cards | None = None) -> Move | None:
    """The move that the player to act has ordered for this position; `None` if they decide themselves.

    `drawn` has the cards that an order has just drawn for them in this turn, if one did.
    """
    state = view.position
    if state.phase == ANSWERING:
        return _answer_for(view, standing)
    if state.phase == PLAYING:
        return None if drawn is None else _discard(view, standing, drawn)
    if state.phase != DRAWING:
        return None
    legal = view.legal_moves()
    if (take := _take(view, standing, legal)) is not None:
        return take
    kinds = {move.kind for move in legal}
    # Who may still look at the foot loses that by drawing.
    return DRAW if (standing.draw or standing.discard) and "draw" in kinds and not kinds & {"take", "peek"} else None


def imagined(view: View) -> View:
    """The position as it would be if the turn of this seat started now."""
    draft = view.position.draft()
    draft.turn, draft.phase, draft.undo = view.seat or 0, DRAWING, ()
    return view._replace(position=draft.freeze())


def _take(view: View, standing: Standing, legal: Iterable[Move]) -> Move | None:
    """The way to take the pile that costs the fewest wild cards, then the fewest cards."""
    pile = view.position.pile
    if len(pile) < standing.take_least or not pile or pile[0] // 4 not in standing.take:
        return None
    ways = [(_wild(move), _cards(move), write_move(move), move) for move in legal if move.kind == "take"]
    best = min(ways, default=None, key=lambda way: way[:3])
    return best[3] if best is not None and (standing.take_wild or not best[0]) else None


def _wild(move: Move) -> int:
    return sum(card in WILD_CARDS for group in move.groups for card in group.cards)


def _cards(move: Move) -> int:
    return sum(len(group.cards) for group in move.groups)


def _discard(view: View, standing: Standing, drawn: Cards) -> Move | None:
    """The first ordered discard that is possible, if no card that was drawn can be melded."""
    ranks = set(drawn.translate(RANK_OF))
    melds = (move for move in view.legal_moves() if move.kind == "meld")
    if any(card // 4 in ranks for move in melds for group in move.groups for card in group.cards):
        return None
    moves = [DISCARDS[card] for card in standing.discard if card in view.hand and len(view.hand) > 1]
    return next((move for move in moves if view.why_not(move) is None), None)


def _answer_for(view: View, standing: Standing) -> Move | None:
    if standing.answer != "points":
        return {"yes": YES, "no": NO}.get(standing.answer)
    state = view.position
    if view.seat is None or state.feet[view.seat] is not None:
        return None  # a foot that nobody has seen counts too
    return YES if sum(state.rules.card_values[card] for card in view.hand) <= standing.points else None
