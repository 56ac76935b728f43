"""Moves in words, for lists of choices."""

from collections import Counter
from collections.abc import Callable, Iterable

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext

from engine.play.melds import meld_words
from engine.play.moves import GARBAGE, WILD, Group, Move, write_move
from gameplay.page.words import card_words, cards_words
from web.text import join_words


def move_words(move: Move) -> str:
    """The move as a sentence of a list: `Meld three 9s and two 4s`, `Discard the King of clubs`."""
    return capfirst(_WORDS[move.kind](move))


def choices_of(moves: Iterable[Move]) -> list[tuple[str, str]]:
    """Notation and words of moves for a list to choose from; those with the same words name their cards."""
    choices = [(write_move(move), move_words(move), _cards_of(move)) for move in moves]
    counts = Counter(words for _, words, _ in choices)
    return [
        (notation, gettext("%(move)s: %(cards)s") % {"move": words, "cards": cards} if counts[words] > 1 else words)
        for notation, words, cards in choices
    ]


def _cards_of(move: Move) -> str:
    return "; ".join(", ".join(card_words(card) for card in group.cards) for group in move.groups)


def _group(group: Group) -> str:
    cards = cards_words(group.cards)
    if group.is_new:
        return gettext("%(cards)s as a new meld") % {"cards": cards}
    if group.is_mixed and group.name is not None:
        ranks = {"cards": cards, "ranks": meld_words(group.name)}
        return gettext("%(cards)s on the %(ranks)s with wild cards") % ranks
    if group.name is None:
        return cards
    if group.name == WILD:
        return gettext("%(cards)s on wild cards") % {"cards": cards}
    if group.name == GARBAGE:
        return gettext("%(cards)s on the garbage pile") % {"cards": cards}
    return gettext("%(cards)s on %(ranks)s") % {"cards": cards, "ranks": meld_words(group.name)}


def _groups(move: Move) -> str:
    return join_words([_group(group) for group in move.groups])


def _take(move: Move) -> str:
    if not move.groups:
        return gettext("Take the pile onto your meld")
    return gettext("Take the pile with %(cards)s") % {"cards": _groups(move)}


def _draw_top(move: Move) -> str:
    if not move.groups:
        return gettext("Draw the top card of the discard pile")
    return gettext("Draw the top card of the discard pile with %(cards)s") % {"cards": _groups(move)}


_WORDS: dict[str, Callable[[Move], str]] = {
    "draw": lambda move: gettext("Draw from the stock"),
    "draw_top": _draw_top,
    "take": _take,
    "meld": lambda move: gettext("Meld %(melds)s") % {"melds": _groups(move)},
    "discard": lambda move: gettext("Discard the %(card)s") % {"card": card_words(move.card)},
    "end": lambda move: gettext("End your turn"),
    "undo": lambda move: gettext("Undo last meld"),
    "ask": lambda move: gettext("Ask if you can go out"),
    "answer": lambda move: gettext("Answer yes") if move.number else gettext("Answer no"),
    "wilds": lambda move: gettext("Ask your partner how many wild cards they have"),
    "peek": lambda move: gettext("Look at your foot"),
    "grab": lambda move: ngettext("Lift %(count)s card", "Lift %(count)s cards", move.number) % {"count": move.number},
    "keep": lambda move: gettext("Keep the first stack") if move.number == 1 else gettext("Keep the second stack"),
}
