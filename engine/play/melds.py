"""Melds: how groups of cards are laid on the table."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import (
    JOKER,
    NAMES,
    RANK_OF,
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
    keeps: bool = False
    """Whether it is a clean book that stays clean with the wild cards added to it (ruling 32)."""

    @property
    def is_book(self) -> bool:
        """Whether it is complete."""
        return len(self.cards) >= BOOK and self.name != GARBAGE


def make_meld(name: int, cards: Cards) -> Meld:
    """The meld of these cards, in order."""
    return Meld(name, arrange(cards), count_wild(cards))


def book_kind(rules: Rules, meld: Meld) -> str:
    """Kind of a book: clean, dirty, wild, or that of a rank whose books count apart, such as sevens (rulings 12, 39)."""
    if meld.name == WILD:
        return "wild"
    is_clean = not meld.wild or meld.keeps
    special = rules.special.get(meld.name)
    if special and (is_clean or special.mixed):
        return rules.special_kinds[meld.name]
    return "clean" if is_clean else "dirty"


def count_books(rules: Rules, melds: tuple[Meld, ...] | list[Meld]) -> dict[str, int]:
    """Number of complete books of each kind among the melds."""
    counts = dict.fromkeys(rules.bonus_of, 0)
    for meld in melds:
        if meld.is_book:
            counts[book_kind(rules, meld)] += 1
    return counts


def bonus_of(rules: Rules, kind: str, books: dict[str, int]) -> int:
    """Points for one book of the kind beside these; a wild one may need a clean one with it."""
    if kind == "wild" and rules.wild_needs_clean and not books["clean"]:
        return 0
    return rules.bonus_of[kind]


def has_sevens(rules: Rules, melds: tuple[Meld, ...] | list[Meld]) -> bool:
    """Whether a book of sevens is among the melds, where that is a kind of its own."""
    if rules.sevens_apart:
        for meld in melds:
            if meld.name == SEVEN and meld.is_book and book_kind(rules, meld) == rules.special_kinds[SEVEN]:
                return True
    return False


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


def name_group(rules: Rules, group: Group, top: int | None = None) -> int | Refusal:
    """The name of the meld that a group belongs to; `top` is the pile's top card where it claims that."""
    cards = group.cards if top is None else group.cards + bytes([top])
    natural = cards.translate(None, WILD_CARDS)
    if natural:  # what is right with most groups, before what may be wrong with others
        rank = natural[0] // 4
        if group.name in (None, rank) and rank != THREE and natural.translate(RANK_OF).count(rank) == len(natural):
            return rank
    for red_three in rules.never_melded:
        if red_three in natural:
            sentence = say("You cannot meld a red three. It is laid automatically.")
            if not rules.laid_threes:
                sentence = say("Red threes are never melded in this ruleset.")
            return Refusal(Code.RED_THREE, sentence, bytes([red_three]))
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


def place(
    rules: Rules,
    melds: list[Meld],
    name: int,
    cards: Cards,
    *,
    claiming: bool = False,
    is_new: bool = False,
    is_mixed: bool = False,
) -> int | Refusal:
    """Put the cards of one group on the table, changing `melds`; the number of books that completes, or the refusal.

    `cards` come in the order in which they fill a meld. Only a claim may fill a book and continue with the rest as a
    new meld (rulings 3, 9 and 33). `is_new` starts a meld, `is_mixed` joins the one with wild cards (ruling 38). If it
    refuses, `melds` may be half changed: the caller throws it away.
    """
    if name == GARBAGE:
        if is_new or is_mixed:
            return Refusal(Code.GARBAGE, say("The garbage pile is not a meld."), cards)
        return _place_garbage(rules, melds, cards)
    if is_new and is_mixed:
        return Refusal(Code.NAME_DISAGREES, say("Cards either start a meld or join the one with a star."), cards)
    if name == WILD and not rules.wild_melds:
        return Refusal(Code.WILD_MELD, say("Melds of wild cards only are not played in this ruleset."), cards)
    if name == THREE and rules.black_three_meld == "never":
        return Refusal(Code.BLACK_THREES, say("Threes of clubs and spades are never melded in this ruleset."), cards)
    index = -1 if is_new else _find(rules, melds, name, cards, claiming=claiming, is_mixed=is_mixed)
    if isinstance(index, Refusal):
        return index
    if index < 0 and (fault := _why_not_started(rules, melds, name, cards)):
        return fault if is_new else _why_not_added(rules, melds, name, cards, claiming=claiming) or fault
    old = melds[index] if index >= 0 else Meld(name, b"", 0)
    grown = _grow(rules, old, cards, claiming=claiming)
    rest = b""
    if type(grown) is Refusal and claiming and grown.code is Code.BOOK_FULL and len(old.cards) < BOOK:
        room = BOOK - len(old.cards)
        rest = cards[room:]
        grown = _grow(rules, old, cards[:room], claiming=claiming)
    if isinstance(grown, Refusal):
        joined = None if index >= 0 or is_new else _why_not_added(rules, melds, name, cards, claiming=claiming)
        return joined or grown
    if index < 0:
        melds.append(grown)
    else:
        melds[index] = grown
    books = 1 if len(old.cards) < BOOK <= len(grown.cards) else 0
    if rest:
        more = place(rules, melds, name, rest, claiming=True, is_new=True)
        return more if isinstance(more, Refusal) else books + more
    return books


def _find(rules: Rules, melds: list[Meld], name: int, cards: Cards, *, claiming: bool, is_mixed: bool) -> int | Refusal:
    """Index of the meld that a group of this name joins, or -1 if it has to start one (ruling 38)."""
    way = rules.melds_per_rank
    if is_mixed:
        return _find_mixed(rules, melds, name, cards, claiming=claiming)
    if way in ("after_book", "one"):
        for index, meld in enumerate(melds):
            if meld.name == name and (len(meld.cards) < BOOK or (way == "one" and rules.grows)):
                return index
        if not rules.grows:
            return -1
    alike = [index for index, meld in enumerate(melds) if meld.name == name]
    incomplete = [index for index in alike if len(melds[index].cards) < BOOK]
    if incomplete and way == "clean_and_dirty" and name != WILD:
        wild = count_wild(cards) > 0
        return next((index for index in incomplete if (melds[index].wild > 0) == wild), incomplete[0])
    if incomplete and way == "clean_and_dirty":
        return incomplete[0]
    books = [index for index in alike if len(melds[index].cards) >= BOOK] if rules.grows else []
    return next(
        (
            index
            for index in incomplete + books
            if not isinstance(_grow(rules, melds[index], cards, claiming=claiming), Refusal)
        ),
        -1,
    )


def _find_mixed(rules: Rules, melds: list[Meld], name: int, cards: Cards, *, claiming: bool) -> int | Refusal:
    """Index of the incomplete meld of the rank that has wild cards."""
    if rules.melds_per_rank not in ("clean_and_dirty", "free") or name == WILD:
        return Refusal(Code.NOT_IN_RULES, say("A star names a meld only if a rank may have several melds."), cards)
    mixed = [index for index, m in enumerate(melds) if m.name == name and m.wild and len(m.cards) < BOOK]
    if not mixed:
        sentence = say("Your team has no incomplete meld of %(cards)s with wild cards.", cards=meld_words(name))
        return Refusal(Code.NO_SUCH_MELD, sentence, cards)
    fits = (i for i in mixed if not isinstance(_grow(rules, melds[i], cards, claiming=claiming), Refusal))
    return next(fits, mixed[0])


def _why_not_started(rules: Rules, melds: list[Meld], name: int, cards: Cards) -> Refusal | None:
    """Reason why these cards may not start a meld beside the others, before it is asked whether they make one."""
    way = rules.melds_per_rank
    if way != "free":
        alike = [meld for meld in melds if meld.name == name]
        if way != "one":
            alike = [meld for meld in alike if len(meld.cards) < BOOK]
        if way == "clean_and_dirty" and name != WILD:
            wild = count_wild(cards) > 0
            alike = [meld for meld in alike if (meld.wild > 0) == wild]
        if alike:
            return Refusal(Code.SECOND_MELD, _second_sentence(name, alike[0]), cards)
    if len(cards) < 3:
        return Refusal(Code.TOO_FEW_CARDS, say("A new meld needs at least three cards."), cards)
    return None


def _second_sentence(name: int, meld: Meld) -> str:
    if meld.is_book:
        return say(
            "Your team has a complete book of %(cards)s. A second meld of them is not allowed.", cards=meld_words(name)
        )
    return say(
        "Your team has an incomplete meld of %(cards)s. Another one is not allowed at the same time.",
        cards=meld_words(name),
    )


def _why_not_added(rules: Rules, melds: list[Meld], name: int, cards: Cards, *, claiming: bool) -> Refusal | None:
    """Reason why the cards cannot join the oldest meld of the rank that could grow, if there is one."""
    for meld in melds:
        if meld.name == name and (rules.grows or not meld.is_book):
            grown = _grow(rules, meld, cards, claiming=claiming)
            return grown if isinstance(grown, Refusal) else None
    return None


def _grow(rules: Rules, old: Meld, cards: Cards, *, claiming: bool = False) -> Meld | Refusal:
    """The meld with all the cards added, or the refusal (rulings 32 to 34)."""
    name, before, wild, keeps = old
    if len(before) + len(cards) > BOOK:
        passed = _pass_seven(rules, old, cards, claiming=claiming)
        if isinstance(passed, Refusal):
            return passed
        wild, keeps = passed
    else:
        wild += count_wild(cards)
    new = Meld(name, arrange(before + cards), wild, keeps)
    if wild and name != WILD and (fault := _too_wild(rules, new, cards)):
        return fault
    return new


def _pass_seven(rules: Rules, old: Meld, cards: Cards, *, claiming: bool) -> tuple[int, bool] | Refusal:
    """Number of wild cards, and whether the book stays clean, after cards beyond the seventh; or the refusal."""
    name, before, wild, keeps = old
    room = max(0, BOOK - len(before))
    if not rules.grows:
        return _no_room(name, len(before), cards)
    ordered = cards if claiming or name == WILD else cards.translate(None, WILD_CARDS) + wild_of(cards)
    first, rest = ordered[:room], ordered[room:]
    if first:
        wild += count_wild(first)
        if wild and name != WILD and (fault := _too_wild(rules, Meld(name, before + first, wild), first)):
            return fault
    growth = rules.books_grow
    for card in rest:
        takes = growth.wild if name == WILD else growth.clean if keeps or not wild else growth.dirty
        is_wild = card in WILD_CARDS
        if takes == "no" or (is_wild and takes == "natural"):
            return _no_growth(name, cards, takes)
        if is_wild:
            wild += 1
            keeps = takes == "keeps"
    return wild, keeps


def _no_growth(name: int, cards: Cards, takes: str) -> Refusal:
    sentence = say("Your team’s book of %(cards)s is closed. Nothing is added to it.", cards=meld_words(name))
    if takes == "natural":
        sentence = say("Your team’s book of %(cards)s takes natural cards only.", cards=meld_words(name))
    return Refusal(Code.BOOK_FULL, sentence, cards)


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
    if size > BOOK and rules.wild_beyond != "limit":
        return _why_too_wild_beyond(rules, meld, cards)
    if meld.wild <= most:
        return None
    sentence = say(
        "A meld of %(cards)s can have %(most)s. This one has %(count)s.",
        cards=cards_words(size),
        most=wild_cards_words(most),
        count=number_word(meld.wild),
    )
    return Refusal(Code.TOO_MANY_WILD, sentence, wild_of(cards))


def _why_too_wild_beyond(rules: Rules, meld: Meld, cards: Cards) -> Refusal | None:
    """Ruling 34: the wild cards of a book of more than seven cards against its natural ones."""
    natural = len(meld.cards) - meld.wild
    if meld.wild < natural or (meld.wild == natural and rules.wild_beyond == "equal"):
        return None
    sentence = say("A book of more than seven cards must have fewer wild cards than natural ones.")
    if rules.wild_beyond == "equal":
        sentence = say("A book of more than seven cards cannot have more wild cards than natural ones.")
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
