"""Words for cards and numbers on the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from engine.play.cards import JOKER, RANK_OF, RANK_WORDS, RANKS, WILD_CARDS, Cards
from engine.play.melds import meld_words

_SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
_LONG = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def rank_sign(rank: int) -> str:
    """What stands in the corner of a card: 10, J, 4."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def card_words(card: int) -> str:
    """`8 of clubs`, `Jack of hearts`, `Red joker`."""
    rank, suit = divmod(card, 4)
    if rank == JOKER:
        return "Black joker" if suit else "Red joker"
    return f"{_LONG.get(RANKS[rank], RANKS[rank])} of {_SUIT_WORDS[suit]}"


def count_words(number: int) -> str:
    """`three`; digits beyond ten."""
    return COUNTS[number] if 0 <= number < len(COUNTS) else f"{number:,}"


def cards_words(cards: Cards) -> str:
    """What several cards are, as the button says it: `three 9s`, `two 5s with a wild card`."""
    natural = cards.translate(None, WILD_CARDS)
    wild = len(cards) - len(natural)
    parts = [_some(rank, number) for rank, number in Counter(natural.translate(RANK_OF)).items()]
    wilds = "a wild card" if wild == 1 else f"{count_words(wild)} wild cards"
    if not wild:
        return listed(parts)
    return f"{listed(parts)} with {wilds}" if parts else wilds


def _some(rank: int, number: int) -> str:
    return f"a {rank_sign(rank)}" if number == 1 else f"{count_words(number)} {rank_sign(rank)}s"


def meld_title(name: int) -> str:
    """The plural that heads a meld: Kings, Wild cards, Garbage."""
    return meld_words(name).capitalize()


def rank_title(rank: int) -> str:
    """The plural of a rank, capitalised."""
    return RANK_WORDS[RANKS[rank]][1].capitalize()


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)
