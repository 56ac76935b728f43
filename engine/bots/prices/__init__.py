"""Prices of the features of a position: what each adds to the final lead, at the start and at the end of a deal.

`bin/bench prices` fits them by self-play, for each published ruleset and table, and writes a file for each ruleset into
this folder. A table without a file has the usual prices, in which books in progress are shares of the book's bonus.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from engine.bots.features import FEATURES
from engine.bots.knowledge import stock_at_start
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.state import Position

FOLDER = Path(__file__).parent
TEMPO = "next draw"
"""The key of the price of having the turn, beside those of the features."""


class Price(NamedTuple):
    """Points that one more of a feature is worth, at the start of a deal and at the end of the stock."""

    start: float
    end: float


USUAL: dict[str, Price] = {
    "table": Price(1.0, 1.0),
    "clean 3": Price(0.92, 0.02),
    "clean 4": Price(1.01, 0.13),
    "clean 5": Price(1.13, 0.27),
    "clean 6": Price(1.22, 0.53),
    "dirty 3": Price(1.24, 0.15),
    "dirty 4": Price(1.24, 0.18),
    "dirty 5": Price(1.52, 0.20),
    "dirty 6": Price(1.73, 0.50),
    "wild 3": Price(1.04, -0.12),
    "wild 4": Price(1.22, -0.06),
    "wild 5": Price(1.33, 0.20),
    "wild 6": Price(1.47, 0.49),
    "clean missing": Price(-180.0, 150.0),
    "dirty missing": Price(-300.0, 0.0),
    "wild missing": Price(-385.0, 50.0),
    "wild cards in hand": Price(258.0, 92.0),
    "wild cards in foot": Price(154.0, 19.0),
    "feet down": Price(640.0, 380.0),
    "cards before the foot": Price(125.0, -197.0),
    "cards on the foot": Price(78.0, -45.0),
    "pairs": Price(70.0, 140.0),
    TEMPO: Price(110.0, 70.0),
}
"""Prices where none were fitted, from Standard for four. Those of books in progress are shares of the book's bonus."""


class Prices(NamedTuple):
    """The prices at a table, in the order of `FEATURES`, then that of the turn."""

    start: tuple[float, ...]
    end: tuple[float, ...]
    stock: int
    """Cards in the stock at the start of a deal."""

    def early(self, state: Position) -> float:
        """How early in the deal a position is: 1 at its start, 0 at the end of the stock."""
        return min(1.0, len(state.stock) / self.stock)

    def at(self, early: float) -> list[float]:
        """The prices at that time."""
        return [end + (start - end) * early for start, end in zip(self.start, self.end, strict=True)]


def table_key(seats: int, team_size: int) -> str:
    """The name of a table in the files."""
    return f"{seats} seats, teams of {team_size}"


@lru_cache(maxsize=64)
def prices_of(rules: Rules, seats: int, team_size: int) -> Prices:
    """The prices at a table under a ruleset. House rules have those of the published ruleset that they are based on."""
    fitted = _fitted(rules.name).get(table_key(seats, team_size))
    prices = usual_prices(rules) if fitted is None else _for_bonuses(fitted, rules)
    ordered = [prices[name] for name in (*FEATURES, TEMPO)]
    stock = max(1, stock_at_start(rules, seats))
    return Prices(tuple([price.start for price in ordered]), tuple([price.end for price in ordered]), stock)


def usual_prices(rules: Rules) -> dict[str, Price]:
    """Prices that fit any ruleset, roughly."""
    return {name: _times(price, rules.bonus_of.get(_kind(name), 1.0)) for name, price in USUAL.items()}


@lru_cache(maxsize=64)
def _fitted(name: str) -> dict[str, dict[str, Price]]:
    """The fitted prices of a published ruleset by its tables; none where it has no file."""
    file = FOLDER / f"{name}.json"
    if name not in PRESETS or not file.is_file():
        return {}
    tables = json.loads(file.read_text(encoding="utf-8"))
    return {table: {name: Price(*pair) for name, pair in prices.items()} for table, prices in tables.items()}


def _for_bonuses(prices: dict[str, Price], rules: Rules) -> dict[str, Price]:
    """The prices, those of books in progress in proportion to what the books are worth by house rules."""
    base = Rules.preset(rules.name).bonus_of
    return {
        name: _times(price, rules.bonus_of[kind] / base[kind]) if base.get(kind := _kind(name)) else price
        for name, price in prices.items()
    }


def _kind(name: str) -> str:
    """The kind of book that a feature is a part of; empty if it is of none."""
    kind, _, size = name.partition(" ")
    return kind if size.isdecimal() else ""


def _times(price: Price, factor: float) -> Price:
    return Price(price.start * factor, price.end * factor)
