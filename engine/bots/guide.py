"""A guide through a first deal: one act for the seat to make, and the lessons that acts teach.

The act follows from the view alone, so it fits whatever was done before, and never knows more than the seat.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

from engine.bots.bot import last_resort
from engine.bots.discarding import best_discard
from engine.bots.knowledge import Sight
from engine.play.cards import WILD_CARDS, Cards, count_wild
from engine.play.events import Event
from engine.play.melds import BOOK, Meld
from engine.play.moves import DRAW, END, GARBAGE, WILD, Move
from engine.play.state import DRAWING, PLAYING, Position
from engine.play.view import View

LESSONS = ("draw", "meld", "discard", "add", "wild", "take", "book", "foot", "out")
"""What a first deal teaches, in the order in which it usually comes."""

WORTH_TAKING = 3
"""Cards in the pile from which it is taken even by a player who has learnt to take it."""


class Hint(NamedTuple):
    """An act worth making now, and why. `reason` is one of `REASONS`."""

    move: Move
    reason: str
    cards: Cards = b""
    """Cards of the hand that it is about."""
    name: int = -1
    """The name of the meld that they start or join."""
    joined: int = 0
    """Cards that this meld has already; 0 for a new one."""


REASONS = ("draw", "take", "meld", "add", "wild", "book", "empty", "out", "discard", "end", "other")
"""`empty`: the move lays the last cards of the hand, so the foot comes. `out`: it goes out, or leads straight there."""


def hint(view: View, learnt: Collection[str] = ()) -> Hint | None:
    """The act to recommend to the seat of the view, and `None` while another seat acts.

    The move is legal. `learnt` are lessons that need no more practice.
    """
    moves = view.legal_moves()
    if not moves:
        return None
    state = view.position
    if state.phase == DRAWING:
        return _draw(state, moves, learnt)
    if state.phase == PLAYING:
        return _play(state, moves)
    return Hint(last_resort(state), "other")


def _draw(state: Position, moves: list[Move], learnt: Collection[str]) -> Hint:
    claims = [move for move in moves if move.kind == "take" and len(move.groups) == 1]
    is_wanted = "take" not in learnt or len(state.pile) >= WORTH_TAKING or DRAW not in moves
    if claims and is_wanted:
        move = min(claims, key=lambda claim: (count_wild(claim.groups[0].cards), len(claim.groups[0].cards)))
        return Hint(move, "take", move.groups[0].cards, state.pile[0] // 4)
    if DRAW in moves:
        return Hint(DRAW, "draw")
    return Hint(END, "end") if END in moves else Hint(moves[0], "other")


def _play(state: Position, moves: list[Move]) -> Hint:
    sight = Sight(state)
    if END in moves and not sight.hand:
        return Hint(END, "out")
    melds = [hint for move in moves if (hint := _meld(sight, move)) is not None]
    if melds:
        return max(melds, key=lambda hint: _worth(sight, hint))
    if discard := best_discard(sight):
        is_last = sight.on_foot and len(sight.hand) == 1
        return Hint(discard, "out" if is_last else "discard", bytes([discard.card]))
    return Hint(END, "end") if END in moves else Hint(last_resort(state), "other")


def _meld(sight: Sight, move: Move) -> Hint | None:
    """The hint to make a move that melds, or `None` if it is not one for a beginner."""
    if move.kind != "meld" or len(move.groups) != 1 or move.groups[0].is_new:
        return None
    cards = move.groups[0].cards
    name = meld_name(move.groups[0].name, cards)
    if name in (WILD, GARBAGE):
        return None
    meld = sight.open.get(name)
    joined = len(meld.cards) if meld else 0
    left, wild = len(sight.hand) - len(cards), count_wild(cards)
    if wild and not _spends(sight, meld, len(cards), wild, left):
        return None
    if left == 0 or (left == 1 and sight.on_foot):
        reason = "out" if sight.on_foot else "empty"
    elif joined + len(cards) >= BOOK > joined:
        reason = "book"
    elif wild:
        reason = "wild"
    else:
        reason = "add" if joined else "meld"
    return Hint(move, reason, cards, name, joined)


def _spends(sight: Sight, meld: Meld | None, count: int, wild: int, left: int) -> bool:
    """Whether wild cards are well spent on a meld: on the book that the contract lacks, or to empty the hand."""
    if left <= 1 or (sight.on_foot and not sight.missing()) or (wild == 1 and sight.hurries()):
        return True
    if meld is None or wild > 1 or count > 1 or not sight.missing().get("dirty"):
        return False
    longest = max((len(other.cards) for other in sight.open.values()), default=0)
    return len(meld.cards) == longest


def _worth(sight: Sight, hint: Hint) -> tuple[int, int, int, int]:
    """Order of melds: books, then natural cards, the most first, wild cards last."""
    wild = count_wild(hint.cards)
    return (hint.reason in ("book", "empty", "out"), -wild, len(hint.cards), hint.joined)


def meld_name(name: int | None, cards: Cards) -> int:
    """The name of the meld that a group of cards is for."""
    if name is not None:
        return name
    natural = cards.translate(None, WILD_CARDS)
    return natural[0] // 4 if natural else WILD


def lessons(before: Position, move: Move, events: Iterable[Event], seat: int) -> set[str]:
    """The lessons that a move teaches the seat, which need not have made it. `before` is the position at the move."""
    learnt = {_BY_EVENT[event.kind] for event in events if event.seat == seat and event.kind in _BY_EVENT}
    if before.actor == seat and move.kind == "meld":
        open_melds = Sight(before).open
        for group in move.groups:
            if meld_name(group.name, group.cards) not in open_melds or group.is_new:
                learnt.add("meld")
            elif count_wild(group.cards) < len(group.cards):
                learnt.add("add")
    if before.actor == seat and any(count_wild(group.cards) for group in move.groups):
        learnt.add("wild")
    return learnt


_BY_EVENT = {
    "drew": "draw",
    "discarded": "discard",
    "took_pile": "take",
    "book_completed": "book",
    "foot_picked_up": "foot",
    "went_out": "out",
}
