"""A golden play-through of each ruleset: a record, and its events told one by one.

Each record must replay to just this story. `tests/golden/README.md` describes its files and how to make them.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.play.cards import write_cards
from engine.play.moves import write_move
from engine.play.position import write_meld
from engine.play.record import Game, replay, write_record
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from engine.play.scoring import item_words
from engine.play.state import OVER

FOLDER = Path(__file__).parents[2] / "golden"
WIDTH = 150
"""Characters of a line of a record: the longest act there is, as a rule."""


def story(game: Game) -> Iterator[str]:
    """A match in lines: each move with its events, then the table and the scores of each deal."""
    for number, log in enumerate(game.deals, start=1):
        yield f"deal {number}, seat {log.dealer} deals"
        for played, events in zip(log.moves, log.events, strict=True):
            yield f"  {played.seat} {write_move(played.move)}"
            for event in events:
                words = [event.kind, str(event.seat) if event.seat >= 0 else "", write_cards(event.cards)]
                words += [str(event.number) if event.number else "", event.text]
                yield "      " + " ".join(word for word in words if word)
        if log.result:
            for team, sheet in enumerate(log.result.sheets):
                yield f"  team {team}"
                yield from (
                    f"      {item_words(item.what, game.rules)}: {item.number}, {item.points}" for item in sheet
                )
            yield f"  scores {log.result.deal_score}, totals {log.result.totals}, winners {log.result.winners}"
    for team, melds in enumerate(game.state.melds):
        yield f"melds of team {team}: " + "; ".join(write_meld(meld) for meld in melds)


def in_lines(value: Any, indent: str = "", before: str = "") -> str:
    """JSON for readers: each act, option or line of a score in a line of its own, undivided if it fits."""
    text = json.dumps(value)
    if not isinstance(value, dict | list) or len(indent + before + text) < WIDTH:
        return f"{indent}{before}{text}"
    items = value.items() if isinstance(value, dict) else (("", item) for item in value)
    lines = [in_lines(item, indent + " ", f'"{key}": ' if key else "") for key, item in items]
    return f"{indent}{before}{text[0]}\n" + ",\n".join(lines) + f"\n{indent}{text[-1]}"


def read(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text())


@pytest.mark.parametrize("name", PRESETS)
def test_the_golden_game_replays_to_its_story(name: str) -> None:
    game = replay(read(name)).game
    assert game.rules == Rules.preset(name)
    assert game.state.phase == OVER
    assert "\n".join(story(game)) + "\n" == (FOLDER / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", PRESETS)
def test_the_golden_game_is_written_as_it_was_read(name: str) -> None:
    record = read(name)
    written = write_record(replay(record).game)
    assert written == record
    assert in_lines(written) + "\n" == (FOLDER / f"{name}.json").read_text()


def golden_game(name: str, attempt: int, deals: int) -> Game:
    """A match between bots, the same for the same attempt."""
    from engine.bots import make_bot
    from engine.play.view import view

    rules = Rules.preset(name)
    seats = rules.shapes[0].seats
    keys = [hashlib.sha256(f"golden {name} {attempt} {deal}".encode()).digest() for deal in range(deals)]
    names = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")[:seats]
    bots = [make_bot("club", seed=seat) for seat in range(seats)]
    game = Game.start(rules, names, keys[0], phrases=tuple(name.lower() for name in names))
    for deal in range(deals):
        if deal:
            game.next_deal(keys[deal])
        while game.state.phase != OVER:
            seat = game.state.actor
            minute = (
                f"2026-01-{deal + 1:02}T{len(game.deals[-1].moves) // 60:02}:{len(game.deals[-1].moves) % 60:02}:00"
            )
            game.play(bots[seat].choose(view(game.state, seat, log=game.public_log)), f"{minute}+00:00")
    return game


def write(names: list[str]) -> None:
    """Write the golden games: of each ruleset the first in which a player goes out, if that comes soon."""
    for name in names:
        deals = 4 if name == "standard" else 1
        games = (golden_game(name, attempt, deals) for attempt in range(12))
        game = next((game for game in games if game.state.went_out is not None), None) or golden_game(name, 0, deals)
        (FOLDER / f"{name}.json").write_text(in_lines(write_record(game)) + "\n")
        (FOLDER / f"{name}.txt").write_text("\n".join(story(game)) + "\n")


if __name__ == "__main__":
    write(sys.argv[1:] or list(PRESETS))
