"""What a review needs the whole match replayed for, kept once it was worked out: a deal that is over never changes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.core.cache import cache
from django.utils import translation

from engine.bots.advice import reason
from engine.play.cards import WILD_CARDS, Cards, write_cards
from engine.play.moves import parse_move, write_move
from engine.play.state import State
from gameplay.models import Deal, Table
from gameplay.page.move_text import move_words
from gameplay.reviews.positions import beginning_of, played

EDITION = 1
"""Increased with every change of what is kept, so that nothing old is read."""
_KEPT = 7 * 24 * 60 * 60
"""Seconds."""

Stacks = list[tuple[str, str]]
"""`hand`, `knee` or `foot` with its cards in notation, named cards first; only those that have cards."""


class Act(NamedTuple):
    """A move of the deal: itself and another in notation and in words, and why that one was better."""

    move: str
    words: str
    better: str
    better_words: str
    reason: str


class Replay(NamedTuple):
    """A deal that is over, in the language of now. No names of players are in it."""

    dealt: list[Stacks]
    """By seat."""
    left: list[Stacks]
    acts: dict[int, Act]
    """By the number of the move."""


def replay_of(table: Table, deal: Deal, costs: Sequence[Sequence[Any]]) -> Replay:
    """The deal, which must lie open. `costs` are those of its review (`gameplay.reviews.work`)."""
    key = f"deal-replay:{EDITION}:{table.slug}:{deal.number}:{len(costs)}:{translation.get_language()}"
    replay: Replay | None = cache.get(key)
    if replay is None:
        replay = _replay(table, deal, costs)
        cache.set(key, replay, _KEPT)
    return replay


def _replay(table: Table, deal: Deal, costs: Sequence[Sequence[Any]]) -> Replay:
    beginning = beginning_of(table, deal.number)
    better = {row[0]: row[2] for row in costs}
    end, acts = beginning, {}
    for each in played(table, deal.number, beginning):
        end = each.after
        if each.number in better:
            other = parse_move(better[each.number])
            acts[each.number] = Act(
                write_move(each.move),
                move_words(each.move),
                better[each.number],
                move_words(other),
                reason(each.view(), other),
            )
    seats = range(beginning.seats)
    return Replay([_stacks(beginning, seat) for seat in seats], [_stacks(end, seat) for seat in seats], acts)


def _stacks(state: State, seat: int) -> Stacks:
    """The stacks of a seat that have cards; before it lifted or chose, they are the two that it was dealt."""
    stacks = state.stacks[seat]
    first, last = (stacks[0], stacks[1]) if stacks else (b"", b"")
    by_name = [
        ("hand", state.hands[seat] + first),
        ("knee", state.knees[seat] or b""),
        ("foot", (state.feet[seat] or b"") + last),
    ]
    return [(name, write_cards(_in_order(cards))) for name, cards in by_name if cards]


def _in_order(cards: Cards) -> Cards:
    return bytes(sorted(cards, key=lambda card: (card in WILD_CARDS, card)))
