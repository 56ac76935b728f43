"""Melds: how groups of cards are laid on the table."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import (
    JOKER,
    NAMES,
    RANK_OF,
    RED_THREES,
    SEVEN,
    THREE,
    TWO,
    WILD_CARDS,
    Cards,
    arrange,
    count_wild,
    rank_words,
    write_cards,
)
from engine.play.moves import GARBAGE, WILD, Group
from engine.play.refusals import Code, Refusal
from engine.play.rules import Rules
from engine.words import later, say, say_several

BOOK = 7
"""Cards that make a book."""


class Meld(NamedTuple):
    """Cards of a team on the table. `name` is a rank, `WILD` or `GARBAGE`; `wild` counts the wild cards."""

    name: int
    cards: Cards
    wild: int

    @property
    def is_book(self) -> bool:
        """Whether it is complete."""
        return len(self.cards) >= BOOK and self.name != GARBAGE


def make_meld(name: int, cards: Cards) -> Meld:
    """The meld of these cards, in order."""
    return Meld(name, arrange(cards), count_wild(cards))


def book_kind(rules: Rules, meld: Meld) -> str:
    """Kind of a book: clean, dirty, wild or sevens (ruling 12)."""
    if meld.name == WILD:
        return "wild"
    if meld.wild:
        return "dirty"
    return "sevens" if meld.name == SEVEN and rules.sevens_apart else "clean"


def count_books(rules: Rules, melds: tuple[Meld, ...]) -> dict[str, int]:
    """Number of complete books of each kind among the melds."""
    counts = {"clean": 0, "dirty": 0, "wild": 0, "sevens": 0}
    for meld in melds:
        if meld.is_book:
            counts[book_kind(rules, meld)] += 1
    return counts


def has_sevens(rules: Rules, melds: tuple[Meld, ...] | list[Meld]) -> bool:
    """Whether a clean book of sevens is among the melds, where that is a kind of its own."""
    return rules.sevens_apart and any(m.name == SEVEN and not m.wild and len(m.cards) >= BOOK for m in melds)


def meld_words(name: int) -> str:
    """Words for the cards of a meld: kings, wild cards, garbage."""
    return say(_NOT_RANKS[name]) if name in _NOT_RANKS else rank_words(name)


def number_words(count: int, singular: str, plural: str) -> str:
    """`one card`, `three cards`: a count with its noun, which is said in the reader's language where it is marked."""
    return f"{number_word(count)} {say_several(singular, plural, count)}"


_NOT_RANKS = {WILD: later("wild cards"), GARBAGE: later("garbage")}
_NUMBERS = later("no one two three four five six seven eight nine ten")


def number_word(count: int) -> str:
    """A small count in words, as before a noun; in digits if it is larger."""
    return say(_NUMBERS).split()[count] if 0 <= count <= 10 else str(count)


def cards_words(count: int) -> str:
    """So many cards."""
    return number_words(count, "card", "cards")


def wild_cards_words(count: int) -> str:
    """So many wild cards."""
    if count == 0:
        return say("no wild cards")
    return number_words(count, "wild card", "wild cards")


def name_group(group: Group, top: int | None = None) -> int | Refusal:
    """The name of the meld that a group belongs to; `top` is the pile's top card where it claims that."""
    cards = group.cards if top is None else group.cards + bytes([top])
    natural = cards.translate(None, WILD_CARDS)
    for red_three in RED_THREES:
        if red_three in natural:
            return Refusal(
                Code.RED_THREE, say("You cannot meld a red three. It is laid automatically."), bytes([red_three])
            )
    if group.name == GARBAGE:
        return GARBAGE
    if not natural:
        if group.name is not None or top is not None:
            return WILD if group.name is None else group.name
        return Refusal(Code.NEEDS_NAME, say("Choose a meld for these wild cards."), group.cards)
    rank = natural[0] // 4
    if len(natural.translate(RANK_OF).strip(bytes([rank]))):
        return Refusal(Code.MIXED_RANKS, say("The natural cards of a meld are all of one rank."), group.cards)
    if group.name == WILD:
        sentence = say("A meld of wild cards cannot have %(card)s.", card=write_cards(natural[:1]))
        return Refusal(Code.WILD_MELD, sentence, natural)
    if group.name is not None and group.name != rank:
        sentence = say("These are %(these)s, not %(those)s.", these=meld_words(rank), those=meld_words(group.name))
        return Refusal(Code.NAME_DISAGREES, sentence, natural)
    return rank


def place(rules: Rules, melds: list[Meld], name: int, cards: Cards, *, claiming: bool = False) -> int | Refusal:
    """Put the cards of one group on the table, changing `melds`; the number of books that completes, or the refusal.

    `cards` come in the order in which they fill a meld. Only a claim may fill a book and continue with the rest as a
    new meld (rulings 3 and 9). If it refuses, `melds` may be half changed: the caller throws it away.
    """
    if name == GARBAGE:
        return _place_garbage(rules, melds, cards)
    if name == WILD and not rules.wild_melds:
        return Refusal(Code.WILD_MELD, say("Melds of wild cards only are not played in this ruleset."), cards)
    if name == THREE and rules.black_three_meld == "never":
        return Refusal(Code.BLACK_THREES, say("Black threes are never melded in this ruleset."), cards)
    index, finished = _find(rules, melds, name)
    if index < 0:
        if finished and not rules.second_meld:
            sentence = say(
                "Your team has a complete book of %(cards)s. A second meld of them is not allowed.",
                cards=meld_words(name),
            )
            return Refusal(Code.SECOND_MELD, sentence, cards)
        if len(cards) < 3:
            return Refusal(Code.TOO_FEW_CARDS, say("A new meld needs at least three cards."), cards)
        old = Meld(name, b"", 0)
    else:
        old = melds[index]
    room = BOOK - len(old.cards)
    rest = b""
    if len(cards) > room and not rules.books_grow:
        if not claiming:
            return _no_room(name, len(old.cards), cards)
        cards, rest = cards[:room], cards[room:]
    new = Meld(name, arrange(old.cards + cards), old.wild + count_wild(cards))
    if name != WILD and (fault := _too_wild(rules, new, cards)):
        return fault
    if index < 0:
        melds.append(new)
    else:
        melds[index] = new
    books = 1 if len(old.cards) < BOOK <= len(new.cards) else 0
    if rest:
        more = place(rules, melds, name, rest, claiming=True)
        return more if isinstance(more, Refusal) else books + more
    return books


def _find(rules: Rules, melds: list[Meld], name: int) -> tuple[int, bool]:
    """Index of the meld that cards of this name join, or -1; and whether a complete book of it lies there."""
    finished = False
    for index, meld in enumerate(melds):
        if meld.name == name:
            if len(meld.cards) < BOOK or rules.books_grow:
                return index, finished
            finished = True
    return -1, finished


def _no_room(name: int, held: int, cards: Cards) -> Refusal:
    if held:
        sentence = say(
            "Your team’s meld of %(cards)s has %(held)s cards and room for %(room)s more. These are %(count)s.",
            cards=meld_words(name),
            held=held,
            room=number_word(BOOK - held),
            count=len(cards),
        )
    else:
        sentence = say(
            "A meld has at most seven cards, and these are %(count)s. Meld the others separately.", count=len(cards)
        )
    return Refusal(Code.BOOK_FULL, sentence, cards)


def _too_wild(rules: Rules, meld: Meld, cards: Cards) -> Refusal | None:
    if not meld.wild:
        return None
    if meld.name in rules.pure:
        sentence = say("A meld of %(cards)s cannot have a wild card.", cards=meld_words(meld.name))
        return Refusal(Code.PURE_RANK, sentence, wild_of(cards))
    size = len(meld.cards)
    most = rules.most_wild[min(size, BOOK)]
    if meld.wild <= most:
        return None
    sentence = say(
        "A meld of %(cards)s can have %(most)s. This one has %(count)s.",
        cards=cards_words(size),
        most=wild_cards_words(most),
        count=number_word(meld.wild),
    )
    return Refusal(Code.TOO_MANY_WILD, sentence, wild_of(cards))


def wild_of(cards: Cards) -> Cards:
    """The wild cards among these."""
    return bytes([card for card in cards if card // 4 in (TWO, JOKER)])


def _place_garbage(rules: Rules, melds: list[Meld], cards: Cards) -> int | Refusal:
    """Ruling 8: natural cards of ranks with a complete book, after a book of sevens."""
    if not rules.garbage:
        return Refusal(Code.GARBAGE, say("There is no garbage pile in this ruleset."), cards)
    if not has_sevens(rules, melds):
        return Refusal(Code.GARBAGE, say("The garbage pile starts once your team has a book of sevens."), cards)
    finished = {meld.name for meld in melds if meld.is_book and meld.name not in (SEVEN, WILD)}
    for card in cards:
        if card // 4 not in finished:
            if card // 4 == SEVEN:
                sentence = say("You cannot put sevens on the garbage pile.")
            elif card // 4 in (TWO, JOKER):
                sentence = say("You cannot put wild cards on the garbage pile.")
            else:
                sentence = say(
                    "You cannot put %(card)s on the garbage pile, because your team has no complete book of its rank.",
                    card=NAMES[card],
                )
            return Refusal(Code.GARBAGE, sentence, bytes([card]))
    for index, meld in enumerate(melds):
        if meld.name == GARBAGE:
            melds[index] = Meld(GARBAGE, arrange(meld.cards + cards), 0)
            return 0
    melds.append(Meld(GARBAGE, arrange(cards), 0))
    return 0
