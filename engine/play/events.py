"""Events: the public and private effects of a move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine.play.cards import Cards, write_cards


class Event(NamedTuple):
    """An event. `kind` is one of `KINDS` and decides the meaning of the other fields."""

    kind: str
    seat: int
    """The seat that it is about; -1 where it is about the table."""
    cards: Cards = b""
    number: int = 0
    """Number of cards (also where `cards` are hidden), points of a penalty, announced wild cards, books of a kind."""
    text: str = ""
    """A word more: the name of a meld, the kind of a book, the answer given, how the deal ended."""
    private: bool = False
    """Only this seat may see the cards; others see their number."""

    def seen_by(self, seat: int | None) -> Event:
        """The event as `seat` may see it; `None` is a spectator."""
        return self if not self.private or seat == self.seat else self._replace(cards=b"")

    def to_json(self) -> dict[str, Any]:
        """The event as JSON, whole: redact it with `seen_by` before it leaves the server."""
        data: dict[str, Any] = {"event": self.kind, "seat": self.seat}
        if self.cards:
            data["cards"] = write_cards(self.cards)
        if self.number:
            data["number"] = self.number
        if self.text:
            data["text"] = self.text
        return data


KINDS = (
    *("lifted", "kept", "peeked", "drew", "drew_top", "red_three_laid", "reshuffled", "took_pile", "melded"),
    *(
        "opened",
        "book_completed",
        "undone",
        "foot_due",
        "knee_picked_up",
        "foot_picked_up",
        "discarded",
        "froze",
        "asked",
        "answered",
    ),
    *("wilds_told", "penalty", "turn_passed", "sevens_laid", "went_out", "turn_began", "deal_over"),
)
"""Every kind of event."""


class PublicLog:
    """What everybody at the table has seen of a deal, oldest first. A private card never enters it."""

    __slots__ = ("events",)

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.events: tuple[Event, ...] = tuple([event.seen_by(None) for event in events])

    def after(self, events: Iterable[Event]) -> PublicLog:
        """The log with the public side of further events."""
        longer = PublicLog(events)
        longer.events = self.events + longer.events
        return longer

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PublicLog) and self.events == other.events

    def __hash__(self) -> int:
        return hash(self.events)

    def __len__(self) -> int:
        return len(self.events)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self.events)} events>"


NOTHING_SEEN = PublicLog()
"""The log of a deal of which nothing is known but its position."""
