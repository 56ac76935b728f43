"""Interface of every bot: it chooses a move from a view."""

from __future__ import annotations

from random import Random
from typing import Protocol

from engine.play.choices import legal_moves
from engine.play.moves import Move, grab
from engine.play.state import Position
from engine.play.view import View

_LIFT_SPREAD = 2.5
"""Cards by which a blind lift misses, as a standard deviation; about one in six is exact."""


class Bot(Protocol):
    """A player. It sees a view and never a position with hidden cards."""

    def choose(self, view: View) -> Move:
        """The move to make; `view` is of the seat that is to act."""
        ...


def guess_lift(state: Position, random: Random) -> Move:
    """Cards lifted without counting: about as many as are needed."""
    needed = state.rules.cards_lifted(state.seats)
    number = round(random.gauss(needed, _LIFT_SPREAD))
    return grab(max(1, min(number, len(state.rules.pack(state.seats)))))


def last_resort(state: Position) -> Move:
    """The first choice that is neither a question nor idle: for positions in which a plan finds nothing."""
    moves = legal_moves(state)
    plain = [move for move in moves if move.kind not in ("ask", "wilds", "peek")]
    return (plain or moves)[-1]
