"""Scores: the points of a deal for each team, item by item, and the winner of the match."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import RED_THREES, Cards
from engine.play.melds import count_books
from engine.play.moves import WILD
from engine.play.rules import Rules
from engine.play.state import OVER, Position
from engine.words import later


class Item(NamedTuple):
    """A line of a score sheet: the kind of item, how many of it, and the points."""

    what: str
    number: int
    points: int


class Outcome(NamedTuple):
    """Outcome of a deal that is over. Lists are by team."""

    sheets: tuple[tuple[Item, ...], ...]
    deal_score: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
    """The teams that have won the match; `None` where another deal follows."""


ITEM_WORDS = {
    "clean": later("Clean books"),
    "dirty": later("Dirty books"),
    "wild": later("Wild books"),
    "sevens": later("Books of sevens"),
    "red_threes_laid": later("Red threes on the table"),
    "red_threes_held": later("Red threes in hand or foot"),
    "out": later("Going out"),
    "lift": later("Exact lifts"),
    "wild_unfinished": later("Unfinished wild melds"),
    "melded": later("Cards on the table"),
    "left": later("Cards left in hand and foot"),
    "penalties": later("Penalties"),
}
"""Names of the kinds of item on a score sheet."""


def outcome(state: Position) -> Outcome | None:
    """Outcome of the deal, or `None` while it is being played."""
    if state.phase != OVER:
        return None
    sheets = tuple(score_sheet(state, team) for team in range(state.teams))
    return add_up(state.rules, state.deal, state.scores, sheets)


def add_up(rules: Rules, deal: int, before: tuple[int, ...], sheets: tuple[tuple[Item, ...], ...]) -> Outcome:
    """Totals of the teams' sheets, with their totals before the deal."""
    deal_score = tuple(sum(item.points for item in sheet) for sheet in sheets)
    totals = tuple(total + points for total, points in zip(before, deal_score, strict=True))
    return Outcome(sheets, deal_score, totals, match_winners(rules, deal, totals))


class Tally(NamedTuple):
    """Counts of a team at the end of a deal, on the screen or on paper."""

    books: dict[str, int]
    """Complete books by kind: clean, dirty, wild, sevens."""
    wild_unfinished: int = 0
    red_threes_laid: int = 0
    red_threes_held: int = 0
    out: bool = False
    lifts: int = 0
    """Players who lifted exactly the cards needed."""
    melded: tuple[int, int] = (0, 0)
    """Cards on the table, and their values in points."""
    left: tuple[int, int] = (0, 0)
    """Cards left in hands and feet but for red threes, and their values in points."""
    penalties: int = 0
    """Points, 0 or negative."""


def score_sheet(state: Position, team: int) -> tuple[Item, ...]:
    """The items of one team's score for the deal; an item that counts nothing is left out."""
    return score_items(state.rules, state.seats, tally(state, team))


def tally(state: Position, team: int) -> Tally:
    """Count what one team has on the table and in its hands and feet."""
    rules, melds = state.rules, state.melds[team]
    seats = range(team, state.seats, state.teams)
    left = b"".join(state.hands[seat] + (state.feet[seat] or b"") for seat in seats)
    table = b"".join(meld.cards for meld in melds) + state.laid_sevens[team]
    held = sum(card in RED_THREES for card in left)
    return Tally(
        books=count_books(rules, melds),
        wild_unfinished=sum(1 for meld in melds if meld.name == WILD and not meld.is_book),
        red_threes_laid=len(state.red_threes[team]),
        red_threes_held=held,
        out=state.went_out == team,
        lifts=sum(1 for seat in seats if state.grabs[seat] == rules.hand_cards + rules.foot_cards),
        melded=(len(table), _worth(rules, table)),
        left=(len(left) - held, _worth(rules, left)),
        penalties=state.penalties[team],
    )


def score_items(rules: Rules, seats: int, count: Tally) -> tuple[Item, ...]:
    """The lines of a score sheet; an item that counts nothing is left out."""
    items = [
        *[Item(kind, books, books * _bonus(rules, kind, count.books)) for kind, books in count.books.items()],
        Item("wild_unfinished", count.wild_unfinished, count.wild_unfinished * rules.wild_unfinished),
        Item("red_threes_laid", count.red_threes_laid, _red_threes_laid(rules, seats, count)),
        Item("red_threes_held", count.red_threes_held, count.red_threes_held * rules.red_three.held),
        Item("out", int(count.out), count.out * rules.out_bonus),
        Item("lift", count.lifts if rules.lift_bonus else 0, count.lifts * rules.lift_bonus),
        Item("melded", *count.melded),
        Item("left", count.left[0], -count.left[1]),
        Item("penalties", int(count.penalties != 0), count.penalties),
    ]
    return tuple(item for item in items if item.number or item.points)


def _worth(rules: Rules, cards: Cards) -> int:
    value = rules.card_values
    return sum([value[card] for card in cards])


def _bonus(rules: Rules, kind: str, books: dict[str, int]) -> int:
    """Points for one book of the kind; a wild one may need a clean one with it."""
    if kind == "wild" and rules.wild_needs_clean and not books["clean"]:
        return 0
    return getattr(rules.book_bonus, kind) or 0


def _red_threes_laid(rules: Rules, seats: int, count: Tally) -> int:
    """Points for a team's red threes on the table (ruling 17)."""
    laid = count.red_threes_laid
    points = laid * rules.red_three.laid
    if rules.red_three_all is not None and laid and laid == len(RED_THREES) * rules.deck_count(seats):
        points = rules.red_three_all
    return -points if rules.red_three_sevens and not count.books["sevens"] else points


def match_winners(rules: Rules, deal: int, totals: tuple[int, ...]) -> tuple[int, ...] | None:
    """The teams that have won after this deal, or `None` if the match continues (ruling 23)."""
    best = max(totals)
    if rules.length.by == "deals" and deal < rules.length.number:
        return None
    if rules.length.by == "target" and best < rules.length.number:
        return None
    winners = tuple(team for team, total in enumerate(totals) if total == best)
    return None if len(winners) > 1 and rules.tie == "extra_deals" else winners
