"""What a player remembers of a deal: cards that are known to be in a hand, and cards that a player did not want."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.play.cards import RANK_OF, Cards
from engine.play.events import Event, PublicLog
from engine.play.melds import BOOK
from engine.play.state import Position

MOST_SEATS = 12
"""Seats of the largest table."""


class Chances(NamedTuple):
    """How much likelier than by chance a player holds cards of a rank, by where the team has it.

    Each row goes by the player's discards of the rank: none, among the last two, among the last five, earlier. Counted
    in 70 deals of Standard between players of `club`.
    """

    hand: tuple[float, float, float, float]
    meld: tuple[float, float, float, float]
    book: tuple[float, float, float, float]
    passed: float
    """The same for a rank that the player let lie on top of the pile."""


PAIRS = Chances((1.8, 0.4, 0.65, 1.4), (1.5, 0.25, 0.8, 1.1), (1.6, 0.4, 1.2, 1.7), 0.6)
"""For two cards or more."""
CARDS = Chances((1.4, 0.45, 0.6, 1.1), (1.0, 0.3, 0.55, 0.6), (1.1, 0.5, 0.9, 1.3), 0.75)
"""For each card."""


class Memory:
    """The public log of a deal, read once; later events are added to what is known."""

    __slots__ = ("_laid", "_last", "_read", "_top", "known", "passed", "thrown")

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._read = 0
        self._last: object = None
        self._top = b""
        self._laid: list[Cards] = []
        self.known: list[Cards] = [b""] * MOST_SEATS
        """By seat: cards that came into the hand openly, with the pile, and have not left it since."""
        self.thrown: list[Cards] = [b""] * MOST_SEATS
        """By seat: cards discarded, the latest last."""
        self.passed: list[Cards] = [b""] * MOST_SEATS
        """By seat: cards on top of the pile when the player drew instead, the latest last."""

    def follow(self, log: PublicLog) -> Memory:
        """Read what the log has beyond what was read; of another deal, everything."""
        events = log.events
        if self._read > len(events) or (self._read and events[self._read - 1] is not self._last):
            self._forget()
        for event in events[self._read :]:
            if effect := _EFFECTS.get(event.kind):
                effect(self, event)
        self._read = len(events)
        self._last = events[-1] if events else None
        return self

    def likeness(self, state: Position, seat: int, chances: Chances) -> list[float]:
        """By rank: how much likelier than by chance the seat holds cards of it, beside those known."""
        melds = {meld.name: len(meld.cards) for meld in state.melds[seat % state.teams]}
        thrown, passed = self.thrown[seat].translate(RANK_OF), self.passed[seat].translate(RANK_OF)
        likeness = []
        for rank in range(14):
            size = melds.get(rank, 0)
            row = chances.hand if not size else chances.meld if size < BOOK else chances.book
            last = len(thrown) - 1 - thrown.rfind(rank)
            when = 0 if rank not in thrown else 1 if last < 2 else 2 if last < 5 else 3
            likeness.append(row[when] * (chances.passed if rank in passed else 1.0))
        return likeness

    def _begin(self, event: Event) -> None:
        self._laid = []

    def _discard(self, event: Event) -> None:
        self.thrown[event.seat] += event.cards
        self._leave(event)
        self._top = event.cards

    def _take(self, event: Event) -> None:
        self.known[event.seat] += event.cards
        self._top = b""

    def _draw(self, event: Event) -> None:
        self.passed[event.seat] += self._top

    def _meld(self, event: Event) -> None:
        self._laid.append(event.cards)
        self._leave(event)

    def _undo(self, event: Event) -> None:
        """A meld taken back is seen in the hand; of a move with several only the last is remembered."""
        if self._laid:
            self.known[event.seat] += self._laid.pop()

    def _leave(self, event: Event) -> None:
        """Cards that leave a hand are no longer known to be there."""
        known = self.known[event.seat]
        if known:
            for card in event.cards:
                known = known.replace(bytes([card]), b"", 1)
            self.known[event.seat] = known


_EFFECTS: dict[str, Callable[[Memory, Event], None]] = {
    "turn_began": Memory._begin,
    "discarded": Memory._discard,
    "took_pile": Memory._take,
    "drew_top": Memory._take,
    "drew": Memory._draw,
    "melded": Memory._meld,
    "red_three_laid": Memory._leave,
    "undone": Memory._undo,
}
