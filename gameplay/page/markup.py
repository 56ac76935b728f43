"""Markup of cards, made once: a page shows more than a hundred, and a template part for each would cost more than the move.

Only constants and escaped text end up here, so it is safe to show as it is.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import overload

from django.utils.html import conditional_escape, escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, pgettext

from engine.play.cards import JOKER, JOKERS, KINDS, NAMES, RANKS, TWO, WILD_CARDS, Cards, parse_card
from engine.play.melds import BOOK, Meld
from engine.play.moves import GARBAGE, WILD
from gameplay.page.words import card_words, rank_sign, short_kind_words

_SUITS = "cdhs"


def icon(name: str, css: str) -> str:
    """A drawing of the sprite, which is always within something that is not read out, or is read by its words."""
    return f'<svg class="{css}"><use href="#i-{name}"/></svg>'


def suit_class(card: int) -> str:
    """The suit in notation, which colours the card; `w` for a joker."""
    return "w" if card in JOKERS else _SUITS[card % 4]


def _mini(card: int) -> str:
    if card in JOKERS:
        return f'<i class="mini w">{icon("w", "pip")}</i>'
    ten = " ten" if RANKS[card // 4] == "T" else ""
    suit = _SUITS[card % 4]
    return f'<i class="mini {suit}{ten}">{rank_sign(card // 4)}{icon(suit, "pip")}</i>'


def _face(card: int) -> str:
    rank, suit = card // 4, card % 4
    if rank == JOKER:
        colour = " s" if suit else " h"
        return icon("w", "ix ix-w") + icon("X", f"big{colour}")
    letter = RANKS[rank]
    court = icon("w", "court wildmark") if rank == TWO else icon(letter, "court") if letter in "JQK" else ""
    ten = " ten" if letter == "T" else ""
    return f'<b class="ix{ten}">{rank_sign(rank)}</b>{court}{icon(_SUITS[suit], "big")}'


def _chip(card: int) -> str:
    face = icon("w", "pip") if card in JOKERS else rank_sign(card // 4) + icon(_SUITS[card % 4], "pip")
    return (
        f'<span class="ic {suit_class(card)}"><span class="vh">{card_words(card)}</span>'
        f'<span aria-hidden="true">{face}</span></span>'
    )


_CARDS = range(KINDS)
MINI = [_mini(card) for card in _CARDS]
FACE = [_face(card) for card in _CARDS]


class _InWords(Sequence[SafeString]):
    """Something for each card that has words in it, made once for each language."""

    def __init__(self, make: Callable[[int], str]) -> None:
        self._make = make
        self._made: dict[str, list[SafeString]] = {}

    @property
    def _items(self) -> list[SafeString]:
        language = get_language() or "en"
        if language not in self._made:
            self._made[language] = [mark_safe(self._make(card)) for card in _CARDS]  # noqa: S308  constants
        return self._made[language]

    @overload
    def __getitem__(self, card: int) -> SafeString: ...

    @overload
    def __getitem__(self, card: slice) -> list[SafeString]: ...

    def __getitem__(self, card: int | slice) -> SafeString | list[SafeString]:
        return self._items[card]

    def __len__(self) -> int:
        return KINDS


def _spoken(card: int) -> str:
    words = card_words(card)
    return gettext("%(card)s, wild") % {"card": words} if card in WILD_CARDS else words


CHIP = _InWords(_chip)
SPOKEN = _InWords(_spoken)


def fan(cards: Cards) -> SafeString:
    """Small cards side by side, naturals first."""
    ordered = sorted(cards, key=lambda card: (card in WILD_CARDS, card))
    return mark_safe("".join([MINI[card] for card in ordered]))  # noqa: S308  constants


def face(card: int) -> SafeString:
    """The inside of a large card."""
    return mark_safe(FACE[card])  # noqa: S308  constants


def chips(cards: Cards) -> SafeString:
    """Cards named within a sentence."""
    return mark_safe(" ".join([CHIP[card] for card in cards]))  # noqa: S308  constants


_CARD_NAME = re.compile(r"\b(?:[2-9TJQKA][cdhs]|X[rb])\b")


def sentence(text: str) -> SafeString:
    """A sentence of the engine, with a chip for each card that it names."""
    return _sentence(text, get_language())


@lru_cache(maxsize=1024)
def _sentence(text: str, language: str | None) -> SafeString:
    return mark_safe(_CARD_NAME.sub(lambda match: CHIP[parse_card(match[0])], escape(text)))  # noqa: S308  escaped


@lru_cache(maxsize=4096)
def pips(natural: int, wild: int) -> SafeString:
    """A box for each card, natural ones first, and for each that is missing to a book; a large meld shows its share of wild cards."""
    if natural + wild > _MOST_PIPS:
        wild = -(-wild * _MOST_PIPS // (natural + wild))
        natural = _MOST_PIPS - wild
    missing = max(0, BOOK - natural - wild)
    boxes = '<i class="p"></i>' * natural + '<i class="p wd"></i>' * wild + '<i class="p no"></i>' * missing
    return mark_safe(boxes)  # noqa: S308  constants


_MOST_PIPS = 14
"""Boxes that have room on the smallest screen."""


def meld_tile(
    meld: Meld,
    element_id: str,
    kind: str,
    wilds: str,
    words: str,
    *,
    book: str,
    added: int,
    room: int | None,
    name: str,
) -> SafeString:
    """A meld on the board: a picture with its words, or a button that adds cards, of which `room` may be wild.

    `book` is its word, `name` its name in moves; `added` cards are marked as new.
    """
    css = f"meld {kind}{' book' if meld.is_book else ''}{' changed' if added else ''}"
    inside = _meld_inside(meld, kind, wilds, book)
    if added:
        inside += plus(pgettext("mark on a meld or card", "new") if added >= len(meld.cards) else f"+{added}")
    if room is not None:
        start = f'<button type="button" class="{css}" id="{element_id}" data-meld="{name}" data-room="{room}">'
        words = gettext("%(meld)s. Add selected cards here") % {"meld": words}
        heard = f'<span class="vh">{words}</span>'
        return mark_safe(f'{start}{heard}<span class="vis" aria-hidden="true">{inside}</span></button>')  # noqa: S308
    return mark_safe(f'<div class="{css}" role="img" aria-label="{words}">{inside}</div>')  # noqa: S308  constants


def _meld_inside(meld: Meld, kind: str, wilds: str, book: str) -> str:
    count = len(meld.cards)
    if meld.name == GARBAGE:
        title = pgettext("a meld of any cards", "Garbage")
        return (
            f'<b class="rk word">{title}</b><span class="ct">{count}</span><span class="fan">{fan(meld.cards)}</span>'
        )
    sign = icon("w", "rk rk-w") if meld.name == WILD else f'<b class="rk">{rank_sign(meld.name)}</b>'
    size = _book_size(count, capfirst(book)) if meld.is_book else f"{count}<small>/{BOOK}</small>"
    star = icon("w", "st") if wilds and not meld.is_book else ""
    return (
        f'{sign}<span class="ct">{size}</span><span class="fan">{fan(meld.cards)}</span>'
        f'<span class="pips">{pips(count - meld.wild, meld.wild)}</span>'
        f'<span class="kd">{short_kind_words(kind)}</span><span class="wl">{star}{wilds}</span>'
    )


def plus(text: str) -> str:
    """The mark of what is new, on a meld, a chair or the pile."""
    return f'<span class="plus" aria-hidden="true">{text}</span>'


def _book_size(count: int, book: str) -> str:
    """The mark of a complete meld; a longer word has no room on a phone."""
    return book if len(book) <= 5 else f'<span class="wide">{book}</span><span class="slim">{count}</span>'


def hand_card(card: int, held: int, points: int, *, is_new: bool) -> SafeString:
    """A card of the own hand: one button for all of its kind."""
    return _hand_card(card, held, points, is_new, get_language())


@lru_cache(maxsize=8192)
def _hand_card(card: int, held: int, points: int, is_new: bool, language: str | None) -> SafeString:
    """Made once for each language."""
    code, many = NAMES[card], held > 1
    css = f"card {suit_class(card)}{' many' if many else ''}{' new' if is_new else ''}"
    words: str = SPOKEN[card]
    new = gettext("%(card)s, new") % {"card": words} if is_new else words
    label = gettext("%(card)s, %(count)s in hand, none selected") % {"card": new, "count": held} if many else new
    settled = f' data-settled="{words}"' if is_new else ""
    badge = f'<span class="n">×{held}</span>' if many else ""
    return mark_safe(  # noqa: S308  constants
        f'<button type="button" class="{css}" id="card-{code}" data-card="{code}" data-held="{held}" '
        f'data-points="{points}" data-words="{new}"{settled} aria-pressed="false">'
        f'<span class="vh">{label}</span><span class="vis" aria-hidden="true">{FACE[card]}{badge}</span></button>'
    )


def name_of(card: int) -> str:
    """The card in notation."""
    return NAMES[card]


def joined(sentences: Iterable[str]) -> SafeString:
    """Sentences side by side; each is escaped unless it is markup already."""
    return mark_safe(" ".join([conditional_escape(line) for line in sentences]))  # noqa: S308  escaped


def together(parts: Sequence[SafeString]) -> SafeString:
    """Pieces of markup side by side."""
    return mark_safe("".join(parts))  # noqa: S308  safe already
