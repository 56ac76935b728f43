"""A sensible club player: plain rules of thumb, no search. `expert` and `master` play their imagined deals with them."""

from __future__ import annotations

from random import Random

from engine.bots.bot import guess_lift, last_resort
from engine.bots.discarding import best_discard
from engine.bots.ending import answer, closing_move
from engine.bots.knowledge import PLAIN, Habits, Sight, pile_worth
from engine.bots.melding import LOOSE_WILD, aims_wild, next_meld
from engine.bots.memory import Memory
from engine.play.cards import count_wild
from engine.play.choices import legal_moves
from engine.play.legality.card_verdicts import why_pile_shut
from engine.play.legality.legal import can_draw
from engine.play.moves import DRAW, END, KEEP_FIRST, Move
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, Position
from engine.play.view import View


class Club:
    """Opens when it can, keeps pairs, saves wild cards, watches the contract and discards with care."""

    def __init__(self, seed: int | None = None, habits: Habits = PLAIN) -> None:
        self.random, self.habits, self.memory = Random(seed), habits, Memory()

    def choose(self, view: View) -> Move:
        """The move to make now."""
        if view.position.phase == LIFT:
            return guess_lift(view.position, self.random)
        return sensible_move(view.position, self.memory.follow(view.log), self.habits)


def sensible_move(state: Position, memory: Memory | None = None, habits: Habits = PLAIN) -> Move:
    """Move of a sensible player with the knowledge of the acting seat."""
    phase = state.phase
    if phase == DRAWING:
        return draw_or_take(Sight(state, memory, habits))
    if phase == ANSWERING:
        return answer(state)
    if phase == CHOOSE:
        return KEEP_FIRST
    sight = Sight(state, memory, habits)
    if sight.on_foot and (closing := closing_move(sight)):
        return closing
    return next_meld(sight) or best_discard(sight) or last_resort(state)


def draw_or_take(sight: Sight) -> Move:
    """Draw, or the best claim of the pile where that brings more."""
    state = sight.state
    drawable = can_draw(state)
    if state.pile and why_pile_shut(state) is None and (claims := ranked_claims(sight)):
        gain, best = claims[0]
        if gain > 0 or not drawable:
            return best
    return DRAW if drawable else END


def ranked_claims(sight: Sight) -> list[tuple[float, Move]]:
    """Claims with their gain over a draw, the best first."""
    claims = [(claim_gain(sight, move), move) for move in legal_moves(sight.state) if move.kind == "take"]
    return sorted(claims, key=lambda claim: -claim[0])


def claim_gain(sight: Sight, move: Move) -> float:
    """Points, roughly, that a claim brings beyond a draw."""
    spent = sum(count_wild(group.cards) for group in move.groups)
    opening = 30.0 if not sight.state.opened[sight.team] else 0.0
    draw = sight.habits.card_worth * sight.rules.draw_count
    cost = sight.habits.wild_cost if aims_wild(sight) else LOOSE_WILD
    return pile_worth(sight.rules, sight.state.pile, sight.habits) + opening - cost * spent - draw
