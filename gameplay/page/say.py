"""Moves in words, for lists of choices."""

from __future__ import annotations

from collections.abc import Callable

from engine.play.melds import meld_words
from engine.play.moves import Group, Move
from gameplay.page.words import card_words, cards_words, listed


def move_words(move: Move) -> str:
    """The move as a sentence of a list: `Meld three 9s and two 4s`, `Discard the King of clubs`."""
    return _WORDS[move.kind](move)


def _group(group: Group) -> str:
    name = "" if group.name is None else f" on {meld_words(group.name)}"
    return f"{cards_words(group.cards)}{name}"


def _groups(move: Move) -> str:
    return listed([_group(group) for group in move.groups])


_WORDS: dict[str, Callable[[Move], str]] = {
    "draw": lambda move: "Draw from the stock",
    "take": lambda move: f"Take the pile with {_groups(move)}" if move.groups else "Take the pile onto your meld",
    "meld": lambda move: f"Meld {_groups(move)}",
    "discard": lambda move: f"Discard the {card_words(move.card)}",
    "end": lambda move: "End your turn",
    "undo": lambda move: "Take back your last meld",
    "ask": lambda move: "Ask: may I go out?",
    "answer": lambda move: "Answer yes" if move.number else "Answer no",
    "wilds": lambda move: "Ask how many wild cards your partner holds",
    "peek": lambda move: "Look at your foot",
    "grab": lambda move: f"Lift {move.number} cards",
    "keep": lambda move: f"Keep the {'first' if move.number == 1 else 'second'} stack",
}
