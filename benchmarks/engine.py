"""Speed of the engine, as ratios against two well-known engines in the same run.

    bin/bench engine [--seconds 3] [--json] [--small]

For every preset: decisions per second (choosing uniformly among `legal_moves`, applying one) and whole random deals
per second, on one core; then RLCard's gin rummy and python-chess with the same kind of random play; then the median
time of `why_not` on one move, of `view`, and of a snapshot written and read back. Shuffling is part of a deal in all.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.small import parsed
from engine.play.choices import legal_moves
from engine.play.game import apply, new_game
from engine.play.legality.legal import why_not
from engine.play.moves import Move
from engine.play.position import read_position, write_position
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import OVER, State
from engine.play.view import view

BASELINES = ("rlcard gin rummy", "python-chess")


class Rate(NamedTuple):
    """Result of one player of random moves."""

    name: str
    decisions: float
    """Decisions per second."""
    games: float
    """Whole deals or games per second."""


def random_deals(rules: Rules, rng: random.Random) -> Iterator[int]:
    """Play whole random deals for ever; the number of decisions in each."""
    while True:
        state = new_game(rules, rng.randbytes(32))
        decisions = 0
        while state.phase != OVER:
            state, _ = apply(state, rng.choice(legal_moves(state)))
            decisions += 1
        yield decisions


def random_gin_rummy(rng: random.Random) -> Iterator[int]:
    """The same with RLCard's gin rummy: its own environment, its own list of legal actions."""
    import rlcard

    env = rlcard.make("gin-rummy", config={"seed": rng.randrange(2**31)})
    while True:
        observed, _ = env.reset()
        decisions = 0
        while not env.is_over():
            observed, _ = env.step(rng.choice(list(observed["legal_actions"])))
            decisions += 1
        yield decisions


def random_chess(rng: random.Random) -> Iterator[int]:
    """The same with python-chess: legal moves listed, one pushed, until the game is over by the automatic rules."""
    import chess

    while True:
        board = chess.Board()
        decisions = 0
        while moves := list(board.legal_moves):
            board.push(rng.choice(moves))
            decisions += 1
            if board.is_insufficient_material() or board.is_seventyfive_moves() or board.is_fivefold_repetition():
                break
        yield decisions


def measure(name: str, games: Iterator[int], seconds: float) -> Rate:
    """Run games for about that time, after one to warm up."""
    next(games)
    decisions = count = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        decisions += next(games)
        count += 1
    return Rate(name, decisions / spent, count / spent)


def sample_states(rules: Rules, rng: random.Random, count: int) -> list[State]:
    """Positions from random deals, one in every few moves."""
    states: list[State] = []
    state = new_game(rules, rng.randbytes(32))
    while len(states) < count:
        if state.phase == OVER:
            state = new_game(rules, rng.randbytes(32))
        if rng.random() < 0.2:
            states.append(state)
        state, _ = apply(state, rng.choice(legal_moves(state)))
    return states


def median_ms(act: Callable[[State, Move], Any], cases: list[tuple[State, Move]]) -> float:
    """Median time of `act` over positions, each with a legal move, in milliseconds."""
    times = []
    for state, move in cases:
        start = time.perf_counter()
        act(state, move)
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1000


def snapshot(state: State) -> State:
    """Write a position as JSON text and read it back."""
    return read_position(json.loads(json.dumps(write_position(state))))


def medians(rng: random.Random, count: int) -> dict[str, float]:
    """Median milliseconds of the single acts, over positions of Standard."""
    states = sample_states(Rules.preset("standard"), rng, count)
    cases = [(state, rng.choice(legal_moves(state))) for state in states]
    melds = [case for case in cases if case[1].kind == "meld"]
    return {
        "why_not, any legal move": median_ms(why_not, cases),
        "why_not, a legal meld": median_ms(why_not, melds),
        "legal_moves": median_ms(lambda state, _: legal_moves(state), cases),
        "apply": median_ms(apply, cases),
        "view": median_ms(lambda state, _: view(state, state.actor), cases),
        "snapshot written and read": median_ms(lambda state, _: snapshot(state), cases),
    }


def run(seconds: float, states: int, seed: int) -> tuple[list[Rate], dict[str, float]]:
    """All rates, the baselines last, and the medians."""
    rates = [measure(n, random_deals(Rules.preset(n), random.Random(seed)), seconds) for n in PRESETS]
    for name, players in zip(BASELINES, (random_gin_rummy, random_chess), strict=True):
        rates.append(measure(name, players(random.Random(seed)), seconds))
    return rates, medians(random.Random(seed), states)


def main() -> int:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(prog="bin/bench engine", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each row")
    parser.add_argument("--states", type=int, default=400, help="positions that single acts are timed on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, seconds=0.05, states=20)
    rates, times = run(options.seconds, options.states, options.seed)
    base = {rate.name: rate.decisions for rate in rates if rate.name in BASELINES}
    if options.json:
        print(json.dumps({"rates": [rate._asdict() for rate in rates], "median_ms": times}))
        return 0
    print(f"{'':18}{'decisions/s':>13}{'deals/s':>10}" + "".join(f"{'× ' + name:>20}" for name in BASELINES))
    for rate in rates:
        ratios = "".join(f"{rate.decisions / base[name]:>20.2f}" for name in BASELINES)
        print(f"{rate.name:18}{rate.decisions:>13,.0f}{rate.games:>10,.1f}{ratios}")
    print()
    for label, milliseconds in times.items():
        print(f"{label:28}{milliseconds:>8.3f} ms (median)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
