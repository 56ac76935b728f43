"""Records and positions written before an option changed its form: they are read with the meaning they had."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BadRules
from engine.play.choices import legal_moves
from engine.play.moves import write_move
from engine.play.position import read_position
from engine.play.record import replay, write_record
from engine.play.rules import Rules

FOLDER = Path(__file__).parents[2] / "golden" / "old_forms"


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (FOLDER / name).read_text().splitlines()]


@pytest.mark.parametrize("record", lines("records.jsonl"), ids=lambda record: record["link"][:8])
def test_an_old_record_replays_to_its_scores_and_so_does_the_record_written_of_it(record: dict[str, Any]) -> None:
    game = replay(record).game
    written = write_record(game)
    assert replay(written).game.state == game.state
    assert [deal["result"] for deal in written["deals"]] == [deal["result"] for deal in record["deals"]]


@pytest.mark.parametrize("case", lines("positions.jsonl"))
def test_an_old_position_leaves_the_choices_it_left(case: dict[str, Any]) -> None:
    assert [write_move(move) for move in legal_moves(read_position(case["position"]))] == case["legal_moves"]


OLD_AND_NEW: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "sizes": ("standard", {"hand_cards": 9, "foot_cards": 8}, {"stacks": [9, 8]}),
    "one size": ("pennies", {"hand_cards": 9}, {"stacks": [9, 11]}),
    "a second meld": ("solo", {"second_meld": True}, {"melds_per_rank": "after_book"}),
    "no second meld": ("bain", {"second_meld": False}, {"melds_per_rank": "one"}),
    "no bonus for lifting": ("family", {"lift_bonus": 0}, {"lift": None}),
    "a bonus for lifting": ("bain", {"lift_bonus": -5}, {"lift": {"by": "each", "within": [[0, -5]]}}),
    "books that grow": ("bain", {"books_grow": True}, {"books_grow": {"clean": "any", "dirty": "any", "wild": "any"}}),
    "books that do not": ("solo", {"books_grow": False}, {"books_grow": {}}),
    "a bonus for sevens": (
        "bain",
        {"book_bonus": {"sevens": 9}},
        {"special_books": {"7": {"points": 9, "needed": 1, "mixed": False}}},
    ),
    "sevens needed": (
        "bain",
        {"contract": {"sevens": 2}},
        {"special_books": {"7": {"points": 1500, "needed": 2, "mixed": False}}},
    ),
    "sevens needed in every deal": (
        "bain",
        {"contract": {"by_deal": [{"clean": 1, "sevens": 2}, {"clean": 3, "sevens": 2}]}},
        {
            "contract": {"by_deal": [{"clean": 1}, {"clean": 3}]},
            "special_books": {"7": {"points": 1500, "needed": 2, "mixed": False}},
        },
    ),
}


@pytest.mark.parametrize(("base", "old", "new"), OLD_AND_NEW.values(), ids=OLD_AND_NEW)
def test_an_old_form_is_written_in_the_new_one(base: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    assert Rules.make(base, old).write_options() == Rules.make(base, new).write_options()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"stacks": [9, 9], "foot_cards": 9}, "foot_cards is the old form of stacks. Name only one."),
        (
            {"melds_per_rank": "one", "second_meld": False},
            "second_meld is the old form of melds_per_rank. Name only one.",
        ),
        ({"lift": None, "lift_bonus": 0}, "lift_bonus is the old form of lift. Name only one."),
        (
            {"special_books": {"7": {"points": 1}}, "contract": {"sevens": 0}},
            "sevens is the old form of special_books. Name only one.",
        ),
        ({"contract": {"sevens": 1}}, "The contract asks for a book of sevens, but books of sevens are not special."),
        ({"hand_cards": 41}, "The option hand_cards must be a whole number from 1 to 40."),
    ],
)
def test_an_old_form_that_says_nothing_or_stands_beside_the_new_one_is_refused(
    options: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadRules) as caught:
        Rules.make("standard", options)
    assert caught.value.sentences == [sentence]


def test_a_bonus_for_books_alone_says_that_sevens_are_not_special() -> None:
    rules = Rules.make("standard", {"special_books": {"7": {"points": 1}, "5": {"points": 2}}})
    changed = Rules.make(rules, {"book_bonus": {"dirty": 5}})
    assert list(changed.special_books_json) == ["5"]
