"""Words for cards and numbers on the page."""

from collections import Counter
from functools import lru_cache

from django.utils.text import capfirst
from django.utils.translation import get_language, gettext, gettext_noop, pgettext, pgettext_lazy

from engine.play.cards import JOKER, RANK_OF, RANKS, WILD_CARDS, Cards, rank_words
from engine.play.moves import GARBAGE, WILD
from engine.play.rules import Rules
from web.text import join_words
from web.text import number as in_digits

_SUIT_WORDS = (gettext_noop("clubs"), gettext_noop("diamonds"), gettext_noop("hearts"), gettext_noop("spades"))
_LONG = {"J": gettext_noop("Jack"), "Q": gettext_noop("Queen"), "K": gettext_noop("King"), "A": gettext_noop("Ace")}
_ONE = {
    "8": gettext_noop("an 8"),
    "J": gettext_noop("a J"),
    "Q": gettext_noop("a Q"),
    "K": gettext_noop("a K"),
    "A": gettext_noop("an A"),
}
_MANY = {
    "J": gettext_noop("%(count)s Js"),
    "Q": gettext_noop("%(count)s Qs"),
    "K": gettext_noop("%(count)s Ks"),
    "A": gettext_noop("%(count)s As"),
}
_COUNTS = (
    pgettext_lazy("how many cards", "no"),
    pgettext_lazy("how many cards", "one"),
    pgettext_lazy("how many cards", "two"),
    pgettext_lazy("how many cards", "three"),
    pgettext_lazy("how many cards", "four"),
    pgettext_lazy("how many cards", "five"),
    pgettext_lazy("how many cards", "six"),
    pgettext_lazy("how many cards", "seven"),
    pgettext_lazy("how many cards", "eight"),
    pgettext_lazy("how many cards", "nine"),
    pgettext_lazy("how many cards", "ten"),
)
_KINDS = {
    "clean": pgettext_lazy("kind of meld", "clean"),
    "dirty": pgettext_lazy("kind of meld", "dirty"),
    "wild": pgettext_lazy("kind of meld", "wild"),
    "sevens": pgettext_lazy("kind of meld", "sevens"),
}
_SHORT_KINDS = {
    "clean": pgettext_lazy("kind of meld, at most five letters", "clean"),
    "dirty": pgettext_lazy("kind of meld, at most five letters", "dirty"),
    "wild": pgettext_lazy("kind of meld, at most five letters", "wild"),
}


class Reader(str):
    """The reader among names of players: `You`, in their language."""

    __slots__ = ()


def is_reader(name: str) -> bool:
    """Whether a name among those of players is the reader's."""
    return isinstance(name, Reader)


def rank_sign(rank: int) -> str:
    """The sign in the corner of a card: 10, J, 4."""
    return "10" if RANKS[rank] == "T" else RANKS[rank]


def card_words(card: int) -> str:
    """`8 of clubs`, `Jack of hearts`, `Red joker`."""
    rank, suit = divmod(card, 4)
    if rank == JOKER:
        return gettext("Black joker") if suit else gettext("Red joker")
    sign = rank_sign(rank)
    return gettext("%(rank)s of %(suit)s") % {
        "rank": gettext(_LONG[sign]) if sign in _LONG else sign,
        "suit": gettext(_SUIT_WORDS[suit]),
    }


def count_words(number: int) -> str:
    """A number of cards: `three`; digits beyond ten."""
    return str(_COUNTS[number]) if 0 <= number < len(_COUNTS) else in_digits(number)


def cards_words(cards: Cards, *, is_claim: bool = False) -> str:
    """Several cards in words, as on the button: `three 9s`, `two 5s with a wild card`.

    For a claim, the pile is taken *with* them: `two 5s and a wild card`.
    """
    natural = cards.translate(None, WILD_CARDS)
    wild = len(cards) - len(natural)
    parts = [_some(rank, number) for rank, number in Counter(natural.translate(RANK_OF)).items()]
    if not wild:
        return join_words(parts)
    if not parts:
        return gettext("a wild card") if wild == 1 else gettext("%(count)s wild cards") % {"count": count_words(wild)}
    values = {"cards": join_words(parts), "count": count_words(wild)}
    if is_claim:
        singular, plural = gettext("%(cards)s and a wild card"), gettext("%(cards)s and %(count)s wild cards")
    else:
        singular, plural = gettext("%(cards)s with a wild card"), gettext("%(cards)s with %(count)s wild cards")
    return (singular if wild == 1 else plural) % values


def _some(rank: int, number: int) -> str:
    sign = rank_sign(rank)
    values = {"count": count_words(number), "rank": sign}
    if number == 1:
        return (gettext(_ONE[sign]) if sign in _ONE else gettext("a %(rank)s")) % values
    return (gettext(_MANY[sign]) if sign in _MANY else gettext("%(count)s %(rank)ss")) % values


def suit_titles() -> list[str]:
    """The suits as headings, in the order of cards: Clubs, Diamonds, Hearts, Spades."""
    return [capfirst(gettext(suit)) for suit in _SUIT_WORDS]


def meld_title(name: int) -> str:
    """The plural that heads a meld: Kings, Wild cards, Garbage."""
    if name == WILD:
        return gettext("Wild cards")
    return pgettext("a meld of any cards", "Garbage") if name == GARBAGE else rank_title(name)


def rank_title(rank: int) -> str:
    """The plural of a rank, capitalised."""
    return capfirst(rank_words(rank))


def book_words(rules: Rules) -> tuple[str, str]:
    """The ruleset's word for one book and for several."""
    return _book_words(*rules.book_words, get_language())


@lru_cache(maxsize=256)
def _book_words(singular: str, plural: str, language: str | None) -> tuple[str, str]:
    words = {
        "book": pgettext("seven cards or more", "book"),
        "books": pgettext("seven cards or more", "books"),
        "pile": pgettext("seven cards or more", "book"),
        "piles": pgettext("seven cards or more", "books"),
        "canasta": pgettext("seven cards or more", "canasta"),
        "canastas": pgettext("seven cards or more", "canastas"),
    }
    return words.get(singular, singular), words.get(plural, plural)


def kind_words(kind: str) -> str:
    """The kind of a meld or a book: `clean`."""
    return str(_KINDS[kind]) if kind in _KINDS else gettext(kind)


def short_kind_words(kind: str) -> str:
    """The kind of a meld in at most five characters."""
    return str(_SHORT_KINDS.get(kind, kind))
