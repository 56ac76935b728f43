"""The engine beside the reference: the same verdict on every move, the same position after it, the same scores."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from engine.errors import BadInput
from engine.play.cards import write_cards
from engine.play.deal import shuffle
from engine.play.game import apply, next_deal
from engine.play.moves import parse_move
from engine.play.position import write_without_rules
from engine.play.refusals import IllegalMove
from engine.play.rules import Rules
from engine.play.scoring import Item, outcome
from engine.play.state import State
from tests.engine.reference import random_play, scores
from tests.engine.reference.table import Illegal, Table, read_table, write_table
from tests.engine.reference.turns import new_deal, play


@dataclass
class Difference:
    """A move on which engine and reference differ, with all that it takes to judge it."""

    position: dict[str, Any]
    move: str
    what: str

    def __str__(self) -> str:
        return f"{self.move}\n  {self.what}\n  {json.dumps(self.position)}"


def table_of(state: State) -> Table:
    return read_table({"rules": state.rules.for_all_deals, **write_without_rules(state)})


def engine_verdict(state: State, text: str) -> State | str:
    """The engine's position after the move, or its reason against it."""
    try:
        return apply(state, parse_move(text)).state
    except (IllegalMove, BadInput) as error:
        return f"refused: {error.sentence}"


def reference_verdict(table: Table, text: str) -> Table | str:
    try:
        return play(table, text)
    except Illegal as error:
        return f"refused: {error}"


def difference(state: State, table: Table, text: str) -> str | None:
    """What engine and reference say differently about a move, or `None`."""
    by_engine, by_reference = engine_verdict(state, text), reference_verdict(table, text)
    if isinstance(by_engine, str) or isinstance(by_reference, str):
        if isinstance(by_engine, str) and isinstance(by_reference, str):
            return None
        return f"engine: {by_engine if isinstance(by_engine, str) else 'legal'}; reference: " + (
            by_reference if isinstance(by_reference, str) else "legal"
        )
    return different_tables(write_table(table_of(by_engine)), write_table(by_reference)) or (
        different_scores(by_engine, by_reference) if by_engine.phase == "over" else None
    )


def different_tables(by_engine: dict[str, Any], by_reference: dict[str, Any]) -> str | None:
    keys = [key for key in by_engine if by_engine[key] != by_reference[key]]
    return "; ".join(f"{key}: engine {by_engine[key]}, reference {by_reference[key]}" for key in keys) or None


def different_scores(state: State, table: Table) -> str | None:
    """Differences in the scores of a deal that is over: each item of each team, the totals, the winners."""
    result = outcome(state)
    assert result is not None
    by_engine = (
        [items_of(sheet) for sheet in result.sheets],
        list(result.totals),
        None if result.winners is None else list(result.winners),
    )
    items = [scores.deal_items(table, team) for team in range(table.teams)]
    by_reference = (
        [{what: points for what, points in sheet.items() if points} for sheet in items],
        scores.totals(table),
        scores.winners(table),
    )
    return None if by_engine == by_reference else f"scores: engine {by_engine}, reference {by_reference}"


def items_of(sheet: tuple[Item, ...]) -> dict[str, int]:
    """The points of an engine's score sheet under the names that the reference has, which adds up all books."""
    points: dict[str, int] = {}
    for item in sheet:
        what = item.what if item.what in NAMES_OF_ITEMS else "books"
        points[what] = points.get(what, 0) + item.points
    return {what: number for what, number in points.items() if number}


NAMES_OF_ITEMS = (
    *("melded", "wild_unfinished", "red_threes_laid", "red_threes_held", "left", "out", "lift", "penalties"),
)


def different_deal(state: State) -> str | None:
    """Differences in a deal before its first move."""
    assert state.seed is not None
    rules = state.rules.for_all_deals
    cards = write_cards(shuffle(rules.pack(state.seats), state.seed)).split()
    numbers = {"seats": state.seats, "team_size": state.team_size, "deal": state.deal, "dealer": state.dealer}
    table = new_deal(rules.write_options(), cards, **numbers)
    table.assist, table.scores, table.seed = state.assist, list(state.scores), state.seed.hex()
    return different_tables(write_table(table_of(state)), write_table(table))


def compare_at(state: State, rng: random.Random, *, most_offered: int = 8) -> Iterator[tuple[str, str | None]]:
    """Each move tried in a position, with the difference or `None`: offered ones first, which must be legal."""
    table = table_of(state)
    offered = random_play.offered_moves(state)
    for text in rng.sample(offered, min(most_offered, len(offered))):
        yield text, difference(state, table, text)
    for text in random_play.moves_to_try(table, offered, rng):
        yield text, difference(state, table, text)


def compare(seed: int, moves: int) -> Iterator[tuple[int, Difference | None]]:
    """Try at least so many moves under random rules, each with its difference, if there is one.

    The number is that of the ruleset and its match, which start from a random state of their own.
    """
    tried = number = 0
    while tried < moves:
        rng = random.Random(f"{seed}/{number}")
        for difference in compare_match(random_play.random_rules(rng), rng):
            tried += 1
            yield number, difference
        number += 1


def compare_match(rules: Rules, rng: random.Random) -> Iterator[Difference | None]:
    """Play at random from the beginning of a match or a late position, through later deals, and try moves on the way."""
    state = random_play.first_state(rules, rng)
    is_new = state is not None and state.seed is not None
    # Long matches get far, short ones leave more time for other rules.
    steps, share = (300, 0.1) if is_new else (8, 0.6)
    for _ in range(steps):
        if state is None:
            return
        if is_new:
            what = different_deal(state)
            yield Difference(short_position(state), "(the deal)", what) if what else None
        if state.phase != "over" and rng.random() < share:
            for text, what in compare_at(state, rng):
                yield Difference(short_position(state), text, what) if what else None
        is_new = state.phase == "over"
        state = next_state(state, rng)


def next_state(state: State, rng: random.Random) -> State | None:
    """The position after a random move, or the next deal; `None` where the match is over."""
    if state.phase != "over":
        return apply(state, random_play.eager_move(state, rng)).state
    result = outcome(state)
    return next_deal(state, rng.randbytes(32)) if result and result.winners is None else None


def short_position(state: State) -> dict[str, Any]:
    """The position as a vector has it: the rules as a preset with changes, and nothing that is so by default."""
    rules = state.rules.for_all_deals
    preset = Rules.preset(rules.name)
    position = {"rules": {"base": rules.name, "set": rules.changes_from(preset)}, **write_without_rules(state)}
    empty = (None, False, 0, [], "")
    for key, value in list(position.items()):
        if key not in EVEN_IF_EMPTY and (
            value in empty or (isinstance(value, list) and all(v in empty for v in value))
        ):
            del position[key]
    return position


EVEN_IF_EMPTY = (
    "hands",
    "feet",
    "pile",
    "stock",
    "turn",
    "dealer",
    "opened",
    "opened_by",
    "foot_turns",
    "foot_acted",
    "assist",
)
"""Keys whose default in a position is not nothing."""
