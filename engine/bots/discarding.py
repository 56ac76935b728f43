"""Choice of a discard: a card that the hand misses least and the next player can use least."""

from __future__ import annotations

from engine.bots.knowledge import Follower, Sight, pile_worth, unseen_by_rank
from engine.play.cards import JOKER, RED_THREES, THREE, TWO, Cards
from engine.play.legality.legal import is_legal
from engine.play.moves import DISCARDS, Move
from engine.play.rules import Rules

LOOSE_TWO = 50.0
"""Points that a two is worth to a player alone where wild cards make no book: with it a rich pile can be blocked."""


def best_discard(sight: Sight) -> Move | None:
    """The discard that costs least, or `None` where no card may be discarded."""
    for move in ranked_discards(sight):
        if is_legal(sight.state, move):
            return move
    return None


def ranked_discards(sight: Sight) -> list[Move]:
    """Discards from the cheapest to the dearest, one card of each rank; some may not be legal."""
    unseen = unseen_by_rank(sight.state, sight.seat)
    follower = Follower(sight, unseen)
    prize = (pile_worth(sight.rules, sight.state.pile, sight.habits) + 28) * sight.habits.caution
    threatened = sight.is_threatened()
    values = sight.rules.card_values
    costs = []
    for rank, cards in sight.spans.items():
        card = three_to_throw(sight.rules, cards) if rank == THREE else cards[0]
        cost = keep_worth(sight, rank, len(cards), unseen[rank])
        if card in RED_THREES:
            cost += sight.rules.red_three.held
        if rank not in (TWO, THREE, JOKER):
            cost += follower.danger(rank) * prize
            if threatened:
                cost -= values[card]
        costs.append((cost, card))
    costs.sort()
    return [DISCARDS[card] for _, card in costs]


def three_to_throw(rules: Rules, cards: Cards) -> int:
    """The three that the hand misses least: a red one if it would cost points at the end of the deal."""
    reds = [card for card in cards if card in RED_THREES]
    others = [card for card in cards if card not in RED_THREES]
    return (reds + others if rules.red_three.held < 0 else others + reds)[0]


def keep_worth(sight: Sight, rank: int, count: int, unseen: int) -> float:
    """Points, roughly, that the hand loses with one card of the rank."""
    if rank == THREE:  # good for nothing but to block the pile, and the better for that the larger it is
        return 2.0 if len(sight.state.pile) < 5 else -4.0
    if rank == JOKER:
        return 180.0
    if rank == TWO:
        is_loose = sight.state.team_size == 1 and not sight.rules.wild_melds
        return LOOSE_TWO if is_loose else 150.0
    if not sight.can_hold(rank):
        return 0.0
    worth = {1: 8.0, 2: 45.0}.get(count, 50.0)
    if rank in sight.open:
        worth += 25.0
    elif count == 1:
        worth += sight.habits.likes_points * sight.rules.card_values[4 * rank]
    return worth * min(1.0, unseen / 6)
