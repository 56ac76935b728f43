"""Numbers of shared deals: which of them a match plays, and what is written on a board."""

from collections.abc import Iterable

from engine.play.rules import Rules
from tournaments import terms
from tournaments.models import Board, Pairing
from tournaments.plan import Plan

MOST_DEALS = 12
"""Shared deals in a match to a target score. Hardly any match has more, and further deals are not shared."""


def boards_of(pairing: Pairing, rules: Rules) -> list[tuple[int, int]]:
    """The shared deals of a match: number of the board, and the deal of that number.

    A match of more deals than it has boards plays several deals of each.
    """
    numbers = sets_of(pairing)
    count = deals_of_match(rules)
    each = -(-count // len(numbers))
    return [(numbers[index // each], index % each + 1) for index in range(count)]


def sets_of(pairing: Pairing) -> list[int]:
    """Numbers of the sets of deals that a match plays; without a movement all tables of a round play one."""
    return pairing.boards or [pairing.round.number]


def deals_of_match(rules: Rules) -> int:
    """Shared deals of a match."""
    return rules.length.number if rules.length.by == "deals" else MOST_DEALS


def label_of(board: Board, rules: Rules) -> int:
    """The number on a board: its deals are counted through, as every table plays whole sets of them."""
    return (board.number - 1) * deals_of_match(rules) + board.deal


def labels_of(numbers: Iterable[int], rules: Rules) -> list[int]:
    """The numbers on the boards of these sets."""
    each = deals_of_match(rules)
    return [(number - 1) * each + deal for number in numbers for deal in range(1, each + 1)]


def labels_at_table(pairing: Pairing) -> list[int]:
    """The numbers on the boards of a match at a real table, one for each deal; none where tables share no deals."""
    rules = terms.of_stage(pairing.round.stage).rules
    if pairing.is_online or rules.length.by != "deals" or not Plan.read(pairing.round.stage.plan_json).shares_deals:
        return []
    each = deals_of_match(rules)
    return [(number - 1) * each + deal for number, deal in boards_of(pairing, rules)]
