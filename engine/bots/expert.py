"""The levels that look ahead, `expert` and `master`: sensible players that try their best moves out in imagined deals.

The hidden cards are dealt to the places where they could lie; each candidate is then played on from the same imagined
deal by players with the habits of `club` for a few turns, and the position reached is valued. The habit's own move is
kept unless another is better by more than the noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from math import sqrt
from random import Random
from time import perf_counter
from typing import NamedTuple

from engine.bots.bot import guess_lift
from engine.bots.club import ranked_claims, sensible_move
from engine.bots.discarding import ranked_discards
from engine.bots.ending import way_out
from engine.bots.imagining import Imagination
from engine.bots.knowledge import PLAIN, Sight, turns_left
from engine.bots.melding import foot_price, next_meld, plans
from engine.bots.memory import Memory
from engine.bots.planning import emptying_plan
from engine.bots.valuation import margin
from engine.play.cards import FOUR, JOKER
from engine.play.game import apply
from engine.play.legality.legal import can_draw, is_legal
from engine.play.moves import ASK, DRAW, NO, YES, Move, single_meld
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, OVER, PLAYING, State
from engine.play.view import View

SECONDS = 0.3
"""Time for a turn, unless another is given."""
PART = 1 / 3
"""Part of the time left for the turn that a decision may take. The discard, which ends the turn, can take all of it."""
HORIZON = 4
"""Turns that are imagined before the position is valued. More are truer, and take more deals to average out: of 450
candidates at Standard, four turns in twelve deals chose better acts than eight in six, in the same time."""
SHORT = 3.0
"""Turns left to each seat from which deals are imagined to their end instead, so that every point of it counts."""
MOST_TURNS = 8
"""Turns of each seat after which even that stops."""
ROUND = 4
"""Imagined deals after which candidates that have fallen behind are dropped."""


EAGER = PLAIN._replace(hoard_hand=99.0, hoard_foot=99.0, hoard_foot_partner=99.0)
"""The habits of a player who lays what can be laid: a candidate on the foot, where `club` keeps its cards."""
USUAL_SCATTER = 250.0
"""Points by which the gain of a candidate differs from one imagined deal to the next, as a standard deviation."""
HOPE, DOUBT = 0.5, 2.0
"""Standard errors: a candidate is dropped when even so much better than found it gains nothing, and chosen when it
gains though it were so much worse. Most candidates are a little worse than the habit: of those that seem to gain by one
to two standard errors, none gained on average when the real deal was played on."""


Choices = Callable[[State, Memory], list[Move]]
"""The moves to think of in a position, the usual one first."""


class Expert:
    """Imagines how its candidates would go."""

    def __init__(
        self,
        seed: int | None = None,
        *,
        seconds: float | None = None,
        samples: int | None = None,
        choices: Choices | None = None,
    ) -> None:
        self.random, self.memory = Random(seed), Memory()
        self.seconds = SECONDS if seconds is None else seconds
        self.samples = samples
        self.choices = choices or candidates
        self.left = self.seconds
        """Time that is left for this turn."""

    def choose(self, view: View) -> Move:
        """The move to make now."""
        state, memory = view.position, self.memory.follow(view.log)
        if state.phase == LIFT:
            return guess_lift(state, self.random)
        if state.phase == CHOOSE:
            return sensible_move(state, memory)
        if state.phase != PLAYING:
            self.left = self.seconds
        moves = self.choices(state, memory)
        if len(moves) == 1:
            return moves[0]
        return best_of(moves, self.search(state, moves))

    def search(self, state: State, moves: list[Move]) -> list[Trial]:
        """What each candidate came to in the imagined deals, each on the same ones, and those of the first for all."""
        seat, team = state.actor, state.actor % state.teams
        imagination = Imagination(state, seat, self.random, self.memory)
        started = perf_counter()
        deadline = started + (self.left if moves[0].kind == "discard" else self.left * PART)
        trials = [Trial([], []) for _ in moves]
        alive = list(range(1, len(moves)))
        count = 0
        while alive and (perf_counter() < deadline if self.samples is None else count < self.samples):
            deal = imagination.deal()
            usual = play_on(deal, moves[0], team)
            trials[0].margins.append(usual)
            for index in alive:
                if self.samples is None and perf_counter() >= deadline:
                    break
                worth = play_on(deal, moves[index], team)
                trials[index].margins.append(worth)
                trials[index].gains.append(worth - usual)
            count += 1
            if count % ROUND == 0:
                alive = [index for index in alive if bound(trials[index].gains, HOPE) > 0]
        self.left -= perf_counter() - started
        return trials


class Trial(NamedTuple):
    """What a candidate came to in imagined deals."""

    margins: list[float]
    """Points by which the team ended ahead, deal by deal."""
    gains: list[float]
    """The same beyond the first candidate's on the same cards."""


def best_of(moves: list[Move], trials: list[Trial]) -> Move:
    """The candidate that is surely best: the first unless another gains beyond doubt."""
    sure = {index: bound(trial.gains, -DOUBT) for index, trial in enumerate(trials) if trial.gains}
    best = max(sure, key=lambda index: sure[index], default=0)
    return moves[best] if best and sure[best] > 0 else moves[0]


def bound(gains: list[float], errors: float) -> float:
    """The mean gain and so many standard errors. With few gains, a usual scatter is mixed in."""
    count = len(gains)
    mean = sum(gains) / count
    variance = (sum((gain - mean) ** 2 for gain in gains) + 2 * USUAL_SCATTER**2) / (count + 1)
    return mean + errors * sqrt(variance / count)


def play_on(state: State, move: Move, team: int, turns: int | None = None) -> float:
    """The worth to a team of the position that a move leads to, so many turns of sensible play later."""
    turn, to_come = state.turn, horizon(state) if turns is None else turns
    state = apply(state, move).state
    while state.phase != OVER:
        if state.phase == DRAWING and state.turn != turn:
            turn, to_come = state.turn, to_come - 1
            if to_come < 0:
                break
        state = apply(state, sensible_move(state)).state
    return margin(state, team)


def horizon(state: State) -> int:
    """Turns to imagine: with a short stock, to the end of the deal."""
    is_short = turns_left(state) <= SHORT and not state.can_reshuffle
    return MOST_TURNS * state.seats if is_short else HORIZON


def candidates(state: State, memory: Memory | None = None) -> list[Move]:
    """The moves worth a thought, that of habit first."""
    usual, sight = sensible_move(state, memory), Sight(state, memory)
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
        if sight.on_foot:
            if state.opened[sight.team] and sight.hoards() and (laid := next_meld(Sight(state, memory, EAGER))):
                options.append(laid)
            if out := way_out(sight, state):
                options.append(out)
        options.append(ASK)
    return _legal(state, [usual, *options])


def many_candidates(state: State, memory: Memory | None = None) -> list[Move]:
    """Those and more: every discard, every meld that habits know, parts of melds, wild cards anywhere, and plans that
    empty the hand at any price."""
    moves = candidates(state, memory)
    if state.phase != PLAYING:
        return moves
    sight = Sight(state, memory)
    options = ranked_discards(sight)
    if state.opened[sight.team]:
        options += [*plans(sight), *_wild_melds(sight), *_parts(sight), *_emptying(sight)]
    return _legal(state, moves + options)


def _wild_melds(sight: Sight) -> Iterator[Move]:
    """A wild card on each meld of a rank, and with each pair."""
    for rank in sorted(sight.open) if sight.wild else ():
        yield single_meld(rank, sight.wild[-1:])
    for cards in sight.spans.values() if sight.wild else ():
        if len(cards) == 2:
            yield single_meld(None, sight.wild[:1] + cards)


def _parts(sight: Sight) -> Iterator[Move]:
    """Some of the natural cards of each rank."""
    for rank, cards in sight.spans.items():
        if FOUR <= rank < JOKER:
            yield from (single_meld(None, cards[:count]) for count in range(1, len(cards)))


def _emptying(sight: Sight) -> Iterator[Move]:
    """The cheapest meld of the whole hand, whatever it costs."""
    plan = emptying_plan(sight, foot_price(sight))
    if plan is not None:
        yield plan.move


def _legal(state: State, moves: list[Move]) -> list[Move]:
    """The first of these moves, and the others that are legal, each once."""
    first, *others = dict.fromkeys(moves)
    return [first, *[move for move in others if is_legal(state, move)]]
