"""A position of a match that can be stepped through: the board, and the hands as far as they can be seen."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from engine.play.cards import BLANK, Cards
from engine.play.state import OVER, State
from engine.play.view import View
from gameplay.page import board, markup
from gameplay.page.seats import SeatPanel, ring_css


class Waiting(NamedTuple):
    """A knee or foot that is not picked up yet."""

    kind: str
    held: int
    cards: str
    """The stack as markup; empty if it is hidden."""
    words: str


class OpenHand(NamedTuple):
    """A player's cards at a step of a replay, as far as they can be seen."""

    number: int
    name: str
    is_turn: bool
    is_us: bool
    held: int
    cards: str
    """The hand as markup; empty if it is hidden or there is none."""
    words: str
    waiting: list[Waiting]
    """Empty once the foot is picked up."""


def board_context(view: View, names: Sequence[str], chairs: Sequence[SeatPanel] = ()) -> dict[str, Any]:
    """A position on the page of a replay, in the parts of the table page; with `chairs` round stock and pile."""
    state = view.position
    page = {
        "teams": board.teams(view, names, is_still=True),
        "piles": board.piles(view._replace(seat=None)),
        "seat": view.seat is not None,
        "seats": chairs,
        "chairs": chairs,
        "ring": ring_css(len(chairs)),
        "is_replayed": True,
    }
    hands = [_open_hand(state, number, name, view.seat) for number, name in enumerate(names)]
    return {"page": page, "hands": hands}


def _open_hand(state: State, number: int, name: str, reader: int | None) -> OpenHand:
    stacks = state.stacks[number]
    hand = state.hands[number] + (stacks[0] if stacks else b"")
    later = {"knee": state.knees[number], "foot": state.feet[number] or (stacks[1] if stacks else None)}
    return OpenHand(
        number=number,
        name=name,
        is_turn=state.phase != OVER and number == state.actor,
        is_us=reader is not None and number % state.teams == reader % state.teams,
        held=len(hand),
        cards=_fan(hand),
        words=_words(hand),
        waiting=[Waiting(kind, len(stack), _fan(stack), _words(stack)) for kind, stack in later.items() if stack],
    )


def _fan(cards: Cards) -> str:
    return "" if BLANK in cards else markup.fan(cards)


def _words(cards: Cards) -> str:
    return "" if BLANK in cards else ", ".join(markup.SPOKEN[card] for card in sorted(cards))
