"""Cards as small numbers, and multisets of cards as sorted `bytes`.

A card is `4 * rank + suit`, so that sorting cards sorts them by rank and then by suit. Several cards are a
`bytes` of such numbers: immutable, comparable, cheap to copy, and quick to count and to take from.
`stock` and `pile` keep their order (top first); every other list of cards is kept sorted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from engine.errors import BadInput
from engine.words import later, say

Cards = bytes
"""Several cards, one byte a card."""
ByRank = tuple[Cards, ...]
"""The cards of a hand, one item a rank, from twos to jokers."""
Spans = dict[int, Cards]
"""The cards of a hand by rank, without the ranks that it lacks."""

RANKS = "23456789TJQKAX"
"""Ranks in notation; the index of each is the number of the rank. `X` is the joker."""
SUITS = "cdhs"
TWO, THREE, FOUR, SEVEN, ACE, JOKER = 0, 1, 2, 5, 12, 13

RED_JOKER, BLACK_JOKER = 4 * JOKER, 4 * JOKER + 1
RED_THREES = bytes([4 * THREE + 1, 4 * THREE + 2])
BLACK_THREES = bytes([4 * THREE, 4 * THREE + 3])
TWOS = bytes(range(4))
JOKERS = bytes([RED_JOKER, BLACK_JOKER])
WILD_CARDS = TWOS + JOKERS
KINDS = 54
"""Number of different cards: 52 and two jokers."""
BLANK = KINDS
"""A card that is hidden; views have it in the place of each hidden card."""

NAMES = tuple([rank + suit for rank in RANKS[:13] for suit in SUITS] + ["Xr", "Xb", "??"])
RANK_OF = bytes(card // 4 for card in range(256))
"""Translation table: `cards.translate(RANK_OF)` gives the rank of each card."""

_CARDS_BY_NAME = {name[0].upper() + name[1]: card for card, name in enumerate(NAMES[:KINDS])}

RANK_WORDS = {
    "2": ("two", later("twos")),
    "3": ("three", later("threes")),
    "4": ("four", later("fours")),
    "5": ("five", later("fives")),
    "6": ("six", later("sixes")),
    "7": ("seven", later("sevens")),
    "8": ("eight", later("eights")),
    "9": ("nine", later("nines")),
    "T": ("ten", later("tens")),
    "J": ("jack", later("jacks")),
    "Q": ("queen", later("queens")),
    "K": ("king", later("kings")),
    "A": ("ace", later("aces")),
    "X": ("joker", later("jokers")),
}
"""Singular and plural of each rank, for `rank_word` and `rank_words`."""
_ONE_OF_EACH = later("two three four five six seven eight nine ten jack queen king ace joker")


def rank_word(rank: int) -> str:
    """Word for one card of a rank: king."""
    return say(_ONE_OF_EACH).split()[rank]


def rank_words(rank: int) -> str:
    """Word for several cards of a rank: kings."""
    return say(RANK_WORDS[RANKS[rank]][1])


def parse_card(text: object) -> int:
    """Read the card that `text` names, as in `Tc` or `Xr`; the rank may be in either case."""
    card = _CARDS_BY_NAME.get(text[:1].upper() + text[1:]) if isinstance(text, str) else None
    if card is None:
        quoted = f"{text!r:.40}"
        raise BadInput(
            say("%(text)s is not a card. Enter a rank of 23456789TJQKA and a suit of cdhs, or Xr, Xb.", text=quoted)
        )
    return card


def parse_cards(text: object) -> Cards:
    """The cards that `text` lists, in the order written."""
    if not isinstance(text, str):
        raise BadInput(f"{text!r:.40} is not a list of cards: write them in one string, as in '4c 4d 2h'.")
    words = text.split()
    try:
        return bytes([_CARDS_BY_NAME[word] for word in words])  # as they are written by `write_cards`
    except KeyError:
        return bytes([parse_card(word) for word in words])


def write_cards(cards: Iterable[int]) -> str:
    """The cards as text, in the order given."""
    return " ".join([NAMES[card] for card in cards])


def arrange(cards: Iterable[int]) -> Cards:
    """The cards in notation order: by rank from two to ace and joker, then by suit."""
    return bytes(sorted(cards))


def without(held: Cards, cards: Cards) -> Cards | None:
    """The rest of `held` without `cards`, or `None` if one of them is missing."""
    if cards in held:  # side by side, as cards of one rank often are
        return held.replace(cards, b"", 1)
    rest = held
    for card in cards:
        rest = rest.replace(SINGLES[card], b"", 1)
    return rest if len(rest) == len(held) - len(cards) else None


def count_wild(cards: Cards) -> int:
    """Number of twos and jokers among the cards."""
    return len(cards) - len(cards.translate(None, WILD_CARDS))


def by_rank(hand: Cards) -> ByRank:
    """The cards of each rank in a sorted hand."""
    match = _RANKS_IN_A_ROW.match(hand)
    return match.groups() if match else ()


def spans_of(hand: Cards) -> Spans:
    """The cards of a sorted hand by rank, ranks ascending."""
    return spans_in(by_rank(hand))


def spans_in(ranks: ByRank) -> Spans:
    """The ranks that have cards."""
    return {rank: cards for rank, cards in enumerate(ranks) if cards}


def pack(decks: int, jokers_per_deck: int) -> Cards:
    """All cards of a game before the shuffle: deck after deck, twos to aces, then the jokers, Xr and Xb in turn."""
    return bytes(range(52)) * decks + bytes([JOKERS[i % 2] for i in range(jokers_per_deck * decks)])


SINGLES = tuple(bytes([card]) for card in range(KINDS + 1))
_RANKS_IN_A_ROW = re.compile(
    b"".join([b"([%b-%b]*)" % (re.escape(bytes([4 * r])), re.escape(bytes([4 * r + 3]))) for r in range(14)])
)
"""Cards of each rank in a row: a regular expression finds them faster than a loop counts them."""
