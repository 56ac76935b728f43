"""Scores that a match by some rules can have: their step, and the most that is possible or usual."""

from collections.abc import Iterator
from math import gcd
from typing import Any

from engine.play.cards import RED_THREES, WILD_CARDS
from engine.play.rules import Rules

_SCORING = (
    *("values", "out_bonus", "book_bonus", "special_books", "red_three", "red_three_all", "red_three_sets"),
    *("wild_unfinished", "lift", "penalties"),
)
"""Options whose numbers add up to a score."""
BOOK = 7
_USUAL = 2
"""A side with more than a half of all points is unusual."""


def step(rules: Rules) -> int:
    """The number that every score is a multiple of: 5 in most rules; 1 if nothing is known."""
    numbers = list(_numbers([rules.write_option(name) for name in _SCORING]))
    numbers += _numbers([values for name, values in rules.by_deal if name in _SCORING])
    return gcd(*numbers) or 1


def _numbers(value: Any) -> Iterator[int]:
    """All whole numbers in JSON."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for part in value:
            yield from _numbers(part)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield value


def most(rules: Rules, seats: int) -> int:
    """The most card points that a side can have after a match at a table of so many.

    It counts every card as melded in the best books by one side.
    """
    pack = rules.pack(seats)
    deal = sum(max(rules.card_values[card], rules.meld_values[card], 0) for card in pack)
    deal += _most_of_books(rules, sum(card in WILD_CARDS for card in pack), len(pack))
    red = max([0, *_numbers([rules.write_option("red_three"), rules.write_option("red_three_sets")])])
    deal += max(sum(card in RED_THREES for card in pack) * red, rules.red_three_all or 0)
    deal += max([0, *_numbers([rules.write_option("out_bonus"), dict(rules.by_deal).get("out_bonus", ())])])
    deal += seats * max([0, *_numbers(rules.write_option("lift"))])
    return deal * rules.length.number if rules.length.by == "deals" else deal + rules.length.number


def least(rules: Rules, seats: int) -> int | None:
    """The fewest card points that a side can have after a match: 0 or less; `None` where nothing bounds them.

    It counts every card as left over, with whatever costs points.
    """
    if rules.penalties is not None or rules.length.by != "deals":
        return None
    pack = rules.pack(seats)
    deal = sum(max(rules.card_values[card], 0) for card in pack if card not in RED_THREES)
    red = min([0, *_numbers([rules.write_option("red_three"), rules.write_option("red_three_sets")])])
    deal -= sum(card in RED_THREES for card in pack) * red + min(rules.red_three_all or 0, 0)
    worst = [_numbers(rules.write_option(name)) for name in ("book_bonus", "special_books", "wild_unfinished")]
    deal -= min([0, *(number for numbers in worst for number in numbers)]) * (len(pack) // BOOK + 1)
    deal -= min([0, *_numbers([rules.write_option("out_bonus"), dict(rules.by_deal).get("out_bonus", ())])])
    deal -= seats * min([0, *_numbers(rules.write_option("lift"))])
    return -deal * rules.length.number


def _most_of_books(rules: Rules, wild: int, cards: int) -> int:
    """The bonuses of as many books as there are cards for, each the best of its kind."""
    bonuses = {name: max([0, *_numbers(points)]) for name, points in rules.write_option("book_bonus").items()}
    wild_bonus = bonuses.pop("wild", 0)
    other = max([0, *bonuses.values(), *_numbers(rules.write_option("special_books"))])
    return wild // BOOK * max(wild_bonus, other) + (cards - wild) // BOOK * other


def usual(rules: Rules, seats: int) -> int:
    """The most card points that a side usually has after a match."""
    return most(rules, seats) // _USUAL
