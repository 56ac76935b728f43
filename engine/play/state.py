"""A position: everything about one deal of a match, immutable.

`State` is held by the server and seen whole by nobody else; `engine.play.view` turns it into a seat's view. Changes
are made on a `Draft`, which freezes into a new `State`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from engine.play.cards import Cards
from engine.play.melds import Meld
from engine.play.rules import Rules

T = TypeVar("T")

LIFT, CHOOSE, DRAWING, PLAYING, ANSWERING, OVER = "lift", "choose", "draw", "play", "answer", "over"
MOST_RESHUFFLES = 20
"""Times that the pile is shuffled into a new stock in a deal: by then cards go round in circles (ruling 27)."""
PHASES = (LIFT, CHOOSE, DRAWING, PLAYING, ANSWERING, OVER)


class Undo(NamedTuple):
    """State before a meld: enough to undo it."""

    hand: Cards
    melds: tuple[Meld, ...]
    opened: bool
    opener: int | None
    books_by: int
    foot_due: bool
    opened_by: bool = False


class Position:
    """The fields of a position, which `State` and `Draft` share. Tuples go by seat or by team, as said."""

    rules: Rules
    seats: int
    team_size: int
    teams: int
    assist: bool
    """Whether wrong claims are refused (true) or accepted at the price of a penalty."""
    deal: int
    """Number of this deal, from 1."""
    dealer: int
    turn: int
    """The seat whose turn it is; while partners are asked, still the asker."""
    phase: str
    scores: tuple[int, ...]
    """By team: totals before this deal."""
    hands: tuple[Cards, ...]
    feet: tuple[Cards | None, ...]
    """By seat: the cards of the last stack still face down, `None` once picked up."""
    knees: tuple[Cards | None, ...]
    """By seat: the cards of a stack between hand and foot still face down, `None` if there is none."""
    foot_turns: tuple[int, ...]
    """By seat: turns in which the player has acted from the foot."""
    foot_acted: bool
    """Whether this turn is counted in `foot_turns` already."""
    melds: tuple[tuple[Meld, ...], ...]
    opened: tuple[bool, ...]
    opened_by: tuple[bool, ...]
    """By seat, where every player must: whether the player has reached the opening minimum; else empty."""
    opener: tuple[int | None, ...]
    """By team: the seat whose move opened, where known."""
    books_by: tuple[int, ...]
    """By seat: books whose seventh card the player laid."""
    red_threes: tuple[Cards, ...]
    laid_sevens: tuple[Cards, ...]
    """By team: cards laid at the end because none of them might be discarded (ruling 20)."""
    pile: Cards
    stock: Cards
    """Discard pile and stock, the top card first."""
    frozen: bool
    last_red_three: bool
    """The stock ended with a red three: no discard this turn, then the deal is over (ruling 6)."""
    foot_due: bool
    """The seat to act picks up the foot after the discard."""
    allowed: bool
    refused: bool
    """The partners' answer in this turn; neither where nobody was asked."""
    answers: int
    """Number of partners who have said yes so far."""
    wilds_asked: bool
    grabs: tuple[int | None, ...]
    """By seat: cards lifted before the deal."""
    stacks: tuple[tuple[Cards, Cards] | None, ...]
    """By seat: the two stacks of which the player has still to choose the hand."""
    first_turn: tuple[bool, ...]
    """By seat: the first turn is still to come or has only begun."""
    peeked: tuple[bool, ...]
    penalties: tuple[int, ...]
    went_out: int | None
    """The team that went out (first)."""
    out_by: int | None
    """The seat that went out, while the others have their final turns."""
    undo: tuple[Undo, ...]
    seed: bytes | None
    """Seed of the reshuffles of this deal; as secret as the stock. `None` in a position given by hand."""
    reshuffles: int

    if TYPE_CHECKING:

        def __init__(self, **fields: Any) -> None: ...
    else:

        def __init__(self, **fields):
            self.__dict__.update(fields)

    @property
    def team(self) -> int:
        """The team whose turn it is."""
        return self.turn % self.teams

    @property
    def actor(self) -> int:
        """The seat that moves next: that of the partner asked, or that of the turn."""
        if self.phase == ANSWERING:
            return (self.turn + self.teams * (self.answers + 1)) % self.seats
        return self.turn

    def partners(self, seat: int) -> tuple[int, ...]:
        """The other seats of that seat's team, in order after it."""
        return tuple((seat + self.teams * i) % self.seats for i in range(1, self.team_size))

    @property
    def can_reshuffle(self) -> bool:
        """Whether the pile may be shuffled into a new stock (rulings 6 and 27)."""
        return self.rules.stock_out == "reshuffle" and self.reshuffles < MOST_RESHUFFLES

    @property
    def has_opened(self) -> bool:
        """Whether the team whose turn it is has opened; where every player must, the player."""
        return self.opened_by[self.turn] if self.opened_by else self.opened[self.turn % self.teams]

    @property
    def minimum(self) -> int:
        """Least value of the first meld of the team whose turn it is; 0 once it has opened.

        `CLEAN_BOOK` where it must lay a clean book.
        """
        if self.opened_by[self.turn] if self.opened_by else self.opened[self.turn % self.teams]:
            return 0
        return self.rules.opening.minimum(self.deal, self.scores[self.team])

    def draft(self) -> Draft:
        """A copy that may be changed, and frozen again."""
        new = object.__new__(Draft)
        new.__dict__ = self.__dict__.copy()
        return new

    def __repr__(self) -> str:
        """A description that shows no card: it may end up in a log."""
        return f"<{type(self).__name__}: {self.rules.title}, deal {self.deal}, seat {self.actor} in phase {self.phase}>"


class State(Position):
    """An immutable position."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a position never changes; apply a move to get a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a position never changes")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]


class Draft(Position):
    """A position being changed. Only `apply` and its helpers see one."""

    def freeze(self) -> State:
        """The position that it has become; the draft is used up."""
        self.__class__ = State  # type: ignore[assignment]
        return self  # type: ignore[return-value]


def put(items: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The tuple with one item replaced."""
    changed = [*items]
    changed[index] = value
    return tuple(changed)
