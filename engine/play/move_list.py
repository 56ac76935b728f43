"""The list of moves in phase play, whose melds and discards are made only when somebody looks at them.

A player who picks one move of a dozen at random needs their number and that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from engine.play.cards import JOKER, RED_THREES, THREE, TWO, ByRank, Cards
from engine.play.moves import DISCARDS, Move, single_meld

Way = tuple[int, int, int]
"""Numbers of natural cards, twos and jokers of a group."""


class FreeWay(NamedTuple):
    """The same where a rank may have several melds: the group has marks, and joins so many cards on the table."""

    natural: int
    """Natural cards but for red threes."""
    two: int
    joker: int
    red: int
    is_new: bool
    is_mixed: bool
    held: int


AnyWay = Way | FreeWay
Offer = tuple[int, int, tuple[AnyWay, ...]]
"""A rank or `WILD`, the cards on the table that a plain meld of it joins, and ways to lay a group."""


def meld_of(hand: ByRank, name: int, way: AnyWay) -> Move:
    """The meld of so many cards of a rank of the hand, or of `WILD`."""
    if isinstance(way, FreeWay):
        return _free_meld(hand, name, way)
    natural, two, joker = way
    if natural:
        return single_meld(None, hand[TWO][:two] + hand[name][:natural] + hand[JOKER][:joker])
    return single_meld(name, hand[TWO][:two] + hand[JOKER][:joker])


def _free_meld(hand: ByRank, name: int, way: FreeWay) -> Move:
    cards = b""
    if way.natural or way.red:
        cards = hand[name][: way.natural] if name != THREE else _threes(hand[THREE], way)
    meld_name = name if not cards or way.is_mixed else None
    return single_meld(meld_name, cards + hand[TWO][: way.two] + hand[JOKER][: way.joker], way.is_new, way.is_mixed)


def _threes(threes: Cards, way: FreeWay) -> Cards:
    """So many black threes and red threes."""
    red = bytes([card for card in threes if card in RED_THREES])
    return threes.translate(None, RED_THREES)[: way.natural] + red[: way.red]


class MoveList(Sequence[Move]):
    """Melds, discards and other moves in their order. It equals a list or a tuple of the same moves."""

    __slots__ = ("_discards", "_hand", "_melds", "_middle", "_moves", "_rest", "_size")

    def __init__(
        self, hand: ByRank, melds: list[Offer], middle: list[Move], discards: list[Cards], rest: list[Move]
    ) -> None:
        """First the ways of `melds`, then `middle`, a discard of the first of each `discards`, and `rest`."""
        self._hand, self._melds, self._middle, self._discards, self._rest = hand, melds, middle, discards, rest
        self._moves: list[Move] | None = None
        size = len(middle) + len(discards) + len(rest)
        for _, _, ways in melds:
            size += len(ways)
        self._size = size

    def append(self, move: Move) -> None:
        """Add a move at the end, before anybody has looked at the list."""
        self._rest.append(move)
        self._size += 1

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if self._moves is not None or not isinstance(index, int) or index < 0:
            return self._all_moves()[index]
        for name, _, ways in self._melds:
            count = len(ways)
            if index < count:
                return meld_of(self._hand, name, ways[index])
            index -= count
        if index < len(self._middle):
            return self._middle[index]
        index -= len(self._middle)
        if index < len(self._discards):
            return DISCARDS[self._discards[index][0]]
        return self._rest[index - len(self._discards)]

    def _all_moves(self) -> list[Move]:
        """All moves, made once."""
        if self._moves is None:
            melds = [meld_of(self._hand, name, way) for name, _, ways in self._melds for way in ways]
            discards = [DISCARDS[cards[0]] for cards in self._discards]
            self._moves = melds + self._middle + discards + self._rest
        return self._moves

    def __iter__(self) -> Iterator[Move]:
        return iter(self._all_moves())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, MoveList):
            return self._all_moves() == other._all_moves()
        return isinstance(other, list | tuple) and self._all_moves() == [*other]

    def __repr__(self) -> str:
        return repr(self._all_moves())
