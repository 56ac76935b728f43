"""The score sheet of a deal, line by line, as on paper."""

from dataclasses import dataclass

from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop

from engine.play.paper import KINDS_OF_BOOK
from engine.play.rules import Rules
from engine.play.scoring import ITEM_WORDS, Outcome, item_words
from gameplay.page.words import book_words


@dataclass(frozen=True)
class Cell:
    """The number and points of one side in one line."""

    number: int
    points: int


@dataclass(frozen=True)
class ScoreLine:
    """A line of the sheet, with a cell for each side; none if the side has nothing there."""

    words: str
    cells: list[Cell | None]


@dataclass(frozen=True)
class ScoreSheet:
    """A deal that is over, worked out."""

    titles: list[str]
    lines: list[ScoreLine]
    before: list[int]
    deal: list[int]
    totals: list[int]
    winners: list[str]
    """Titles of the sides that have won the match; empty until it is over."""


_COUNTED = frozenset({*KINDS_OF_BOOK, "red_threes_laid", "red_threes_held", "wild_unfinished"})


def score_sheet(result: Outcome, titles: dict[int, str], rules: Rules) -> ScoreSheet:
    """The sheet for an outcome; `titles` names the sides by number, in the order of the columns."""
    order = list(titles)
    sheets = [{item.what: item for item in result.sheets[team]} for team in order]
    lines = [
        ScoreLine(
            _words(item, rules),
            [Cell(sheet[item].number if item in _COUNTED else 0, sheet[item].points) if item in sheet else None for sheet in sheets],
        )
        for item in ITEM_WORDS
        if any(item in sheet for sheet in sheets)
    ]  # fmt: skip
    return ScoreSheet(
        titles=list(titles.values()),
        lines=lines,
        before=[result.totals[team] - result.deal_score[team] for team in order],
        deal=[result.deal_score[team] for team in order],
        totals=[result.totals[team] for team in order],
        winners=[titles[team] for team in order if result.winners is not None and team in result.winners],
    )


_NAMED_CARDS = {
    "red_threes_laid": gettext_noop("3♥ and 3♦ on the table"),
    "red_threes_held": gettext_noop("3♥ and 3♦ in hand or foot"),
}
"""Lines that name the cards, because in a deck of four colours not all of them are red."""
_NAMED_CARDS_WITH_KNEE = {**_NAMED_CARDS, "red_threes_held": gettext_noop("3♥ and 3♦ in hand, knee or foot")}


def _words(item: str, rules: Rules) -> str:
    """The heading of a line; books are named as in the ruleset."""
    books = book_words(rules)[1]
    if item == "clean":
        return gettext("Clean %(books)s") % {"books": books}
    if item == "dirty":
        return gettext("Dirty %(books)s") % {"books": books}
    if item == "wild":
        return gettext("Wild %(books)s") % {"books": books}
    if item == "sevens":
        return gettext("%(books)s of sevens") % {"books": capfirst(books)}
    if item in KINDS_OF_BOOK:
        return gettext("%(books)s of %(cards)s") % {"books": capfirst(books), "cards": gettext(item)}
    if item == "lift" and rules.lift is not None and rules.lift.exact is None:
        return gettext("Lifts")
    words = _NAMED_CARDS_WITH_KNEE if rules.has_knee else _NAMED_CARDS
    return gettext(words.get(item) or item_words(item, rules))
