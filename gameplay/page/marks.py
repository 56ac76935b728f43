"""What others did since the reader last played, as the board marks it until the reader's next act."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.play.events import Event
from engine.play.moves import MELD_NAMES
from engine.play.state import DRAWING
from engine.play.view import View
from gameplay.log.story import StoryLine


class Marks(NamedTuple):
    """Cards that came to melds and hands, and who laid the top card of the pile."""

    melds: Mapping[tuple[int, int], int] = {}
    """Cards that joined the last meld of a team and name."""
    pile_cards: Mapping[int, int] = {}
    """Cards of the discard pile that a seat took."""
    discarder: int | None = None
    """The seat that discarded the top card, unless that was before."""


NOTHING = Marks()
_NUMBERS = {name: number for number, name in enumerate(MELD_NAMES)}


def marks_of(story: Sequence[StoryLine], view: View) -> Marks:
    """The marks of a story: none for a reader in the middle of a turn, or once the deal is over."""
    state = view.position
    if view.outcome is not None or (view.seat == state.turn and state.phase != DRAWING):
        return NOTHING
    events = [event for line in story if line.deal == state.deal for act in line.acts for event in act.events]
    melds, pile_cards = Counter[tuple[int, int]](), Counter[int]()
    discarder = None
    for event in events:
        if event.kind == "melded":
            melds[event.seat % state.teams, _NUMBERS[event.text]] += len(event.cards)
        elif event.kind in ("took_pile", "drew_top"):
            pile_cards[event.seat] += _count(event)
            discarder = None
        elif event.kind == "discarded":
            discarder = event.seat
    return Marks(melds, pile_cards, discarder if state.pile else None)


def _count(event: Event) -> int:
    return event.number or len(event.cards)
