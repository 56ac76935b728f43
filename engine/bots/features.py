"""Features of a position in mid-deal, by which its worth to a team is estimated (`engine/bots/prices/`)."""

from __future__ import annotations

from engine.bots.knowledge import open_melds, table_points
from engine.play.cards import FOUR, JOKER, count_wild, spans_of
from engine.play.legality.going_out import contract_missing
from engine.play.melds import BOOK
from engine.play.moves import WILD
from engine.play.state import Position

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
