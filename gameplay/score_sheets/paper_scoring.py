"""Scoring of matches with real cards: the rows of a ruleset's score sheet, and their points.

A deal is stored as it is written: `{"teams": [{"books": {"clean": 2}, "melded": 640, "out": True}, ...]}`, if each side
counted its cards, in the words of `engine.play.paper`; or `{"points": [1385, 2610]}`, if it only added up. Cards melded
and held are points, or cards by rank: `{"K": 8, "2": 1}`.

`static/js/score/reckon.js` does the same on a phone, from `numbers`; a test compares the two.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from engine.errors import BadInput
from engine.play import scoring
from engine.play.cards import RANKS, RED_THREES, rank_words
from engine.play.legality.going_out import book_noun
from engine.play.options import Books, Shape
from engine.play.paper import KINDS_OF_BOOK, lifts, read_paper
from engine.play.rules import Rules
from gameplay.page.words import book_words
from gameplay.score_sheets import deal_names
from web.errors import Refused
from web.text import in_sentence, join_words, joined, number

Deal = Mapping[str, Any]

MOST_DEALS = 40
"""More deals than any match has."""


class Row(NamedTuple):
    """A line of the sheet that each side fills in."""

    name: str
    label: str
    hint: str
    kind: str
    """`step` for counts, `points` for sums, `out` for a yes or no."""
    is_cards: bool = False
    """Whether these are points of cards, which can be counted by rank too."""


class Rank(NamedTuple):
    """A rank of cards as a sheet counts them."""

    letter: str
    sign: str
    words: str
    """Several of them: `kings`."""
    points: int
    """The value of one card."""


@dataclass(frozen=True)
class Scored:
    """A scored deal."""

    points: tuple[int, ...]
    """By side."""
    items: tuple[dict[str, int], ...]
    """Points by the name of the row, by side; empty if only totals were entered."""
    remarks: tuple[str, ...] = ()
    """Remarks about odd figures, a sentence each; they count all the same."""


@dataclass(frozen=True)
class Reckoning:
    """A sheet added up."""

    deals: tuple[Scored, ...]
    totals: tuple[int, ...]
    is_over: bool
    """Whether the ruleset says that no deal follows."""


class Terms(NamedTuple):
    """Terms of scoring a match: the sides by name, the ruleset, and the size of the table if the rules know it."""

    names: tuple[str, ...]
    rules: Rules
    shape: Shape | None
    needs_winner: bool = False
    """Whether deals follow until the sides are no longer level."""
    boards: tuple[int, ...] = ()
    """Numbers on the boards, one for each deal, where these are boards that other tables play too."""

    @property
    def is_by_board(self) -> bool:
        """Whether each deal counts by itself, so that all of them are needed."""
        return len(self.boards) > 1

    @property
    def has_extra_deals(self) -> bool:
        """Whether further deals follow while the sides are level. On boards a tie counts like any other result."""
        return self.needs_winner or (self.rules.tie == "extra_deals" and not self.boards)


def shape_of(rules: Rules, sides: int, size: int) -> Shape | None:
    """The table of so many sides of so many people, if the ruleset has one."""
    try:
        return rules.shape(sides * size, size)
    except BadInput:
        return None


# What is filled in


def rows(terms: Terms) -> list[Row]:
    """The rows that a side fills in for a deal by this ruleset, in the order of a paper sheet."""
    rules, shape = terms.rules, terms.shape
    word = rules.book_words[0]
    result = [
        Row(kind, _label(kind, word), _bonus_words(rules, kind), "step") for kind in rules.bonus_of if _has(rules, kind)
    ]
    if rules.wild_unfinished:
        result.append(Row("unfinished_wild", gettext("Unfinished wild meld"), number(rules.wild_unfinished), "step"))
    if rules.laid_threes:
        result.append(Row("red_threes_laid", gettext("Red threes"), _laid_words(terms), "step"))
    result.append(Row("red_threes_held", gettext("Red threes left"), _each(rules.red_three.held), "step"))
    if rules.lift is not None and shape is not None:
        if rules.lift.exact is not None:
            result.append(Row("lifts", gettext("Exact lifts"), _each(rules.lift.exact), "step"))
        else:
            result.append(Row("lift_points", gettext("Lifts"), gettext("points by the distance"), "points"))
    result.append(
        Row("melded", gettext("Cards melded"), gettext("all on the table, in points"), "points", is_cards=True)
    )
    left = gettext("in hand, knee and foot, in points") if rules.has_knee else gettext("in hand and foot, in points")
    result.append(Row("left", gettext("Cards left"), left, "points", is_cards=True))
    result.append(Row("out", gettext("Went out"), number(rules.out_bonus), "out"))
    result.append(Row("penalties", gettext("Penalty"), gettext("points taken off"), "points"))
    return result


def _bonus_words(rules: Rules, kind: str) -> str:
    bonus = rules.bonus_of[kind]
    if kind == "wild" and rules.wild_needs_clean:
        return gettext("%(points)s each, with a clean one") % {"points": number(bonus)}
    return _each(bonus)


def _each(points: int) -> str:
    return gettext("%(points)s each") % {"points": number(points)}


def _label(kind: str, word: str) -> str:
    """The label of the row of a kind of book, in the ruleset's own word for a book."""
    if kind == "sevens":
        return {
            "book": gettext("Sevens books"),
            "pile": gettext("Sevens books"),
            "canasta": gettext("Sevens canastas"),
        }[word]
    if kind not in ("clean", "dirty", "wild"):
        return gettext("Books of %(cards)s") % {"cards": gettext(kind)}
    noun = book_noun(2, kind, word)
    return noun[:1].upper() + noun[1:]


def _laid_words(terms: Terms) -> str:
    rules = terms.rules
    words = [gettext("%(points)s each, on the table") % {"points": number(rules.red_three.laid)}]
    if rules.red_three_all is not None:
        together = {"count": red_threes(terms), "points": number(rules.red_three_all)}
        words.append(gettext("all %(count)s: %(points)s") % together)
    if rules.red_three_sets is not None:
        size, points = rules.red_three_sets
        words.append(gettext("every %(count)s: %(points)s") % {"count": size, "points": number(points)})
    if rules.red_three_sevens:
        words.append(gettext("minus without sevens"))
    return "; ".join(words)


def seats_of(terms: Terms) -> int:
    """The number of players at the table, as far as the rules know it."""
    return terms.shape.seats if terms.shape else len(terms.names)


def red_threes(terms: Terms) -> int:
    """The number of red threes."""
    return len(RED_THREES) * terms.rules.deck_count(seats_of(terms))


def ranks(terms: Terms) -> list[Rank]:
    """The ranks that cards are counted by, from the dearest: black threes last, red ones in rows of their own."""
    signs = {"T": "10", "X": gettext("Joker"), "3": "3 ♠♣"}
    words = {letter: rank_words(rank) for rank, letter in enumerate(RANKS)} | {
        "3": gettext("threes of clubs and spades")
    }
    letters = [letter for letter in "X2AKQJT9876543" if letter != "X" or terms.rules.jokers_per_deck]
    worth = dict(zip(RANKS, terms.rules.values, strict=True))
    return [Rank(letter, signs.get(letter, letter), words[letter], worth[letter]) for letter in letters]


def _has(rules: Rules, kind: str) -> bool:
    return {"clean": True, "dirty": bool(max(rules.wild_limits)), "wild": rules.wild_melds}.get(kind, True)


def empty(terms: Terms) -> Deal:
    """An empty deal."""
    return {"teams": [{} for _ in terms.names]}


def value(terms: Terms, deal: Deal, side: int, name: str) -> int:
    """The figure of one side in a row of a deal; penalties as points taken off, cards by rank as points."""
    team = deal["teams"][side]
    if name in KINDS_OF_BOOK:
        return int((team.get("books") or {}).get(name, 0))
    entered = team.get(name) or 0
    return worth(terms, entered) if isinstance(entered, dict) else abs(int(entered))


def by_rank(deal: Deal, side: int, name: str) -> dict[str, int]:
    """The cards of a row by rank; empty if only their points are known."""
    entered = deal["teams"][side].get(name)
    return entered if isinstance(entered, dict) else {}


def worth(terms: Terms, counts: Mapping[str, int]) -> int:
    """The points of cards by rank."""
    return sum(terms.rules.values[RANKS.index(letter)] * count for letter, count in counts.items())


def with_value(team: dict[str, Any], name: str, count: int | dict[str, int]) -> None:
    """Set a row of one side of a counted deal."""
    if isinstance(count, dict):
        team[name] = count
    elif name in KINDS_OF_BOOK:
        team.setdefault("books", {})[name] = count
    elif name == "out":
        team["out"] = bool(count)
    else:
        team[name] = -count if name == "penalties" else count


# What it comes to


def reckon(terms: Terms, deals: Sequence[Deal]) -> Reckoning:
    """Add up a sheet. Raises `Refused` for impossible figures, with `side` and `row` if one is to blame."""
    if len(deals) > MOST_DEALS:
        raise Refused("too_many_deals", gettext("A match can have at most %(most)s deals.") % {"most": MOST_DEALS})
    scored = [score(terms, deal, at) for at, deal in enumerate(deals, 1)]
    totals = tuple(sum(deal.points[side] for deal in scored) for side in range(len(terms.names)))
    return Reckoning(tuple(scored), totals, is_over(terms, len(deals), totals))


def is_over(terms: Terms, deals: int, totals: tuple[int, ...]) -> bool:
    """Whether the match is decided after so many deals."""
    return deals > 0 and scoring.match_winners(_lenient(terms), deals, totals) is not None


def score(terms: Terms, deal: Deal, at: int) -> Scored:
    """The score of a deal; `at` is its number. Raises `Refused` for impossible figures."""
    scored = count(terms, deal, at)
    check(terms, deal)
    return scored


def count(terms: Terms, deal: Deal, at: int) -> Scored:
    """The score of a deal that is still being filled in, without checks."""
    if "points" in deal:
        return Scored(tuple(deal["points"]), tuple({} for _ in terms.names))
    terms = terms._replace(rules=terms.rules.in_deal(at))
    items = tuple(_items(terms, deal, side) for side in range(len(terms.names)))
    return Scored(tuple(sum(points.values()) for points in items), items, tuple(_remarks(terms, deal, at)))


def _items(terms: Terms, deal: Deal, side: int) -> dict[str, int]:
    """Points of one side by the name of the row."""
    team = deal["teams"][side]
    tally = scoring.Tally(
        books={kind: value(terms, deal, side, kind) for kind in terms.rules.bonus_of},
        wild_unfinished=value(terms, deal, side, "unfinished_wild"),
        red_threes_laid=value(terms, deal, side, "red_threes_laid"),
        red_threes_held=value(terms, deal, side, "red_threes_held"),
        out=bool(team.get("out")),
        lifts=lifts(terms.rules, value(terms, deal, side, "lifts"), int(team.get("lift_points") or 0)),
        melded=(0, value(terms, deal, side, "melded")),
        left=(0, value(terms, deal, side, "left")),
        penalties=-value(terms, deal, side, "penalties"),
    )
    items = scoring.score_items(terms.rules, seats_of(terms), tally)
    by_distance = terms.rules.lift is not None and terms.rules.lift.exact is None
    names = _ROWS | ({"lift": "lift_points"} if by_distance else {})
    return {names.get(item.what, item.what): item.points for item in items}


def lifters(terms: Terms) -> int:
    """The most players of a side that lift."""
    by_dealer = terms.rules.lift is not None and terms.rules.lift.by == "dealer"
    return 1 if by_dealer or terms.shape is None else terms.shape.team_size


def check(terms: Terms, deal: Deal) -> None:
    """Raise `Refused` for an impossible deal, with `side` and `row` to blame."""
    if "points" in deal:
        return
    if terms.shape is None:
        raise Refused(
            "no_shape",
            gettext("%(title)s has no scoring for a table of this size. Enter totals.") % {"title": terms.rules.title},
        )
    out = [side for side, team in enumerate(deal["teams"]) if team.get("out")]
    if len(out) > 1:
        names = joined(terms.names[side] for side in out)
        raise Refused(
            "two_out",
            gettext("Only one side can go out in a deal, not %(names)s.") % {"names": names},
            side=out[1],
            row="out",
        )
    sheet = {
        "rules": _lenient(terms),
        "seats": terms.shape.seats,
        "team_size": terms.shape.team_size,
        "teams": [dict(team) for team in deal["teams"]],
    }
    try:
        read_paper(sheet)
    except BadInput as error:
        raise _refusal(terms, error.sentence) from None


def check_all(terms: Terms, deals: Sequence[Deal]) -> None:
    """Raise `Refused` if these cannot be the deals of one match, with `deal` to blame."""
    length = terms.rules.length
    is_fixed = length.by == "deals" and not terms.has_extra_deals
    most = length.number if is_fixed else MOST_DEALS
    if len(deals) > most:
        raise Refused("too_many_deals", gettext("This match can have at most %(most)s deals.") % {"most": most})
    for at, deal in enumerate(deals, 1):
        try:
            check(terms, deal)
        except Refused as refusal:
            raise Refused(refusal.code, refusal.sentence, **refusal.details, deal=at) from None


_ROWS = {"wild_unfinished": "unfinished_wild", "lift": "lifts"}
"""Rows that the engine's items are called otherwise than on a sheet."""


@lru_cache(maxsize=64)
def _lenient_text(text: str, tie: str) -> Rules:
    rules = Rules.read(json.loads(text))
    special = {rank: books | {"needed": 0} for rank, books in rules.special_books_json.items()}
    changes: dict[str, Any] = {
        "contract": dict.fromkeys(Books._fields, 0),
        "special_books": special,
        "contract_red_threes": "none",
        "tie": tie,
    }
    return Rules.make(rules, changes)


def _lenient(terms: Terms) -> Rules:
    """The ruleset without the check of the contract when going out: a remark is made, and the table decides."""
    return _lenient_text(json.dumps(terms.rules.write()), "extra_deals" if terms.has_extra_deals else "shared")


def _remarks(terms: Terms, deal: Deal, at: int) -> list[str]:
    """Remarks about sides that went out without fulfilling the contract."""
    lacking = [(terms.names[side], lacks(terms, deal, side, at)) for side in range(len(deal["teams"]))]
    remark = "Deal %(number)s: %(name)s went out but still needed %(books)s."
    return [deal_names.words(terms.boards, remark, at, name=name, books=books) for name, books in lacking if books]


def lacks(terms: Terms, deal: Deal, side: int, at: int) -> str:
    """The books of the contract that a side which went out in this deal, counted from 1, has not: `2 clean books and 1
    wild book`; or nothing.
    """
    if "teams" not in deal or not deal["teams"][side].get("out"):
        return ""
    missing = {kind: count - value(terms, deal, side, kind) for kind, count in terms.rules.in_deal(at).needed.items()}
    word = terms.rules.book_words[0]
    words = [_books(word, kind, count) for kind, count in missing.items() if count > 0]
    return join_words(words) if words else ""


def _books(word: str, kind: str, count: int) -> str:
    if kind != "sevens" or word == "book":  # the other kinds are called books in every ruleset
        return f"{count} {book_noun(count, kind, word)}"
    if word == "pile":
        return f"{count} " + ngettext("book of sevens", "books of sevens", count)
    return f"{count} " + ngettext("canasta of sevens", "canastas of sevens", count)


_BLAMED = re.compile(r"Team (\d+), `(\w+)`(?:, \w+)?: (.*)", re.DOTALL)


def _refusal(terms: Terms, sentence: str) -> Refused:
    """The engine's refusal in the words of the table."""
    blamed = _BLAMED.fullmatch(sentence)
    if blamed is None:
        return Refused("bad_sheet", sentence)
    side, row, why = int(blamed[1]), blamed[2], blamed[3]
    label = {line.name: in_sentence(line.label) for line in rows(terms)}.get(row, book_words(terms.rules)[1])
    return Refused(
        "bad_sheet",
        gettext("%(names)s, %(label)s: %(why)s") % {"names": terms.names[side], "label": label, "why": why},
        side=side,
        row=row,
    )
