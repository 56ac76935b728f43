"""Scores: what a deal is worth to each team, item by item, and who has won the match."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import RED_THREES, Cards
from engine.play.melds import BOOK, count_books, has_sevens
from engine.play.moves import WILD
from engine.play.rules import Rules
from engine.play.state import OVER, Position


class Item(NamedTuple):
    """One line of a score sheet: what is counted, how many of it, and the points."""

    what: str
    number: int
    points: int


class Outcome(NamedTuple):
    """How a deal that is over came out. Lists are by team."""

    sheets: tuple[tuple[Item, ...], ...]
    deal_score: tuple[int, ...]
    totals: tuple[int, ...]
    winners: tuple[int, ...] | None
    """The teams that have won the match; `None` where another deal follows."""


ITEM_WORDS = {
    "clean": "Clean books",
    "dirty": "Dirty books",
    "wild": "Wild books",
    "sevens": "Books of sevens",
    "red_threes_laid": "Red threes on the table",
    "red_threes_held": "Red threes in hand or foot",
    "out": "Going out",
    "lift": "Exact lifts",
    "wild_unfinished": "Unfinished wild melds",
    "melded": "Cards on the table",
    "left": "Cards left in hand and foot",
    "penalties": "Penalties",
}
"""What each kind of item is called on a score sheet."""


def outcome(state: Position) -> Outcome | None:
    """How the deal came out, or `None` while it is being played."""
    if state.phase != OVER:
        return None
    sheets = tuple(score_sheet(state, team) for team in range(state.teams))
    deal_score = tuple(sum(item.points for item in sheet) for sheet in sheets)
    totals = tuple(before + points for before, points in zip(state.scores, deal_score, strict=True))
    return Outcome(sheets, deal_score, totals, match_winners(state.rules, state.deal, totals))


def score_sheet(state: Position, team: int) -> tuple[Item, ...]:
    """The items of one team's score for the deal; an item that counts nothing is left out."""
    rules, melds = state.rules, state.melds[team]
    value = rules.card_values
    seats = range(team, state.seats, state.teams)
    left = [state.hands[seat] + (state.feet[seat] or b"") for seat in seats]
    table = [meld.cards for meld in melds] + [state.laid_sevens[team]]
    laid = len(state.red_threes[team])
    held = sum(1 for cards in left for card in cards if card in RED_THREES)
    lifts = sum(1 for seat in seats if rules.lift_bonus and state.grabs[seat] == rules.hand_cards + rules.foot_cards)
    unfinished = sum(1 for meld in melds if meld.name == WILD and len(meld.cards) < BOOK)
    counts = count_books(rules, melds)
    items = [
        *[Item(kind, count, count * _bonus(rules, kind, counts)) for kind, count in counts.items()],
        Item("wild_unfinished", unfinished, unfinished * rules.wild_unfinished),
        Item("red_threes_laid", laid, laid_red_threes(rules, state.seats, laid, has_sevens=has_sevens(rules, melds))),
        Item("red_threes_held", held, held * rules.red_three.held),
        Item("out", int(state.went_out == team), rules.out_bonus if state.went_out == team else 0),
        Item("lift", lifts, lifts * rules.lift_bonus),
        Item("melded", sum(map(len, table)), _worth(value, table)),
        Item("left", sum(map(len, left)) - held, -_worth(value, left)),
        Item("penalties", int(state.penalties[team] != 0), state.penalties[team]),
    ]
    return tuple(item for item in items if item.number or item.points)


def _worth(value: tuple[int, ...], lists: list[Cards]) -> int:
    return sum(value[card] for cards in lists for card in cards)


def _bonus(rules: Rules, kind: str, counts: dict[str, int]) -> int:
    """Points for one book of the kind; a wild one may need a clean one beside it."""
    if kind == "wild" and rules.wild_needs_clean and not counts["clean"]:
        return 0
    return getattr(rules.book_bonus, kind) or 0


def laid_red_threes(rules: Rules, seats: int, laid: int, *, has_sevens: bool) -> int:
    """Points for a team's red threes on the table (ruling 17)."""
    points = laid * rules.red_three.laid
    if rules.red_three_all is not None and laid and laid == len(RED_THREES) * rules.deck_count(seats):
        points = rules.red_three_all
    return -points if rules.red_three_sevens and not has_sevens else points


def match_winners(rules: Rules, deal: int, totals: tuple[int, ...]) -> tuple[int, ...] | None:
    """The teams that have won after this deal, or `None` where the match goes on (ruling 23)."""
    best = max(totals)
    if rules.length.by == "deals" and deal < rules.length.number:
        return None
    if rules.length.by == "target" and best < rules.length.number:
        return None
    winners = tuple(team for team, total in enumerate(totals) if total == best)
    return None if len(winners) > 1 and rules.tie == "extra_deals" else winners
