"""Places among a team's melds: what cards would join there, worked out once while the melds stay the same."""

from __future__ import annotations

from functools import lru_cache

from engine.play.melds import BOOK, Meld
from engine.play.rules import Rules

Place = tuple[int, int, int]
"""What cards of a name would join: a meld of so many cards, how many of them are wild, and its index among the melds."""
NEW: Place = (0, 0, -1)
"""Where cards go that join nothing."""


def places(rules: Rules, melds: tuple[Meld, ...]) -> dict[int, Place]:
    """The place of each name that has one, which nobody may change; cards of other names are `NEW`.

    It is the first of several melds that take more, as a judge has it. A book that takes no more is a place only if it
    may have no second meld beside it.
    """
    return _places(rules.grows, rules.melds_per_rank, melds)


@lru_cache(maxsize=64)
def _places(grows: bool, way: str, melds: tuple[Meld, ...]) -> dict[int, Place]:
    by_name: dict[int, Place] = {}
    for index in range(len(melds) - 1, -1, -1):
        name, cards, wild, _ = melds[index]
        if len(cards) < BOOK or grows:
            by_name[name] = (len(cards), wild, index)
        elif way == "one":
            by_name.setdefault(name, (len(cards), wild, index))
    return by_name
