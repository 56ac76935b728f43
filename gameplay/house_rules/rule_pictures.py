"""Pictures of cards for the sentences of a rule sheet, worked out from the rules: a meld with all its wild cards, each book."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from engine.play.cards import ACE, JOKERS, RANKS, RED_JOKER, THREE, TWO
from engine.play.melds import BOOK
from engine.play.rule_sheet.sheet import Section, Sentence
from engine.play.rules import Rules
from gameplay.page import markup
from gameplay.page.words import short_kind_words
from web.text import number

_SUITS = 4
_NINE, _KING, _FOUR = RANKS.index("9"), RANKS.index("K"), RANKS.index("4")
_TWOS = [TWO * _SUITS + suit for suit in (3, 2, 1, 0)]


class Fan(NamedTuple):
    """Cards side by side, and the words under them; `backs` lie face down."""

    cards: list[int] = []
    words: str = ""
    backs: int = 0

    @property
    def html(self) -> str:
        """The cards and words as markup."""
        cards = '<i class="mini back"></i>' * self.backs + "".join([markup.MINI[card] for card in self.cards])
        words = f"<small>{escape(self.words)}</small>" if self.words else ""
        return f'<span class="fan"><span>{cards}</span>{words}</span>'


class PicturedSentence(NamedTuple):
    """A sentence of a rule sheet and its picture, empty if cards say nothing of it."""

    options: tuple[str, ...]
    text: str
    picture: SafeString


class PicturedSection(NamedTuple):
    """Some sentences under a heading."""

    title: str
    sentences: list[PicturedSentence]


def add_pictures(sections: Iterable[Section], rules: Rules) -> list[PicturedSection]:
    """The sections with their pictures. Readers hear the sentence alone, which says the same."""
    places: Counter[str] = Counter()

    def pictured(sentence: Sentence) -> PicturedSentence:
        first = sentence.options[0] if sentence.options else ""
        draw = _PICTURES.get((first, places[first]))
        places[first] += 1
        return PicturedSentence(sentence.options, sentence.text, _html(draw(rules) if draw else []))

    return [PicturedSection(title, [pictured(sentence) for sentence in sentences]) for title, sentences in sections]


def _html(fans: list[Fan]) -> SafeString:
    if not fans:
        return SafeString()
    inside = "".join([fan.html for fan in fans])
    return mark_safe(f'<span class="rulepic" aria-hidden="true">{inside}</span>')  # noqa: S308  constants, escaped words


def _of_rank(rank: int, count: int) -> list[int]:
    """Cards of a rank, the suits in turn: spades, hearts, diamonds, clubs."""
    return [rank * _SUITS + (3 - place % _SUITS) for place in range(count)]


def _wild(count: int) -> list[int]:
    return [*_TWOS, RED_JOKER, *_TWOS][:count]


def _meld(rules: Rules, rank: int, size: int) -> list[int]:
    """A meld of this size with as many wild cards as it may hold."""
    most = rules.most_wild[size]
    return [*_of_rank(rank, size - most), *_wild(most)]


def _books(rules: Rules, words: dict[str, str]) -> list[Fan]:
    """A book of each kind that has words."""
    cards = {"clean": _of_rank(_KING, BOOK), "dirty": _meld(rules, _NINE, BOOK)}
    if rules.wild_melds:
        cards["wild"] = _wild(BOOK)
    return [Fan(cards[kind], words[kind]) for kind in cards if kind in words]


def _kinds(rules: Rules) -> list[Fan]:
    return _books(rules, {kind: short_kind_words(kind) for kind in ("clean", "dirty", "wild")})


def _contract(rules: Rules) -> list[Fan]:
    return _books(rules, {kind: f"{count} × {short_kind_words(kind)}" for kind, count in rules.needed.items() if count})


def _bonuses(rules: Rules) -> list[Fan]:
    return _books(rules, {kind: f"+{number(points)}" for kind, points in rules.bonus_of.items()})


def _stacks(rules: Rules) -> list[Fan]:
    return [Fan(backs=3, words=str(size)) for size in rules.stacks]


def _values(rules: Rules) -> list[Fan]:
    ranks = ["X", "2", "A", *"KQJT987654"]
    return [
        Fan([RED_JOKER if rank == "X" else RANKS.index(rank) * _SUITS + 3], number(rules.values[RANKS.index(rank)]))
        for rank in ranks
        if rank != "X" or rules.jokers_per_deck
    ]


def _claim(rules: Rules) -> list[Fan]:
    """The top card of the pile, and cards of the hand that take it."""
    if rules.pile_take == "none":
        return []
    count = 1 if rules.pile_claim == "one_match" else 2
    return [Fan([_NINE * _SUITS + 2]), Fan(_of_rank(_NINE, 1) + [_NINE * _SUITS] * (count - 1))]


def _wild_cards(rules: Rules) -> list[Fan]:
    return [Fan(_TWOS), *([Fan([*JOKERS])] if rules.jokers_per_deck else [])]


def _wild_meld(rules: Rules) -> list[Fan]:
    return [Fan(_wild(3))] if rules.wild_melds else []


def _always(*fans: Fan) -> Callable[[Rules], list[Fan]]:
    return lambda rules: list(fans)


_RED = [THREE * _SUITS + suit for suit in (2, 1)]
_BLACK = [THREE * _SUITS + suit for suit in (3, 0)]

_PICTURES: dict[tuple[str, int], Callable[[Rules], list[Fan]]] = {
    ("stacks", 1): _stacks,
    ("upcard", 0): lambda rules: [Fan(backs=1), *([Fan(_of_rank(_FOUR, 2)[1:])] if rules.upcard else [])],
    ("jokers_per_deck", 0): _wild_cards,
    ("values", 0): _values,
    ("red_threes", 0): _always(Fan(_RED)),
    ("black_three_meld", 0): _always(Fan(_BLACK)),
    ("black_three_meld", 1): _always(Fan(_of_rank(_FOUR, 3)), Fan(_of_rank(ACE, 4))),
    ("draw_count", 0): lambda rules: [Fan(backs=rules.draw_count)],
    ("pile_claim", 0): _claim,
    ("wild_limits", 0): lambda rules: [Fan(_meld(rules, _KING, 3)), Fan(_meld(rules, _KING, BOOK))],
    ("wild_melds", 0): _wild_meld,
    ("wild_melds", 1): _kinds,
    ("garbage", 0): lambda rules: (
        [Fan([_FOUR * _SUITS, _NINE * _SUITS + 1, _KING * _SUITS + 2])] if rules.garbage else []
    ),
    ("contract", 0): _contract,
    ("book_bonus", 0): _bonuses,
    ("red_three", 0): lambda rules: [Fan(_RED[:1], number(rules.red_three.laid))],
}
"""How the sentence is drawn that first leans on an option, at its first or second place in a sheet."""
