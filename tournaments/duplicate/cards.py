"""The cards of a board as people lay them out: stacks by rank and suit, and the stock in its order."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext, pgettext

from engine.play.cards import JOKER, RANKS, Cards
from engine.play.game import DealtCards, dealt_cards
from engine.play.rules import Rules
from tournaments.models import Board
from web.text import number

SUITS = "♣♦♥♠"
RED = (1, 2)
"""Suits that are printed in red."""
MOST_IN_HALF = 6
"""Seats of a board that fits on half a page."""
A_ROW = 20
"""Cards of the stock in a row."""


@dataclass(frozen=True)
class Card:
    """A card on paper: its rank and its suit, `10` and `♦`; of a joker `Jk` and the letter of its colour, ` r`."""

    rank: str
    suit: str
    is_red: bool
    index: int
    """Its number in the engine."""

    def __str__(self) -> str:
        return self.rank + self.suit


@dataclass(frozen=True)
class Group:
    """Cards of one rank in a stack."""

    rank: str
    cards: tuple[Card, ...]


@dataclass(frozen=True)
class Stack:
    """Cards that lie together: the hand of North, the stock."""

    name: str
    cards: tuple[Card, ...]
    is_ordered: bool = False
    """Whether the order of its cards matters; its top card is the first."""

    @property
    def title(self) -> str:
        """Its name with the number of its cards."""
        return f"{self.name} ({len(self.cards)})"

    @property
    def groups(self) -> list[Group]:
        """Its cards by rank, in the order that they are in."""
        return [Group(rank, tuple(cards)) for rank, cards in groupby(self.cards, key=lambda card: card.rank)]

    @property
    def rows(self) -> list[tuple[int, tuple[Card, ...]]]:
        """Its cards in rows with the number of their first card."""
        return [(at + 1, self.cards[at : at + A_ROW]) for at in range(0, len(self.cards), A_ROW)]


@dataclass(frozen=True)
class Seat:
    """A seat with its stacks."""

    name: str
    stacks: tuple[Stack, ...]


@dataclass(frozen=True)
class Sheet:
    """A dealing sheet: a board with all its cards."""

    label: int
    issue: int
    seats: tuple[Seat, ...]
    pile: Stack
    stock: Stack
    starts: str
    """Seat of the first turn."""
    opening: str
    """The opening minimum in this deal, where it depends on the deal."""
    packs: int

    @property
    def stacks(self) -> list[Stack]:
        """Every stack of it."""
        return [*(stack for seat in self.seats for stack in seat.stacks), self.pile, self.stock]

    @property
    def count(self) -> int:
        """Number of its cards."""
        return sum(len(stack.cards) for stack in self.stacks)


@dataclass(frozen=True)
class SortedRow:
    """A row of the building plan: a card, and how many of it go to each stack."""

    card: Card
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        return sum(self.counts)


def card_of(index: int) -> Card:
    """A card of the engine on paper."""
    rank, suit = divmod(index, 4)
    if rank == JOKER:
        colour = pgettext("black joker", "b") if suit else pgettext("red joker", "r")
        return Card(pgettext("joker on a dealing sheet", "Jk"), f" {colour}", not suit, index)
    return Card("10" if RANKS[rank] == "T" else RANKS[rank], SUITS[suit], suit in RED, index)


def seat_names(seats: int, teams: int) -> list[str]:
    """Names of the seats: of four in two sides North, East, South and West, else their numbers."""
    if (seats, teams) == (4, 2):
        return [gettext("North"), gettext("East"), gettext("South"), gettext("West")]
    return [gettext("Seat %(number)s") % {"number": at} for at in range(1, seats + 1)]


def sheet_of(board: Board, rules: Rules, label: int, *, seats: int, team_size: int) -> Sheet:
    """The dealing sheet of a board at tables of so many seats. It shows every hidden card."""
    dealt = dealt_cards(rules, bytes.fromhex(board.key), deal=board.deal, seats=seats, team_size=team_size)
    names = seat_names(seats, seats // team_size)
    has_openings = rules.opening.kind == "by_deal"
    return Sheet(
        label,
        board.issue,
        tuple(Seat(name, _stacks(dealt, at)) for at, name in enumerate(names)),
        _ordered(gettext("Discard pile"), dealt.pile),
        _ordered(gettext("Stock"), dealt.stock),
        names[dealt.starts],
        number(rules.opening.minimum(board.deal, 0)) if has_openings else "",
        rules.deck_count(seats),
    )


def _stacks(dealt: DealtCards, at: int) -> tuple[Stack, ...]:
    seat = dealt.seats[at]
    knee = () if seat.knee is None else (_stack(gettext("Knee"), seat.knee),)
    if dealt.is_chosen:
        return (_ordered(gettext("First stack"), seat.first), *knee, _ordered(gettext("Second stack"), seat.second))
    return (_stack(gettext("Hand"), seat.first), *knee, _stack(gettext("Foot"), seat.second))


def _stack(name: str, cards: Cards) -> Stack:
    return Stack(name, tuple(card_of(index) for index in cards))


def _ordered(name: str, cards: Cards) -> Stack:
    return Stack(name, tuple(card_of(index) for index in cards), is_ordered=True)


def sorted_rows(sheet: Sheet) -> list[SortedRow]:
    """The building plan of a board from sorted packs: each card, and how many of it go to each stack."""
    kinds = sorted({card.index for stack in sheet.stacks for card in stack.cards})
    return [SortedRow(card_of(kind), tuple(_count(stack.cards, kind) for stack in sheet.stacks)) for kind in kinds]


def _count(cards: Sequence[Card], kind: int) -> int:
    return sum(card.index == kind for card in cards)
