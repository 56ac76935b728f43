"""Which decisions of `club` cost most: moves of its games beside those that `master` thinks of, in imagined deals.

    bin/bench decisions [--rules NAME] [--seats 4] [--positions 60] [--deals 40] [--turns 12] [--stock 0-999] [--seed 1]

Positions come from deals between players of `club`, those with a stock of that size. In each, every move is played on for
so many turns in the same imagined deals. Where another move surely did better than that of `club`, both are printed with
the gain, its standard error and the position, the dearest first. What many of them have in common is a fault in a habit.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.small import parsed
from engine.bots.club import sensible_move
from engine.bots.expert import many_candidates, play_on
from engine.bots.imagining import Imagination
from engine.bots.memory import Memory
from engine.play.events import PublicLog
from engine.play.game import apply, new_game
from engine.play.moves import Move, write_move
from engine.play.position import write_position
from engine.play.rules import Rules
from engine.play.state import DRAWING, OVER, PLAYING, State
from engine.play.view import view

SHARE = 0.02
"""Share of the decisions of a deal that are looked at, so that a deal gives few positions."""
SURE = 2.0
"""Standard errors by which another move has to do better."""


class Decision(NamedTuple):
    """A position as the seat to act sees it, and what the seat remembers."""

    state: State
    memory: Memory


class Fault(NamedTuple):
    """A move of `club` that cost points."""

    gain: float
    """Points that the better move won, on average."""
    error: float
    """The standard error of the gain."""
    usual: Move
    better: Move
    state: State


def decisions(rules: Rules, seats: int, stock: range, rng: random.Random) -> Iterator[Decision]:
    """Decisions of `club` with a stock of one of these sizes, one of a deal at most, for ever."""
    team_size = rules.shape(seats).team_size
    while True:
        state = new_game(rules, rng.randbytes(32), seats=seats, team_size=team_size)
        log = PublicLog()
        while state.phase != OVER:
            if state.phase in (DRAWING, PLAYING) and len(state.stock) in stock and rng.random() < SHARE:
                seen = view(state, state.actor, log=log)
                yield Decision(seen.position, Memory().follow(seen.log))
                break
            state, events = apply(state, sensible_move(state))
            log = log.after(events)


def fault(decision: Decision, deals: int, turns: int, rng: random.Random) -> Fault | None:
    """The move that gained most beyond that of `club`, where one surely did."""
    state, memory = decision
    team = state.actor % state.teams
    usual, *others = many_candidates(state, memory)
    imagination = Imagination(state, state.actor, rng, memory)
    gains: dict[Move, list[float]] = {move: [] for move in others}
    for _ in range(deals if others else 0):
        deal = imagination.deal()
        worth = play_on(deal, usual, team, turns)
        for move in others:
            gains[move].append(play_on(deal, move, team, turns) - worth)
    faults = [Fault(fmean(each), pstdev(each) / sqrt(deals), usual, move, state) for move, each in gains.items()]
    sure = [each for each in faults if each.gain > SURE * each.error]
    return max(sure, key=lambda each: each.gain - SURE * each.error, default=None)


def show(cost: Fault) -> None:
    """Print a fault with what the player saw."""
    position = write_position(cost.state)
    table = {key: position[key] for key in ("turn", "melds", "hands", "feet", "pile") if key in position}
    better, usual, stock = write_move(cost.better), write_move(cost.usual), len(cost.state.stock)
    print(f"{cost.gain:+.0f} ± {cost.error:.0f}: {better}, not {usual}, {stock} cards in the stock\n  {table}\n")


def main() -> None:
    """Look at positions and print what cost most."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--turns", type=int, default=12)
    parser.add_argument("--stock", default="0-999", help="the least and the most cards in the stock")
    parser.add_argument("--seed", type=int, default=1)
    options = parsed(parser, positions=2, deals=4, turns=2)
    rng = random.Random(options.seed)
    least, most = (int(number) for number in options.stock.split("-"))
    looked_at = decisions(Rules.preset(options.rules), options.seats, range(least, most + 1), rng)
    faults = [fault(next(looked_at), options.deals, options.turns, rng) for _ in range(options.positions)]
    dearest = sorted((each for each in faults if each), key=lambda each: SURE * each.error - each.gain)
    for each in dearest:
        show(each)
    cost = sum(each.gain for each in dearest) / options.positions
    print(
        f"{len(dearest)} of {options.positions} decisions could be better, by {cost:.0f} points a decision on average."
    )


if __name__ == "__main__":
    main()
