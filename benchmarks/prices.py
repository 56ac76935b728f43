"""Fits the prices of a position's features by self-play, for each published ruleset and table.

    bin/bench prices [--rules all|NAME] [--deals 600] [--seed 1] [--small]

Players with the habits of `club` play deals. At the start of each turn the features of two teams are compared: the
price of a feature is what it adds to the final lead, by least squares, drawn towards the usual prices where a deal says
little. For each table it prints by how many points the usual and the fitted prices miss the final lead of deals that
they were not fitted to, then it writes `engine/bots/prices/NAME.json`. With --small it writes nothing.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.small import parsed
from engine.bots.club import sensible_move
from engine.bots.features import FEATURES, features
from engine.bots.prices import FOLDER, TEMPO, Price, prices_of, table_key, usual_prices
from engine.play.game import apply, new_game
from engine.play.options import Shape
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.scoring import outcome
from engine.play.state import DRAWING, OVER, State

NAMES = (*FEATURES, TEMPO)
PULL = 1000.0
"""Rows of self-play that weigh as much as the usual prices."""
HELD_BACK = 5
"""One deal in so many is not fitted to, but predicted."""

Vector = NDArray[np.float64]


class Rows(NamedTuple):
    """Positions of one deal: a row for each comparison of two teams, and the lead that the first ended with."""

    compared: Vector
    leads: Vector


def rows_of(rules: Rules, shape: Shape, key: bytes) -> Rows:
    """Play a deal and compare the teams at the start of each turn."""
    state = new_game(rules, key, seats=shape.seats, team_size=shape.team_size)
    prices, turn, seen = prices_of(rules, *shape), -1, []
    while state.phase != OVER:
        if state.phase == DRAWING and state.turn != turn:
            turn = state.turn
            seen += list(_comparisons(state, prices.early(state)))
        state = apply(state, sensible_move(state)).state
    result = outcome(state)
    scores = result.deal_score if result else ()
    leads = [float(scores[team] - scores[other]) for team, other, _ in seen]
    return Rows(np.array([row for _, _, row in seen]), np.array(leads))


def _comparisons(state: State, early: float) -> Iterator[tuple[int, int, Vector]]:
    """The team of the turn and each other one, with the differences of their features early and late in the deal."""
    by_team = [np.array([*features(state, team), float(team == state.team)]) for team in range(state.teams)]
    for other in range(state.teams):
        if other != state.team:
            row = by_team[state.team] - by_team[other]
            yield state.team, other, np.concatenate([row * early, row * (1 - early)])


def fit(rows: Rows, usual: Vector) -> Vector:
    """The prices by which the rows miss their leads least, drawn towards the usual ones."""
    missed = rows.leads - rows.compared @ usual
    pull = np.diag(np.maximum((rows.compared**2).mean(axis=0), 1e-6)) * PULL
    return usual + np.linalg.solve(rows.compared.T @ rows.compared + pull, rows.compared.T @ missed)


def miss(rows: Rows, prices: Vector) -> float:
    """The root of the mean square by which the prices miss the final leads."""
    return float(np.sqrt(((rows.leads - rows.compared @ prices) ** 2).mean()))


def joined(deals: list[Rows]) -> Rows:
    """The rows of several deals."""
    return Rows(np.concatenate([deal.compared for deal in deals]), np.concatenate([deal.leads for deal in deals]))


def vector_of(prices: dict[str, Price]) -> Vector:
    """Prices in the order of the columns of rows: all at the start, then all at the end."""
    return np.array([prices[name].start for name in NAMES] + [prices[name].end for name in NAMES])


def prices_of_table(rules: Rules, shape: Shape, deals: int, rng: random.Random) -> dict[str, Price]:
    """The fitted prices of a table by feature; prints how well they predict."""
    played = [rows_of(rules, shape, rng.randbytes(32)) for _ in range(deals)]
    usual = vector_of(usual_prices(rules))
    others = joined(played[::HELD_BACK])
    fitted = fit(joined([deal for number, deal in enumerate(played) if number % HELD_BACK]), usual)
    print(
        f"| {rules.name} | {table_key(*shape)} | {deals} | {others.leads.std():.0f} "
        f"| {miss(others, usual):.0f} | {miss(others, fitted):.0f} |",
        flush=True,
    )
    pairs = zip(fitted[: len(NAMES)], fitted[len(NAMES) :], strict=True)
    return {name: Price(*pair) for name, pair in zip(NAMES, pairs, strict=True)}


def rounded(prices: dict[str, Price]) -> dict[str, list[float]]:
    """Prices as they are written."""
    return {name: [round(float(price.start), 2), round(float(price.end), 2)] for name, price in prices.items()}


def main() -> None:
    """Fit what the options ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="all")
    parser.add_argument("--deals", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    options = parsed(parser, rules="canadian", deals=10)
    print("| ruleset | table | deals | scatter | missed by usual prices | missed by fitted prices |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in PRESETS if options.rules == "all" else [options.rules]:
        rules, rng = Rules.preset(name), random.Random(options.seed)
        tables = {
            table_key(*shape): rounded(prices_of_table(rules, shape, options.deals, rng)) for shape in rules.shapes
        }
        if not options.small:
            lines = ",\n".join(f"  {json.dumps(table)}: {_object(prices)}" for table, prices in tables.items())
            (FOLDER / f"{name}.json").write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def _object(prices: dict[str, list[float]]) -> str:
    """Prices as JSON, a feature a line."""
    return "{\n" + ",\n".join(f"    {json.dumps(name)}: {json.dumps(pair)}" for name, pair in prices.items()) + "\n  }"


if __name__ == "__main__":
    main()
