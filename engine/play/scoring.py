"""Scores: the points of a deal for each team, item by item, and the winner of the match."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import RED_THREES, Cards
from engine.play.melds import bonus_of, count_books
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
    "threes": later("Books of threes"),
    "fours": later("Books of fours"),
    "fives": later("Books of fives"),
    "sixes": later("Books of sixes"),
    "sevens": later("Books of sevens"),
    "eights": later("Books of eights"),
    "nines": later("Books of nines"),
    "tens": later("Books of tens"),
    "jacks": later("Books of jacks"),
    "queens": later("Books of queens"),
    "kings": later("Books of kings"),
    "aces": later("Books of aces"),
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

_WITH_KNEE = {
    "red_threes_held": later("Red threes in hand, knee or foot"),
    "left": later("Cards left in hand, knee and foot"),
}


def item_words(item: str, rules: Rules) -> str:
    """The name of a kind of item under a ruleset: with three stacks the knee is named too."""
    return _WITH_KNEE.get(item, ITEM_WORDS[item]) if rules.has_knee else ITEM_WORDS[item]


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
    """Complete books by kind: clean, dirty, wild, and those of ranks that count apart, such as sevens."""
    wild_unfinished: int = 0
    red_threes_laid: int = 0
    red_threes_held: int = 0
    out: bool = False
    lifts: tuple[int, int] = (0, 0)
    """Lifts that score, and their points."""
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
    left = b"".join(state.hands[seat] + (state.knees[seat] or b"") + (state.feet[seat] or b"") for seat in seats)
    in_melds = b"".join(meld.cards for meld in melds)
    held = sum(card in RED_THREES for card in left)
    return Tally(
        books=count_books(rules, melds),
        wild_unfinished=sum(1 for meld in melds if meld.name == WILD and not meld.is_book),
        red_threes_laid=len(state.red_threes[team]),
        red_threes_held=held,
        out=state.went_out == team,
        lifts=_lifts(state, team),
        melded=(
            len(in_melds) + len(state.laid_sevens[team]),
            _worth(rules.meld_values, in_melds) + _worth(rules.card_values, state.laid_sevens[team]),
        ),
        left=(len(left) - held, _worth(rules.card_values, left)),
        penalties=state.penalties[team],
    )


def _lifts(state: Position, team: int) -> tuple[int, int]:
    """How many lifts of the team score, and how much together (ruling 42)."""
    lift = state.rules.lift
    if lift is None:
        return 0, 0
    lifters = (state.dealer,) if lift.by == "dealer" else range(state.seats)
    needed = state.rules.cards_lifted(state.seats)
    grabs = [state.grabs[seat] for seat in lifters if seat % state.teams == team]
    points = [lift.points(abs(number - needed)) for number in grabs if number]
    scored = [worth for worth in points if worth is not None]
    return len(scored), sum(scored)


def score_items(rules: Rules, seats: int, count: Tally) -> tuple[Item, ...]:
    """The lines of a score sheet; an item that counts nothing is left out."""
    if count.out and rules.held_counts == "others":
        count = count._replace(red_threes_held=0, left=(0, 0))
    items = [
        *[Item(kind, books, books * bonus_of(rules, kind, count.books)) for kind, books in count.books.items()],
        Item("wild_unfinished", count.wild_unfinished, count.wild_unfinished * rules.wild_unfinished),
        Item("red_threes_laid", count.red_threes_laid, _red_threes_laid(rules, seats, count)),
        Item("red_threes_held", count.red_threes_held, count.red_threes_held * rules.red_three.held),
        Item("out", int(count.out), count.out * rules.out_bonus),
        Item("lift", *count.lifts),
        Item("melded", *count.melded),
        Item("left", count.left[0], -count.left[1]),
        Item("penalties", int(count.penalties != 0), count.penalties),
    ]
    return tuple(item for item in items if item.number or item.points)


def _worth(values: tuple[int, ...], cards: Cards) -> int:
    return sum([values[card] for card in cards])


def _red_threes_laid(rules: Rules, seats: int, count: Tally) -> int:
    """Points for a team's red threes on the table; without a book of sevens they cost (rulings 17, 28 and 41)."""
    laid = count.red_threes_laid
    points = laid * rules.red_three.laid
    if rules.red_three_all is not None and laid and laid == len(RED_THREES) * rules.deck_count(seats):
        points = rules.red_three_all
    if rules.red_three_sets is not None:
        sets, single = divmod(laid, rules.red_three_sets.size)
        points = sets * rules.red_three_sets.points + single * rules.red_three.laid
    return -abs(points) if rules.red_three_sevens and not count.books.get("sevens") else points


MOST_DEALS = 200
"""The last deal of any match: play may never reach a target (ruling 27)."""


def match_winners(rules: Rules, deal: int, totals: tuple[int, ...]) -> tuple[int, ...] | None:
    """The teams that have won after this deal, or `None` if the match continues (ruling 23)."""
    best = max(totals)
    winners = tuple(team for team, total in enumerate(totals) if total == best)
    if deal >= MOST_DEALS:
        return winners
    if rules.length.by == "deals" and deal < rules.length.number:
        return None
    if rules.length.by == "target" and best < rules.length.number:
        return None
    return None if len(winners) > 1 and rules.tie == "extra_deals" else winners
