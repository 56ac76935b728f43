"""Changes from one ruleset to another, in words: options with both values, and sentences of the rule sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from engine.play.cards import RANKS, rank_words
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
from engine.play.rule_sheet.sheet import differences
from engine.play.rules import KINDS_OF_OPTION, Rules
from gameplay.house_rules.option_text import NAMED, title_of, word_of
from web.text import in_sentence, number

Parts = dict[str, str]
"""The value of an option: words by part; a value in one piece has the part without a name."""


class Change(NamedTuple):
    """A changed option."""

    name: str
    title: str
    was: str
    now: str


class Sentences(NamedTuple):
    """Sentences of the rule sheet about some options, before and now; either may be empty."""

    was: list[str]
    now: list[str]


class Changes(NamedTuple):
    """All changes."""

    options: list[Change]
    sentences: list[Sentences]

    @property
    def are_none(self) -> bool:
        """Whether nothing changed."""
        return not self.options


def changes(was: Rules, now: Rules) -> Changes:
    """All changes from one ruleset to another."""
    return Changes([change(name, was, now) for name in now.differences(was)], _sentences(was, now))


def change(name: str, was: Rules, now: Rules) -> Change:
    """An option of both, in words; of an option with many parts only those that differ."""
    before, after = value_parts(name, was), value_parts(name, now)
    if set(before) == set(after) and before != after:
        before = {part: words for part, words in before.items() if words != after[part]}
        after = {part: after[part] for part in before}
    return Change(name, title_of(name), _joined(before), _joined(after))


def value(name: str, rules: Rules) -> str:
    """The value of an option in words."""
    return _joined(value_parts(name, rules))


def value_parts(name: str, rules: Rules) -> Parts:
    """The value of an option in words, part by part."""
    kind = KINDS_OF_OPTION[name]
    return _WRITERS[type(kind)](name, kind.write(getattr(rules, name)))


def _joined(words: Parts) -> str:
    return ", ".join(f"{part} {text}".strip() for part, text in words.items())


def _sentences(was: Rules, now: Rules) -> list[Sentences]:
    """Sentences of both sheets, those about the same options together, in the order of the sheet."""
    pairs: dict[tuple[str, ...], Sentences] = {}
    for options, text in differences(was, now):
        pairs.setdefault(options, Sentences([], [])).was.append(text)
    for options, text in differences(now, was):
        pairs.setdefault(options, Sentences([], [])).now.append(text)
    order = list(KINDS_OF_OPTION)
    ordered = [pairs[options] for options in sorted(pairs, key=lambda options: order.index(options[0]))]
    return [pair for both in ordered for pair in _paired(both)]


def _paired(both: Sentences) -> list[Sentences]:
    """Pairs of sentences, if both have as many: each replaces the one before."""
    if len(both.was) != len(both.now):
        return [both]
    return [Sentences([was], [now]) for was, now in zip(both.was, both.now, strict=True)]


# The values of each kind of option


def _number(name: str, value: int) -> Parts:
    return {"": number(value)}


def _yes_no(name: str, value: bool) -> Parts:
    return {"": word_of("yes" if value else "no")}


def _word(name: str, value: str) -> Parts:
    return {"": word_of(value, name)}


def _word_or_whole(name: str, value: str | int) -> Parts:
    return _word(name, value) if isinstance(value, str) else _number(name, value)


def _words(name: str, value: list[str]) -> Parts:
    words = [rank_words(RANKS.index(word)) if word in RANKS else word_of(word) for word in value]
    return {"": ", ".join(words) or word_of("none")}


def _shapes(name: str, value: list[list[int]]) -> Parts:
    return {"": ", ".join(_shape(seats, size) for seats, size in value)}


def _shape(seats: int, size: int) -> str:
    if size == 1:
        return gettext("%(players)s alone") % {"players": seats}
    return gettext("%(players)s in teams of %(size)s") % {"players": seats, "size": size}


def _decks(name: str, value: int | dict[str, int]) -> Parts:
    if isinstance(value, int):
        return {"": number(value)}
    more = value["seats_plus"]
    if more > 0:
        return {"": gettext("one for each seat and %(more)s more") % {"more": number(more)}}
    if more < 0:
        return {"": gettext("one for each seat, less %(less)s") % {"less": -more}}
    return {"": gettext("one for each seat")}


def _limits(name: str, value: list[int]) -> Parts:
    return {gettext("in %(size)s cards") % {"size": size}: number(limit) for size, limit in enumerate(value, start=3)}


def _opening(name: str, value: Any) -> Parts:
    if isinstance(value, str):
        return {"": word_of("none")}
    if "by_deal" in value:
        points_list = ", ".join(number(points) for points in value["by_deal"])
        return {"": gettext("%(points)s by the number of the deal") % {"points": points_list}}
    steps = [
        gettext("%(points)s below") % {"points": number(points)}
        if start is None
        else gettext("%(points)s from %(total)s") % {"points": number(points), "total": number(start)}
        for start, points in value["by_score"]
    ]
    return {"": gettext("by the score so far: %(steps)s") % {"steps": ", ".join(steps)}}


def _contract(name: str, value: dict[str, int]) -> Parts:
    return {_label(NAMED[Contract][key]): number(count) for key, count in value.items()}


def _book_bonus(name: str, value: dict[str, int]) -> Parts:
    sevens = number(value["sevens"]) if "sevens" in value else gettext("as clean")
    bonuses = {_label(NAMED[Contract][key]): number(points) for key, points in value.items() if key != "sevens"}
    return bonuses | {_label(NAMED[Contract]["sevens"]): sevens}


def _label(label: str) -> str:
    """A label within a sentence."""
    return in_sentence(gettext(label))


def _ranks(name: str, value: dict[str, int]) -> Parts:
    return {rank_words(RANKS.index(rank)): number(value[rank]) for rank in RANKS}


def _red_three(name: str, value: dict[str, int]) -> Parts:
    return {_label(NAMED[RedThreePoints][key]): number(points) for key, points in value.items()}


def _points_or_null(name: str, value: int | None) -> Parts:
    return {"": word_of("none") if value is None else number(value)}


def _length(name: str, value: dict[str, int]) -> Parts:
    ((by, count),) = value.items()
    return {"": _end(by, count)}


def _end(by: str, count: int) -> str:
    if by == "deals":
        return ngettext("after %(count)s deal", "after %(count)s deals", count) % {"count": number(count)}
    return gettext("at %(points)s points") % {"points": number(count)}


def _penalties(name: str, value: dict[str, int] | None) -> Parts:
    if value is None:
        return {"": word_of("none")}
    return {_label(NAMED[PenaltyPoints][key]): number(points) for key, points in value.items()}


_WRITERS: dict[type[Kind], Callable[[str, Any], Parts]] = {
    Whole: _number,
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
