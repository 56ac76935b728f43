"""The engine beside the reference, an implementation of its own from the text of the rules: verdicts, positions, scores.

`python -m tests.engine.reference` compares as many moves as it is told to, and prints each difference to be judged.
"""

from __future__ import annotations

from typing import Any

import pytest

from engine.play.rules import KINDS_OF_OPTION
from tests.engine.play.test_vectors import every_case
from tests.engine.reference import melding, turns
from tests.engine.reference.compare import compare
from tests.engine.reference.random_play import OPTION_MAKERS
from tests.engine.reference.vectors import fault


@pytest.mark.parametrize(("file", "case"), every_case())
def test_the_reference_keeps_every_rule_case(file: str, case: dict[str, Any]) -> None:
    assert fault(case) is None


def test_a_case_that_does_not_hold_fails_on_the_reference() -> None:
    case = {"position": {"rules": "standard", "hands": {"0": "Kc Kd 4c"}}, "do": ["discard 4c"], "expect": {}}
    assert fault(case) is None
    assert fault(case | {"expect": {"after": {"turn": 2}}}) == "turn: expected 2, there is 1"
    assert fault(case | {"expect": {"refused_at": 0}}) == "discard 4c is accepted"
    assert fault(case | {"expect": {"legal": ["discard 4c"]}}) == "discard 4c is not legal"
    assert fault(case | {"do": ["discard 5c"]}) == "discard 5c is refused: this card is not discarded"


def test_random_rules_set_every_option() -> None:
    assert set(OPTION_MAKERS) == set(KINDS_OF_OPTION)


def differences(seed: int, moves: int) -> list[str]:
    return [str(difference) for _, difference in compare(seed, moves) if difference]


@pytest.mark.parametrize("seed", range(6))
def test_engine_and_reference_agree(seed: int) -> None:
    assert differences(seed, 2_000) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 104))
def test_engine_and_reference_agree_on_many_moves(seed: int) -> None:
    assert differences(seed, 50_000) == []


WRONG_RULES = {
    "kept ranks": (turns, "may_be_discarded", lambda table, card: True),
    "the opening minimum": (turns, "opening_minimum", lambda table: 0),
    "cards left": (turns, "check_rest", lambda table, unseen=0: None),
    "red threes": (turns, "lay_red_threes", lambda table, seat, *, from_pile=False: None),
    "large books": (melding, "check_large_book", lambda table, book: None),
    "a further meld": (melding, "may_start", lambda table, melds, name, cards: True),
}
"""A rule each that the reference is made to forget."""


@pytest.mark.parametrize(("module", "rule", "forgotten"), WRONG_RULES.values(), ids=WRONG_RULES)
def test_a_rule_that_only_the_engine_keeps_is_noticed(
    module: Any, rule: str, forgotten: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, rule, forgotten)
    assert any(difference for _, difference in compare(0, 20_000))
