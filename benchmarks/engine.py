"""Speed of the engine, as ratios against two well-known engines in the same run.

    bin/bench engine [--seconds 3] [--json] [--small]

For every preset: decisions per second of CPU time (choosing uniformly among `legal_moves`, applying one), in plain
Python and compiled, and whole random deals per second, on one core; python-chess and OpenSpiel's gin rummy with the
same kind of random play, before, between and after these; then the median time of `why_not` on one move, of `view`, and
of a snapshot written and read back. Shuffling is part of a deal in all. The compiled engine takes a minute to build; it is
left out where nothing compiles it, and in small runs.
"""

import argparse
import json
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

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
    """The same with OpenSpiel's gin rummy, in C++, driven from here; the cards dealt and drawn are no decisions."""
    import pyspiel

    game = pyspiel.load_game("gin_rummy")
    while True:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice(state.chance_outcomes())[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
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
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        decisions += next(games)
        count += 1
    return Rate(name, decisions / spent, count / spent)


PLAYERS = {"python-chess": random_chess, "OpenSpiel": random_gin_rummy}
"""What the engine is compared with."""


def measure_baselines(seconds: float, seed: int) -> list[Rate]:
    """The rates of what the engine is compared with."""
    return [measure(name, players(random.Random(seed)), seconds) for name, players in PLAYERS.items()]


def mean_of(runs: list[list[Rate]]) -> list[Rate]:
    """The mean rates of several runs: a processor is not always equally fast."""
    means = []
    for rates in zip(*runs, strict=True):
        means.append(Rate(rates[0].name, fmean(r.decisions for r in rates), fmean(r.games for r in rates)))
    return means


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


def measure_presets(seconds: float, seed: int) -> list[Rate]:
    """The rates of all presets, by the engine that this process has."""
    return [measure(name, random_deals(Rules.preset(name), random.Random(seed)), seconds) for name in PRESETS]


def measure_compiled(seconds: float, seed: int) -> list[Rate]:
    """The same by a compiled copy, in a process of its own; none where nothing compiles it."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        subprocess.run([sys.executable, ROOT / "bin/lib/compile.py", folder], check=True, stdout=subprocess.DEVNULL)
        if not any(folder.glob("engine__mypyc*")):
            return []
        shutil.copytree(ROOT / "benchmarks", folder / "benchmarks")
        command = [sys.executable, folder / "benchmarks/engine.py", "--only-presets"]
        command += ["--seconds", str(seconds), "--seed", str(seed)]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    return [Rate(**rate) for rate in json.loads(output)]


def print_rates(rates: list[Rate], compiled: list[Rate], base: dict[str, float]) -> None:
    """Print a line for each preset, plain and compiled with the ratios of both, and for what they are compared with."""
    print(f"{'':24}{'decisions/s':>13}{'deals/s':>10}" + "".join(f"{'× ' + name:>16}" for name in PLAYERS))
    for label, rows in (("", rates), (", compiled", compiled)):
        for rate in rows:
            ratios = "".join(f"{rate.decisions / base[name]:>16.2f}" for name in PLAYERS)
            print(f"{rate.name + label:24}{rate.decisions:>13,.0f}{rate.games:>10,.1f}{ratios}")


def main() -> int:
    """Print the table, or JSON."""
    parser = argparse.ArgumentParser(prog="bin/bench engine", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3.0, help="CPU time for each row")
    parser.add_argument("--states", type=int, default=400, help="positions that single acts are timed on")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-presets", action="store_true", help="the rates of the presets only, as JSON")
    parser.add_argument("--json", action="store_true")
    options = parsed(parser, seconds=0.05, states=20)
    if options.only_presets:
        print(json.dumps([rate._asdict() for rate in measure_presets(options.seconds, options.seed)]))
        return 0
    runs = [measure_baselines(options.seconds, options.seed)]
    rates = measure_presets(options.seconds, options.seed)
    runs.append(measure_baselines(options.seconds, options.seed))
    compiled = [] if options.small else measure_compiled(options.seconds, options.seed)
    runs.append(measure_baselines(options.seconds, options.seed))
    rates += (baselines := mean_of(runs))
    times = medians(random.Random(options.seed), options.states)
    if options.json:
        lists = {"rates": rates, "compiled": compiled}
        print(json.dumps({name: [r._asdict() for r in rows] for name, rows in lists.items()} | {"median_ms": times}))
        return 0
    print_rates(rates, compiled, {rate.name: rate.decisions for rate in baselines})
    print()
    for label, milliseconds in times.items():
        print(f"{label:28}{milliseconds:>8.3f} ms (median)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
