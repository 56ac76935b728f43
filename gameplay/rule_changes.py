"""What changed from one ruleset to another, in words: options, what each was and is, and what the rule sheet says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.play.cards import RANKS
from engine.play.options import (
    BookBonus,
    Contract,
    DeckCount,
    Kind,
    Limits,
    MatchLength,
    OpeningSteps,
    PenaltyPoints,
    PointsOrNull,
    RankPoints,
    RedThreePoints,
    Shapes,
    Whole,
    Word,
    WordOrWhole,
    WordSet,
    YesNo,
)
from engine.play.rules import KINDS_OF_OPTION, Rules
from engine.play.sheet import differences
from gameplay.house_rules_words import NAMED, OPTIONS, RANK_NAMES, WORDS
from web.words import number, several

Said = dict[str, str]
"""The value of an option: words by part; a value in one piece has the part without a name."""


class Change(NamedTuple):
    """One option that changed."""

    name: str
    title: str
    was: str
    now: str


class Sentences(NamedTuple):
    """What the rule sheet said of some options, and what it says now; either may be nothing."""

    was: list[str]
    now: list[str]


class Changes(NamedTuple):
    """All that changed."""

    options: list[Change]
    sentences: list[Sentences]

    @property
    def are_none(self) -> bool:
        """Whether nothing changed."""
        return not self.options


def changes(was: Rules, now: Rules) -> Changes:
    """What changed from one ruleset to another."""
    return Changes([change(name, was, now) for name in now.differences(was)], _sentences(was, now))


def change(name: str, was: Rules, now: Rules) -> Change:
    """One option of both, in words; of an option with many parts only those that differ."""
    before, after = said(name, was), said(name, now)
    if set(before) == set(after) and before != after:
        before = {part: words for part, words in before.items() if words != after[part]}
        after = {part: after[part] for part in before}
    return Change(name, OPTIONS[name].title, _joined(before), _joined(after))


def value(name: str, rules: Rules) -> str:
    """The value of an option in words."""
    return _joined(said(name, rules))


def said(name: str, rules: Rules) -> Said:
    """The value of an option in words, part by part."""
    kind = KINDS_OF_OPTION[name]
    return _SAYERS[type(kind)](name, kind.write(getattr(rules, name)))


def _joined(words: Said) -> str:
    return ", ".join(f"{part} {text}".strip() for part, text in words.items())


def _sentences(was: Rules, now: Rules) -> list[Sentences]:
    """Sentences of both sheets, those about the same options together, in the order of the sheet."""
    found: dict[tuple[str, ...], Sentences] = {}
    for options, text in differences(was, now):
        found.setdefault(options, Sentences([], [])).was.append(text)
    for options, text in differences(now, was):
        found.setdefault(options, Sentences([], [])).now.append(text)
    order = list(KINDS_OF_OPTION)
    ordered = [found[options] for options in sorted(found, key=lambda options: order.index(options[0]))]
    return [pair for both in ordered for pair in _paired(both)]


def _paired(both: Sentences) -> list[Sentences]:
    """One by one, where as many are said now as were: each takes the place of the one before."""
    if len(both.was) != len(both.now):
        return [both]
    return [Sentences([was], [now]) for was, now in zip(both.was, both.now, strict=True)]


# The values of each kind of option


def _whole(name: str, value: int) -> Said:
    return {"": number(value)}


def _yes_no(name: str, value: bool) -> Said:
    return {"": "yes" if value else "no"}


def _word(name: str, value: str) -> Said:
    return {"": OPTIONS[name].words.get(value, WORDS.get(value, value))}


def _word_or_whole(name: str, value: str | int) -> Said:
    return _word(name, value) if isinstance(value, str) else _whole(name, value)


def _words(name: str, value: list[str]) -> Said:
    return {"": ", ".join(RANK_NAMES.get(word, WORDS.get(word, word)).lower() for word in value) or "none"}


def _shapes(name: str, value: list[list[int]]) -> Said:
    return {"": ", ".join(f"{seats} alone" if size == 1 else f"{seats} in teams of {size}" for seats, size in value)}


def _decks(name: str, value: int | dict[str, int]) -> Said:
    if isinstance(value, int):
        return {"": number(value)}
    more = value["seats_plus"]
    return {"": "one for each seat" + (f" and {number(more)} more" if more > 0 else f", less {-more}" if more else "")}


def _limits(name: str, value: list[int]) -> Said:
    return {f"in {size} cards": number(limit) for size, limit in enumerate(value, start=3)}


def _opening(name: str, value: Any) -> Said:
    if isinstance(value, str):
        return {"": WORDS["none"]}
    if "by_deal" in value:
        return {"": f"{', '.join(number(points) for points in value['by_deal'])} by the number of the deal"}
    steps = [
        f"{number(points)} {'below' if start is None else f'from {number(start)}'}"
        for start, points in value["by_score"]
    ]
    return {"": f"by the score so far: {', '.join(steps)}"}


def _contract(name: str, value: dict[str, int]) -> Said:
    return {NAMED[Contract][key].lower(): number(count) for key, count in value.items()}


def _book_bonus(name: str, value: dict[str, int]) -> Said:
    sevens = number(value["sevens"]) if "sevens" in value else "as clean"
    return {key: number(points) for key, points in value.items() if key != "sevens"} | {"of sevens": sevens}


def _ranks(name: str, value: dict[str, int]) -> Said:
    return {RANK_NAMES[rank].lower(): number(value[rank]) for rank in RANKS}


def _red_three(name: str, value: dict[str, int]) -> Said:
    return {NAMED[RedThreePoints][key].lower(): number(points) for key, points in value.items()}


def _points_or_null(name: str, value: int | None) -> Said:
    return {"": WORDS["none"] if value is None else number(value)}


def _length(name: str, value: dict[str, int]) -> Said:
    ((by, count),) = value.items()
    return {"": f"after {several(count, 'deal')}" if by == "deals" else f"at {number(count)} points"}


def _penalties(name: str, value: dict[str, int] | None) -> Said:
    if value is None:
        return {"": WORDS["none"]}
    return {NAMED[PenaltyPoints][key].lower(): number(points) for key, points in value.items()}


_SAYERS: dict[type[Kind], Callable[[str, Any], Said]] = {
    Whole: _whole,
    YesNo: _yes_no,
    Word: _word,
    WordOrWhole: _word_or_whole,
    WordSet: _words,
    Shapes: _shapes,
    DeckCount: _decks,
    Limits: _limits,
    OpeningSteps: _opening,
    Contract: _contract,
    BookBonus: _book_bonus,
    RankPoints: _ranks,
    RedThreePoints: _red_three,
    PointsOrNull: _points_or_null,
    MatchLength: _length,
    PenaltyPoints: _penalties,
}
