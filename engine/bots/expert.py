"""The strongest level: a sensible player that tries its few best moves out in imagined deals.

The hidden cards are dealt at random to the places where they could lie; each candidate is then played on from the same
imagined deal by players with `expert`'s habits for a few turns, and the position reached is valued. The habit's own
move is kept unless another is better by more than the noise.
"""

from __future__ import annotations

from itertools import islice
from math import sqrt
from random import Random
from time import perf_counter

from engine.bots.bot import guess_lift
from engine.bots.club import ranked_claims, sensible_move
from engine.bots.discarding import ranked_discards
from engine.bots.imagining import Imagination
from engine.bots.knowledge import SHARP, Sight
from engine.bots.melding import plans
from engine.bots.valuation import margin
from engine.play.game import apply
from engine.play.legality.legal import can_draw, is_legal
from engine.play.moves import ASK, DRAW, NO, YES, Move
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, OVER, PLAYING, State
from engine.play.view import View

SECONDS = 0.1
"""Time for a turn, unless another is given."""
DECISIONS = 3
"""Decisions into which the time for a turn is divided; most turns have fewer with more than one candidate."""
HORIZON = 8
"""Turns that are imagined before the position is valued: two rounds of a table of four."""
ROUND = 6
"""Imagined deals after which candidates that have fallen behind are dropped."""


USUAL_SCATTER = 400.0
"""Points by which the gain of a candidate differs from one imagined deal to the next, as a standard deviation."""
HOPE, DOUBT = 1.0, 2.0
"""Standard errors: a candidate is dropped when even so much better than found it gains nothing, and chosen when it
gains though it were so much worse."""


class Expert:
    """Imagines how its candidates would go."""

    def __init__(self, seed: int | None = None, *, seconds: float | None = None, samples: int | None = None) -> None:
        self.random = Random(seed)
        self.seconds = SECONDS if seconds is None else seconds
        self.samples = samples

    def choose(self, view: View) -> Move:
        """The move to make now."""
        state = view.position
        if state.phase == LIFT:
            return guess_lift(state, self.random)
        if state.phase == CHOOSE:
            return sensible_move(state, SHARP)
        moves = candidates(state)
        return moves[0] if len(moves) == 1 else self._search(state, moves)

    def _search(self, state: State, moves: list[Move]) -> Move:
        """The move that does best over imagined deals, each candidate on the same ones."""
        seat, team = state.actor, state.actor % state.teams
        imagination = Imagination(state, seat, self.random)
        deadline = perf_counter() + self.seconds / DECISIONS
        gains: dict[int, list[float]] = {index: [] for index in range(1, len(moves))}
        count = 0
        while gains and (perf_counter() < deadline if self.samples is None else count < self.samples):
            deal = imagination.deal()
            usual = play_on(deal, moves[0], team)
            for index, margins in gains.items():
                margins.append(play_on(deal, moves[index], team) - usual)
            count += 1
            if count % ROUND == 0:
                gains = {index: margins for index, margins in gains.items() if bound(margins, HOPE) > 0}
        sure = {index: bound(margins, -DOUBT) for index, margins in gains.items() if margins}
        best = max(sure, key=lambda index: sure[index], default=0)
        return moves[best] if best and sure[best] > 0 else moves[0]


def bound(gains: list[float], errors: float) -> float:
    """The mean gain and so many standard errors. With few gains, a usual scatter is mixed in."""
    count = len(gains)
    mean = sum(gains) / count
    variance = (sum((gain - mean) ** 2 for gain in gains) + 2 * USUAL_SCATTER**2) / (count + 1)
    return mean + errors * sqrt(variance / count)


def play_on(state: State, move: Move, team: int) -> float:
    """The worth to a team of the position that a move leads to, some turns of sensible play later."""
    turn, turns_left = state.turn, HORIZON
    state = apply(state, move).state
    while state.phase != OVER:
        if state.phase == DRAWING and state.turn != turn:
            turn, turns_left = state.turn, turns_left - 1
            if turns_left < 0:
                break
        state = apply(state, sensible_move(state, SHARP)).state
    return margin(state, team)


def candidates(state: State) -> list[Move]:
    """The moves worth a thought, that of habit first."""
    usual = sensible_move(state, SHARP)
    sight = Sight(state, SHARP)
    options: list[Move] = []
    if state.phase == ANSWERING:
        options = [YES, NO]
    elif state.phase == DRAWING:
        if can_draw(state):
            options = [DRAW, *[move for _, move in ranked_claims(sight)[:3]]]
    elif state.phase == PLAYING:
        options = ranked_discards(sight)[: 4 if usual.kind == "discard" else 1]
        if state.opened[sight.team]:
            options += islice(plans(sight), 4)
        options.append(ASK)
    moves = [usual]
    for move in options:
        if move not in moves and is_legal(state, move):
            moves.append(move)
    return moves
