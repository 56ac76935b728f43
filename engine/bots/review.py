"""A finished deal looked at again: what an act cost, who was ahead when, and what bots make of the same cards."""

from __future__ import annotations

from typing import NamedTuple

from engine.bots.bot import Bot
from engine.bots.club import Club
from engine.bots.expert import Expert, bound, candidates
from engine.bots.knowledge import PLAIN
from engine.bots.novice import Novice
from engine.bots.valuation import margin
from engine.errors import EngineError
from engine.play.events import PublicLog
from engine.play.game import apply
from engine.play.moves import Move
from engine.play.scoring import outcome
from engine.play.state import CHOOSE, LIFT, OVER, State
from engine.play.view import View, view

TEMPERS = tuple(PLAIN._replace(hoard_hand=hoard) for hoard in (4.0, PLAIN.hoard_hand, 16.0, 99.0))
"""Habits of bots that play the same cards, once each: one play would be half luck again."""
MOST_MOVES = 5_000
"""A deal that has not ended by then is given up."""
ERRORS = 1.0
"""Standard errors by which another act must have done better."""
WEIGHED = frozenset({"draw", "draw_top", "take", "meld", "discard", "ask", "answer", "end"})
"""Kinds of moves that can cost something."""


class Endless(EngineError):
    """A deal that bots do not bring to its end."""

    code = "endless"


class Better(NamedTuple):
    """An act that does better than the one that was made."""

    move: Move
    gain: float
    """Points that the team should end further ahead by it."""


def better_act(view: View, move: Move, *, samples: int, seed: int, errors: float = ERRORS) -> Better | None:
    """The act that gains most beyond the move made, as the seat could know; `None` where none surely gains.

    All acts are played in the same imagined deals, `samples` of them. `errors` is how many standard errors a gain has
    to be above zero. Nothing of the view is hidden cards, so an act is never blamed for bad luck.
    """
    state = view.position
    if state.phase in (LIFT, CHOOSE, OVER) or view.seat != state.actor or move.kind not in WEIGHED:
        return None
    bot = Expert(seed, samples=samples)
    memory = bot.memory.follow(view.log)
    moves = [move, *[other for other in candidates(state, memory) if other != move]]
    best: tuple[float, Better] | None = None
    for other, trial in zip(moves[1:], bot.search(state, moves)[1:], strict=True):
        sure = bound(trial.gains, -errors)
        if sure > 0 and (best is None or sure > best[0]):
            best = sure, Better(other, sum(trial.gains) / len(trial.gains))
    return best[1] if best else None


def leads(state: State) -> list[int]:
    """Points by which each team should end ahead of the best other, every card known; of a deal that is over, does."""
    return [round(margin(state, team)) for team in range(state.teams)]


def scores_of_bots(state: State) -> list[tuple[int, ...]]:
    """What bots in all seats make of a deal from this position, in several plays: points by team. Raises `Endless`."""
    plays: list[list[Bot]] = [[Club(seat, habits) for seat in range(state.seats)] for habits in TEMPERS]
    plays.append([Novice(seat) for seat in range(state.seats)])
    return [_play(state, bots) for bots in plays]


def _play(state: State, bots: list[Bot]) -> tuple[int, ...]:
    log, moves = PublicLog(), 0
    while state.phase != OVER:
        state, events = apply(state, bots[state.actor].choose(view(state, state.actor, log=log)))
        log, moves = log.after(events), moves + 1
        if moves > MOST_MOVES:
            raise Endless(f"After {MOST_MOVES} moves the deal is still not over.")
    result = outcome(state)
    if result is None:
        raise Endless("The deal ended without a score.")
    return result.deal_score
