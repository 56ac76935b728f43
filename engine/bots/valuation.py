"""Value of a position in mid-deal for a team: the table as it counts now, and a price for the rest of the deal.

The prices were fitted by least squares to some 80,000 positions of Standard deals between players with `expert`'s
habits: the final difference in score of two teams against the difference of these features. Each has a price at the
start of a deal and one at the end of the stock; in between it goes in proportion. Prices of books in progress are
shares of the book's bonus, so that they carry over to other rulesets.
"""

from __future__ import annotations

from functools import lru_cache
from operator import mul
from typing import NamedTuple

from engine.bots.knowledge import open_melds, table_points
from engine.play.cards import FOUR, JOKER, count_wild, spans_of
from engine.play.legality.going_out import contract_missing
from engine.play.melds import BOOK
from engine.play.moves import WILD
from engine.play.rules import Rules
from engine.play.scoring import outcome
from engine.play.state import OVER, Position

FEATURES = (
    *("table", "clean 3", "clean 4", "clean 5", "clean 6", "dirty 3", "dirty 4", "dirty 5", "dirty 6"),
    *("wild 3", "wild 4", "wild 5", "wild 6", "clean missing", "dirty missing", "wild missing"),
    *("wild cards in hand", "wild cards in foot", "feet down", "cards before the foot", "cards on the foot", "pairs"),
)
"""Features of a team, in the order of `features`."""
_FIRST = {"clean": 1, "dirty": 5, "wild": 9}
_MISSING = {"clean": 13, "dirty": 14, "wild": 15}
"""Places of the kinds that the contract lacks; books that count apart are counted with the clean ones."""


def features(state: Position, team: int) -> list[float]:
    """The features of a team in a position of which every card is known.

    Cards in hand that its melds could take count as laid: holding them back is then neither punished nor paid for,
    except by its effect in the imagined turns.
    """
    counts = [0.0] * len(FEATURES)
    growing, _ = open_melds(state.rules, state.melds[team])
    sizes = {name: len(meld.cards) for name, meld in growing.items()}
    kinds = {name: "wild" if name == WILD else "dirty" if meld.wild else "clean" for name, meld in growing.items()}
    before = sizes.copy()
    points = float(table_points(state, team))
    for seat in range(team, state.seats, state.teams):
        points += _count_hand(state, seat, sizes, counts)
    missing = contract_missing(state, team, state.melds[team])
    for name, size in sizes.items():
        kind = kinds.get(name) or ("wild" if name == WILD else "clean")
        if size < BOOK:
            counts[_FIRST[kind] + size - 3] += 1
        elif before.get(name, 0) < BOOK:
            points += state.rules.bonus_of[kind]
            missing[kind] = missing.get(kind, 0) - 1
    counts[0] = points
    for kind, number in missing.items():
        counts[_MISSING.get(kind, 13)] += max(0, number)
    return counts


def _count_hand(state: Position, seat: int, sizes: dict[int, int], counts: list[float]) -> float:
    """Count a hand and a foot; the points of the cards that are taken to be laid, by which `sizes` grow."""
    values, hand, foot = state.rules.card_values, state.hands[seat], state.feet[seat]
    if foot is not None and (knee := state.knees[seat]) is not None:
        foot += knee
    points, remaining = 0.0, len(hand)
    opened = state.opened[seat % state.teams]
    for rank, cards in spans_of(hand).items():
        if not FOUR <= rank < JOKER or not opened:
            continue
        size, number = sizes.get(rank, 0), len(cards)
        laid = min(number, BOOK - size) if size else min(number, BOOK) if number >= 3 else 0
        if laid > 0:
            sizes[rank] = size + laid
            points += laid * values[cards[0]]
            remaining -= laid
        elif number == 2:
            counts[21] += 1
    wild = count_wild(hand)
    size = sizes.get(WILD, 0)
    laid = min(wild, BOOK - size) if 0 < size < BOOK and opened else 0
    if laid:
        sizes[WILD] = size + laid
        points += laid * values[0]
        remaining -= laid
    counts[16] += wild - laid
    if foot is None:
        counts[20] += remaining
    else:
        counts[17] += count_wild(foot)
        counts[18] += 1
        counts[19] += remaining
    return points


class Price(NamedTuple):
    """Price of each feature at the end of the stock, and at the start of the deal."""

    end: float
    start: float
    book: str = ""
    """The kind of book of whose bonus the price is a share; empty where it is in points."""


PRICES = (
    Price(1.0, 1.0),
    *(Price(0.02, 0.92, "clean"), Price(0.13, 1.01, "clean"), Price(0.27, 1.13, "clean"), Price(0.53, 1.22, "clean")),
    *(Price(0.15, 1.24, "dirty"), Price(0.18, 1.24, "dirty"), Price(0.20, 1.52, "dirty"), Price(0.50, 1.73, "dirty")),
    *(Price(-0.12, 1.04, "wild"), Price(-0.06, 1.22, "wild"), Price(0.20, 1.33, "wild"), Price(0.49, 1.47, "wild")),
    *(Price(150.0, -180.0), Price(0.0, -300.0), Price(50.0, -385.0)),
    *(Price(92.0, 258.0), Price(19.0, 154.0), Price(380.0, 640.0), Price(-197.0, 125.0), Price(-45.0, 78.0)),
    Price(140.0, 70.0),
)
"""The price of each of `FEATURES`."""
TEMPO = Price(70.0, 110.0)
"""Price of the next draw."""


@lru_cache(maxsize=64)
def prices_of(rules: Rules, seats: int) -> tuple[tuple[float, ...], tuple[float, ...], int]:
    """Prices at the end and at the start under a ruleset, and the cards in its stock at the start."""
    worth = {"": 1.0, **{kind: float(points) for kind, points in rules.book_bonus._asdict().items()}}
    ends = tuple(price.end * worth[price.book] for price in PRICES)
    starts = tuple(price.start * worth[price.book] for price in PRICES)
    stock = len(rules.pack(seats)) - seats * sum(rules.stacks)
    return ends, starts, max(1, stock)


def margin(state: Position, team: int) -> float:
    """Points by which the team should end ahead of the best other; of a deal that is over, does."""
    if state.phase == OVER and (result := outcome(state)):
        scores = [float(score) for score in result.deal_score]
    else:
        ends, starts, stock = prices_of(state.rules, state.seats)
        early = min(1.0, len(state.stock) / stock)
        prices = [end + (start - end) * early for end, start in zip(ends, starts, strict=True)]
        scores = [sum(map(mul, features(state, other), prices)) for other in range(state.teams)]
        scores[state.team] += TEMPO.end + (TEMPO.start - TEMPO.end) * early
    score = scores.pop(team)
    return score - max(scores)
