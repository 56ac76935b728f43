"""Rule vectors: cases of a ruleset's behaviour, run against the engine. The format is in the notation document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.errors import BadInput, EngineError
from engine.play.cards import parse_cards, write_cards
from engine.play.game import apply
from engine.play.legality.legal import why_not
from engine.play.moves import parse_move
from engine.play.position import read_meld, read_position, read_stacks, write_meld, write_stacks
from engine.play.refusals import IllegalMove
from engine.play.scoring import outcome
from engine.play.state import State


class Failure(NamedTuple):
    """The expected and the actual value of a case."""

    expected: str
    found: str

    def __str__(self) -> str:
        return f"expected {self.expected}, found {self.found}"


_CASE_KEYS = {"name", "source", "position", "do", "expect"}
_EXPECT_KEYS = {"refused_at", "after", "legal", "illegal", "deal_score", "totals", "winner"}


def check_case(case: Any, number: int = 1) -> Failure | None:
    """Run one case, the `number`-th of its file; `None` where everything expected holds.

    Raises `BadInput`, saying which case it is, where it cannot be read.
    """
    _check_shape(case, number)
    try:
        return _run(case)
    except EngineError as error:
        raise BadInput(f"Case {number} ({case['name']}): {error.sentence}") from None


def _check_shape(case: Any, number: int) -> None:
    if not isinstance(case, dict) or not isinstance(case.get("name"), str):
        raise BadInput(f"Case {number} has no name.")
    where = f"Case {number} ({case['name']})"
    if unknown := sorted(set(case) - _CASE_KEYS):
        raise BadInput(f"{where} has an unknown key {unknown[0]!r:.40}.")
    if "position" not in case:
        raise BadInput(f"{where} has no position.")
    if not isinstance(case.get("expect"), dict) or set(case["expect"]) - _EXPECT_KEYS:
        raise BadInput(f"{where}: `expect` must be an object with some of {', '.join(sorted(_EXPECT_KEYS))}.")
    moves = [case.get("do", []), *(case["expect"].get(key, []) for key in ("legal", "illegal"))]
    if any(not isinstance(texts, list) or any(not isinstance(text, str) for text in texts) for texts in moves):
        raise BadInput(f"{where}: moves must be lists of lines of notation.")
    refused_at = case["expect"].get("refused_at")
    if refused_at is not None and (type(refused_at) is not int or not 0 <= refused_at < len(moves[0])):
        raise BadInput(f"{where}: `refused_at` must be the index of a move in `do`.")
    if not isinstance(case["expect"].get("after", {}), dict):
        raise BadInput(f"{where}: `after` must be an object, part of a position.")


def _run(case: dict[str, Any]) -> Failure | None:
    state = read_position(case["position"])
    expect = case["expect"]
    refused_at = expect.get("refused_at")
    for index, text in enumerate(case.get("do", [])):
        try:
            after, _ = apply(state, parse_move(text))
        except (IllegalMove, BadInput) as error:
            if index == refused_at:
                break
            if isinstance(error, BadInput):
                raise
            return Failure(f"move {index} ({text}) to be accepted", f"refused: {error.sentence}")
        if index == refused_at:
            return Failure(f"move {index} ({text}) to be refused", "accepted")
        state = after
    return next(_failures(state, expect), None)


def _failures(state: State, expect: dict[str, Any]) -> Iterator[Failure]:
    for key, value in expect.get("after", {}).items():
        yield from _compare(state, key, value)
    for text in expect.get("legal", []):
        if refusal := why_not(state, parse_move(text)):
            yield Failure(f"{text} to be legal", f"refused: {refusal.sentence}")
    for text in expect.get("illegal", []):
        try:
            if why_not(state, parse_move(text)) is None:
                yield Failure(f"{text} to be refused", "legal")
        except BadInput:
            continue
    result = outcome(state)
    for key, attribute in (("deal_score", "deal_score"), ("totals", "totals"), ("winner", "winners")):
        if key in expect:
            actual = getattr(result, attribute) if result else "the deal is not over"
            actual = list(actual) if isinstance(actual, tuple) else actual
            if actual != expect[key]:
                yield Failure(f"{key} {expect[key]}", str(actual))


def _compare(state: State, key: str, value: Any) -> Iterator[Failure]:
    """Failures of one key of `after`: of an object or a list only the seats or teams named."""
    if key not in vars(state) or key in ("rules", "seed", "undo", "knees"):
        raise BadInput(f"`after` has an unknown key {key!r:.40}.")
    actual = tuple(zip(state.knees, state.feet, strict=True)) if key == "feet" else getattr(state, key)
    if not isinstance(actual, tuple):
        if key in ("pile", "stock"):
            if parse_cards(value) != actual:
                yield Failure(f"{key} {value!r}", repr(write_cards(actual)))
        elif value != actual:
            yield Failure(f"{key} {value!r}", repr(actual))
        return
    if not isinstance(value, list | dict):
        raise BadInput(f"`after` gives {key} as {value!r:.40}; it must be a list, or an object keyed by number.")
    pairs = enumerate(value) if isinstance(value, list) else ((_number(k, key), v) for k, v in value.items())
    for index, expected in pairs:
        if not index < len(actual):
            raise BadInput(f"`after` names {key} of {index}, which is not there.")
        if not _same(key, expected, actual[index]):
            yield Failure(f"{key} of {index} {expected!r}", _text_of(key, actual[index]))


def _number(text: str, key: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise BadInput(f"`after` names {key} of {text!r:.20}; it goes by number.")
    return int(text)


_CARD_KEYS = ("hands", "red_threes", "laid_sevens")


def _same(key: str, expected: Any, actual: Any) -> bool:
    if key in _CARD_KEYS:
        if expected is None or actual is None:
            return expected is None and actual is None
        return bool(bytes(sorted(parse_cards(expected))) == actual)
    if key == "feet":
        return bool(read_stacks(expected, "feet") == actual)
    if key == "melds":
        if not isinstance(expected, list):
            raise BadInput(f"`after` gives melds as {expected!r:.40}; they must be lists of melds.")
        return Counter(map(read_meld, expected)) == Counter(actual)
    if key == "stacks" and expected is not None and actual is not None:
        return [parse_cards(cards) for cards in expected] == list(actual)
    nothing_known: bool = expected in (None, 0) and actual in (None, 0)
    return nothing_known or bool(expected == actual)


def _text_of(key: str, actual: Any) -> str:
    if key == "melds":
        return str([write_meld(meld) for meld in actual])
    if key == "feet":
        return repr(write_stacks(*actual))
    return repr(write_cards(actual)) if key in _CARD_KEYS and actual is not None else repr(actual)


def check_cases(cases: Any, where: str) -> Iterator[tuple[str, Failure | None]]:
    """Each case of a file with its failure, or `None`. Raises `BadInput`, with the place, for any other value."""
    if not isinstance(cases, list):
        raise BadInput(f"{where}: a vector file is a JSON list of cases.")
    for number, case in enumerate(cases, start=1):
        try:
            failure = check_case(case, number)
        except BadInput as error:
            raise BadInput(f"{where}: {error.sentence}") from None
        yield case["name"], failure
