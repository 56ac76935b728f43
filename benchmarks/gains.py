"""Whether the gains that bots imagine come true: moves that seem better than the habit, played on in the real deals.

    bin/bench gains [--rules NAME] [--seats 4] [--bot expert] [--deals 40] [--samples 12] [--plays 16] [--seed 1] [--small]

A bot that looks ahead has every second seat, `club` the others. Where a move seems better than that of habit by one
standard error or more, players of `club` play both on from the real position, so many times, with the stock shuffled
again. A line for each degree of certainty: how many moves, the gain imagined, and the gain that came true with its
standard error, in points beyond the best other team.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from math import inf, sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.small import parsed
from engine.bots.club import Club
from engine.bots.expert import Expert, best_of, bound, candidates, many_candidates
from engine.bots.valuation import margin
from engine.play.events import PublicLog
from engine.play.game import apply, new_game
from engine.play.moves import Move
from engine.play.rules import Rules
from engine.play.state import DRAWING, OVER, PLAYING, State
from engine.play.view import view

CHOICES = {"expert": candidates, "master": many_candidates}
"""The moves that each level thinks of."""
CERTAINTY = (1.0, 1.5, 2.0, 2.5, 3.5, inf)
"""Limits between the lines, in standard errors."""


class Gain(NamedTuple):
    """What a move beyond the habit brought."""

    certainty: float
    """Standard errors by which it seemed better."""
    imagined: float
    real: float
    """Points, on average."""


def shuffled(state: State, rng: random.Random) -> State:
    """The position with its stock in another order."""
    draft, stock = state.draft(), [*state.stock]
    rng.shuffle(stock)
    draft.stock, draft.seed = bytes(stock), rng.randbytes(32)
    return draft.freeze()


def lead_after(state: State, move: Move, log: PublicLog) -> float:
    """Points beyond the best other team at the end of the deal, for the team of the seat that moves."""
    team, bots = state.actor % state.teams, [Club(seat) for seat in range(state.seats)]
    while True:
        state, events = apply(state, move)
        if state.phase == OVER:
            return margin(state, team)
        log = log.after(events)
        move = bots[state.actor].choose(view(state, state.actor, log=log))


def gains_in(state: State, level: str, samples: int, plays: int, rng: random.Random) -> Iterator[Gain]:
    """The gains of one deal."""
    choices = CHOICES[level]
    searching = [Expert(rng.randrange(2**32), samples=samples, choices=choices) for _ in range(state.seats)]
    habitual, log = [Club(seat) for seat in range(state.seats)], PublicLog()
    while state.phase != OVER:
        seen, bot = view(state, state.actor, log=log), searching[state.actor]
        if state.actor % 2 == 0 and state.phase in (DRAWING, PLAYING):
            moves = choices(seen.position, bot.memory.follow(log))
        else:
            moves = [habitual[state.actor].choose(seen)]
        move = moves[0]
        if len(moves) > 1:
            trials = bot.search(seen.position, moves)
            certain = [(certainty(trial.gains), at) for at, trial in enumerate(trials) if trial.gains]
            highest, at = max(certain, default=(0.0, 0))
            if highest >= CERTAINTY[0]:
                real = [
                    lead_after(deal, moves[at], log) - lead_after(deal, moves[0], log)
                    for deal in (shuffled(state, rng) for _ in range(plays))
                ]
                yield Gain(highest, fmean(trials[at].gains), fmean(real))
            move = best_of(moves, trials)
        state, events = apply(state, move)
        log = log.after(events)


def certainty(gains: list[float]) -> float:
    """By how many standard errors the mean gain is above nothing."""
    mean = bound(gains, 0.0)
    return mean / (bound(gains, 1.0) - mean)


def main() -> None:
    """Print a line for each degree of certainty."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--bot", choices=CHOICES, default="expert")
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--samples", type=int, default=12)
    parser.add_argument("--plays", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parsed(parser, deals=1, samples=4, plays=1)
    rules, rng = Rules.preset(options.rules), random.Random(options.seed)
    shape = rules.shape(options.seats)
    gains: list[Gain] = []
    for _ in range(options.deals):
        state = new_game(rules, rng.randbytes(32), seats=shape.seats, team_size=shape.team_size)
        gains += gains_in(state, options.bot, options.samples, options.plays, rng)
    print("| standard errors | moves a deal | imagined gain | real gain |\n| --- | --- | --- | --- |")
    for low, high in pairwise(CERTAINTY):
        if some := [gain for gain in gains if low <= gain.certainty < high]:
            real = [gain.real for gain in some]
            error = pstdev(real) / sqrt(len(real))
            degree = f"{low} to {high}" if high < inf else f"{low} or more"
            imagined = fmean(gain.imagined for gain in some)
            print(
                f"| {degree} | {len(some) / options.deals:.1f} | {imagined:+.0f} | {fmean(real):+.0f} ± {error:.0f} |"
            )


if __name__ == "__main__":
    main()
