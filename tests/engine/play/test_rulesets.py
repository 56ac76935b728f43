"""Published rulesets as data: each file is whole, and lists show all of them."""

from __future__ import annotations

import json

import pytest

from engine.play import rulesets
from engine.play.rules import Rules
from engine.play.rulesets import FOLDER, PRESETS, RULESETS, TITLES

KEYS = {"title", "about", "source", "place", "group", "unsaid", "set", "cases"}


@pytest.mark.parametrize("name", PRESETS)
def test_a_file_has_all_that_is_said_of_a_ruleset(name: str) -> None:
    data = json.loads((FOLDER / f"{name}.json").read_text())
    assert set(data) - {"book"} == KEYS
    assert all(data[key] for key in KEYS - {"unsaid", "set"})
    assert data["group"] in rulesets.GROUPS
    assert data["about"].endswith(".")
    assert all(sentence.endswith(".") for sentence in data["unsaid"])


@pytest.mark.parametrize("name", PRESETS)
def test_a_ruleset_names_the_options_in_which_it_is_not_standard_and_no_others(name: str) -> None:
    rules = Rules.preset(name)
    assert rules.name == name
    assert list(PRESETS[name]) == rules.differences(Rules.preset("standard"))


def test_places_and_titles_are_taken_once_and_standard_is_first() -> None:
    assert [ruleset.place for ruleset in RULESETS.values()] == list(range(1, len(RULESETS) + 1))
    assert len(set(TITLES.values())) == len(TITLES)
    assert next(iter(RULESETS)) == "standard"


def test_every_ruleset_stands_under_a_heading_once() -> None:
    shown = [each.name for _, group in rulesets.in_groups() for each in group]
    assert sorted(shown) == sorted(PRESETS)
    assert [name for _, group in rulesets.choices() for name, _ in group] == shown
    assert dict(choice for _, group in rulesets.choices() for choice in group) == TITLES


def test_a_name_that_is_no_ruleset_is_its_own_title() -> None:
    assert rulesets.title_of("bga") == "Board Game Arena"
    assert rulesets.title_of("whist") == "whist"
    assert Rules.read({"name": "whist", "options": {}}).book_words == ("book", "books")
