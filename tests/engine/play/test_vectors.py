"""The rule vectors of the rulesets and in tests/vectors, each a test of its own; and that the runner can find fault."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BadInput
from engine.play.rulesets import FOLDER as RULESETS
from engine.play.rulesets import PRESETS
from engine.play.vectors import check_cases

FOLDER = Path(__file__).parents[2] / "vectors"


FILES = [*sorted(RULESETS.glob("*.json")), *sorted(FOLDER.glob("*.json"))]


def read(file: Path) -> list[dict[str, Any]]:
    data = json.loads(file.read_text())
    return data["cases"] if isinstance(data, dict) else data


def every_case() -> list[Any]:
    return [
        pytest.param(file.name, case, id=f"{file.stem}: {case['name'].removeprefix(file.stem + ': ')}")
        for file in FILES
        for case in read(file)
    ]


@pytest.mark.parametrize(("file", "case"), every_case())
def test_vector(file: str, case: dict[str, Any]) -> None:
    assert list(check_cases([case], file)) == [(case["name"], None)]


def test_every_preset_and_house_rules_have_cases_named_apart() -> None:
    files = {file.stem: read(file) for file in FILES}
    assert set(files) == {*PRESETS, "house_rules", "more_options"}
    for stem, cases in files.items():
        assert [name for name, times in Counter(case["name"] for case in cases).items() if times > 1] == [], stem
        assert [case["name"] for case in cases if not case["source"] or not case["expect"]] == [], stem
    for name in PRESETS:
        assert {case["position"]["rules"] for case in files[name]} == {name}


TABLE = {"rules": "standard", "opened": {"0": True}, "hands": {"0": "Kc Kd Kh 4c"}, "melds": {"0": ["A: Ac Ad Ah"]}}
OVER = {"rules": "standard", "phase": "over", "hands": ["Kc", "", "", ""], "feet": [None, None, None, None]}

WRONG = {
    "a move that is refused": (TABLE, ["meld Kc Kd"], {}, "expected move 0 (meld Kc Kd) to be accepted, found refused: A new meld needs at least three cards."),
    "a move that should be refused": (TABLE, ["meld Kc Kd Kh"], {"refused_at": 0}, "expected move 0 (meld Kc Kd Kh) to be refused, found accepted"),
    "a move before the one that should be refused": (TABLE, ["draw", "meld Kc Kd Kh"], {"refused_at": 1}, "expected move 0 (draw) to be accepted, found refused: You have already drawn or taken the pile in this turn."),
    "another hand": (TABLE, [], {"after": {"hands": {"0": "Kc Kd Kh"}}}, "expected hands of 0 'Kc Kd Kh', found '4c Kc Kd Kh'"),
    "a foot face down that should be up": (TABLE, [], {"after": {"feet": {"0": None}}}, "expected feet of 0 None, found 'Qc Qd Qh Qs'"),
    "another meld": (TABLE, [], {"after": {"melds": {"0": ["A: Ac Ad As"]}}}, "expected melds of 0 ['A: Ac Ad As'], found ['A: Ac Ad Ah']"),
    "a meld too many": (TABLE, [], {"after": {"melds": {"0": []}}}, "expected melds of 0 [], found ['A: Ac Ad Ah']"),
    "another order of the stock": ({**TABLE, "stock": "5c 6d"}, [], {"after": {"stock": "6d 5c"}}, "expected stock '6d 5c', found '5c 6d'"),
    "another turn": (TABLE, ["discard 4c"], {"after": {"turn": 2}}, "expected turn 2, found 1"),
    "false where it is true": (TABLE, [], {"after": {"opened": {"0": False}}}, "expected opened of 0 False, found True"),
    "a legal move that is not": (TABLE, [], {"legal": ["discard 4c", "discard 5c"]}, "expected discard 5c to be legal, found refused: You do not have 5c."),
    "an illegal move that is legal": (TABLE, [], {"illegal": ["discard 5c", "discard 4c"]}, "expected discard 4c to be refused, found legal"),
    "another score": (OVER, [], {"deal_score": [-10, -10]}, "expected deal_score [-10, -10], found [-10, 0]"),
    "other totals": (OVER, [], {"totals": [0, 0]}, "expected totals [0, 0], found [-10, 0]"),
    "a winner before the end": (OVER, [], {"winner": [1]}, "expected winner [1], found None"),
    "no winner at the end": ({**OVER, "deal": 4}, [], {"winner": None}, "expected winner None, found [1]"),
    "a score before the end": (TABLE, [], {"deal_score": [0, 0]}, "expected deal_score [0, 0], found the deal is not over"),
}  # fmt: skip


@pytest.mark.parametrize(("position", "do", "expect", "failure"), WRONG.values(), ids=WRONG)
def test_a_case_that_does_not_hold_fails(position: Any, do: list[str], expect: Any, failure: str) -> None:
    case = {"name": "wrong", "source": "", "position": position, "do": do, "expect": expect}
    ((name, fault),) = check_cases([case], "file")
    assert (name, str(fault)) == ("wrong", failure)


UNREADABLE = {
    "no list": ({}, "file: a vector file is a JSON list of cases."),
    "no name": ([{"expect": {}}], "file: Case 1 has no name."),
    "no position": ([{"name": "x", "expect": {}}], "file: Case 1 (x) has no position."),
    "a key nobody knows": ([{"name": "x", "expect": {}, "positon": {}}], "file: Case 1 (x) has an unknown key 'positon'."),
    "a position that cannot be": ([{"name": "x", "position": {"rules": "bain", "phase": "tea"}, "expect": {}}], "file: Case 1 (x): The phase 'tea' is not one of lift, choose, draw, play, answer, over."),
    "a move that is none": ([{"name": "x", "position": TABLE, "do": ["pass"], "expect": {}}], "file: Case 1 (x): 'pass' is not a move."),
    "a key of `after` that is none": ([{"name": "x", "position": TABLE, "expect": {"after": {"colour": 1}}}], "file: Case 1 (x): `after` has an unknown key 'colour'."),
}  # fmt: skip


@pytest.mark.parametrize(("cases", "sentence"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_that_cannot_be_read_says_where(cases: Any, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        list(check_cases(cases, "file"))
    assert caught.value.sentence == sentence
