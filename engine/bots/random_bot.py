"""A player that takes any legal move with the same chance: the floor below every other level."""

from __future__ import annotations

from random import Random

from engine.bots.bot import guess_lift
from engine.play.moves import Move
from engine.play.state import LIFT
from engine.play.view import View


class RandomBot:
    """Uniform over the legal moves."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    def choose(self, view: View) -> Move:
        """The move to make now."""
        if view.position.phase == LIFT:
            return guess_lift(view.position, self.random)
        return self.random.choice(view.legal_moves())
