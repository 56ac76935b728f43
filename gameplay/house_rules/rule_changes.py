"""Changes from one ruleset to another, in words: options with both values, and sentences of the rule sheet."""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from engine.play.cards import RANKS, rank_words
from engine.play.options import (
    BookBonus,
    BooksGrow,
    ByDeal,
    Contract,
    DeckCount,
    Kind,
    LiftPoints,
    Limits,
    MatchLength,
    OpeningSteps,
    PenaltyPoints,
    PointsOrNull,
    RankPoints,
    RedThreePoints,
    RedThreeSets,
    Shapes,
    SpecialBooks,
    StackSizes,
    Whole,
    Word,
    WordOrWhole,
    WordSet,
    YesNo,
    YesNoCount,
    YesNoOr,
)
from engine.play.rule_sheet.sheet import Difference, compare_sheets
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


class Changes(NamedTuple):
    """All changes."""

    options: list[Change]
    sentences: tuple[Difference, ...]

    @property
    def are_none(self) -> bool:
        """Whether nothing changed."""
        return not self.options


def changes(was: Rules, now: Rules) -> Changes:
    """All changes from one ruleset to another."""
    return Changes([change(name, was, now) for name in now.differences(was)], compare_sheets(was, now))


def change(name: str, was: Rules, now: Rules) -> Change:
    """An option of both, in words; of an option with many parts only those that differ."""
    before, after = value_parts(name, was), value_parts(name, now)
    if set(before) == set(after) and before != after:
        before = {part: words for part, words in before.items() if words != after[part]}
        after = {part: after[part] for part in before}
    return Change(name, title_of(name), join_parts(before), join_parts(after))


def value(name: str, rules: Rules) -> str:
    """The value of an option in words."""
    return join_parts(value_parts(name, rules))


def value_parts(name: str, rules: Rules) -> Parts:
    """The value of an option in words, part by part."""
    kind = KINDS_OF_OPTION[name]
    return _parts(name, kind, rules.write_option(name))


def _parts(name: str, kind: Any, value: Any) -> Parts:
    """A value in JSON in words, part by part; of one that changes from deal to deal, each deal's."""
    if not isinstance(kind, ByDeal):
        return _WRITERS[type(kind)](name, value)
    if not isinstance(value, dict) or "by_deal" not in value:
        return _parts(name, kind.plain, value)
    entries = [join_parts(_parts(name, kind.plain, entry)) for entry in value["by_deal"]]
    return {"": gettext("%(values)s by the number of the deal") % {"values": "; ".join(entries)}}


def join_parts(words: Parts) -> str:
    return ", ".join(f"{part} {text}".strip() for part, text in words.items())


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


def _decks(name: str, value: Any) -> Parts:
    if isinstance(value, int):
        return {"": number(value)}
    if "by_seats" in value:
        text = gettext("%(decks)s for %(seats)s players")
        tables = [text % {"decks": decks, "seats": seats} for seats, decks in value["by_seats"].items()]
        return {"": ", ".join(tables)}
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
        figures = (gettext("clean book") if step == "clean_book" else number(step) for step in value["by_deal"])
        points_list = ", ".join(figures)
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


def _special_books(name: str, value: dict[str, dict[str, Any]]) -> Parts:
    return {rank_words(RANKS.index(rank)): _special(books) for rank, books in value.items()} or {"": word_of("none")}


def _special(books: dict[str, Any]) -> str:
    text = number(books["points"])
    if books["needed"]:
        text = gettext("%(points)s, %(count)s to go out") % {"points": text, "count": books["needed"]}
    return gettext("%(points)s, with wild cards too") % {"points": text} if books["mixed"] else text


def _growth(name: str, value: dict[str, str]) -> Parts:
    return {_label(NAMED[BooksGrow][key]): word_of(word) for key, word in value.items()}


def _stacks(name: str, value: list[int]) -> Parts:
    return {"": " + ".join(map(str, value))}


def _lift(name: str, value: dict[str, Any] | None) -> Parts:
    if value is None:
        return {"": word_of("none", name)}
    steps = ", ".join(f"{distance}: {number(points)}" for distance, points in value["within"])
    return {word_of(value["by"], name): steps}


def _sets(name: str, value: dict[str, int] | None) -> Parts:
    if value is None:
        return {"": word_of("none")}
    return {"": gettext("%(points)s for %(size)s") % {"points": number(value["points"]), "size": value["size"]}}


def _count(name: str, value: bool | int) -> Parts:
    return {"": number(int(value))}


def _yes_no_or(name: str, value: bool | str) -> Parts:
    return _word(name, value) if isinstance(value, str) else _yes_no(name, value)


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
    BookBonus: _contract,
    BooksGrow: _growth,
    LiftPoints: _lift,
    RedThreeSets: _sets,
    SpecialBooks: _special_books,
    StackSizes: _stacks,
    YesNoCount: _count,
    YesNoOr: _yes_no_or,
    RankPoints: _ranks,
    RedThreePoints: _red_three,
    PointsOrNull: _points_or_null,
    MatchLength: _length,
    PenaltyPoints: _penalties,
}
