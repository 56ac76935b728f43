"""Melds: which cards may lie together, which meld a group belongs to, and what books take.

A group of a move is laid on a copy of the team's melds; `Illegal` says that it does not go.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.engine.reference.table import (
    BLACK_THREES,
    BOOK,
    RED_THREES,
    Illegal,
    Meld,
    Table,
    is_wild,
    naturals_of,
    wild_of,
)


@dataclass
class Group:
    """Cards laid together, as a move writes them: with a name, `new` before it and a star after it where they are."""

    cards: list[str]
    name: str | None = None
    is_new: bool = False
    is_mixed: bool = False


# What may lie together


def meld_name(table: Table, group: Group, top: str | None = None) -> str:
    """Name of the meld that the group belongs to; `top` is the card of the pile that goes with it."""
    cards = group.cards + ([top] if top else [])
    naturals = naturals_of(cards)
    if group.name == "garbage":
        if top:
            raise Illegal("garbage is no meld, and claims nothing (r8)")
        return "garbage"
    if not naturals:
        # Wild cards say nothing about their meld, but those that go with a wild card of the pile do (r3).
        name = group.name or ("wild" if top else None)
        if name is None:
            raise Illegal("wild cards alone need the name of their meld")
        if name == "wild" and not table.options["wild_melds"]:
            raise Illegal("no melds of wild cards")
        if top and name != "wild":
            raise Illegal("a wild card on top is claimed into a wild meld")
        return name
    rank = naturals[0][0]
    if any(card[0] != rank for card in naturals):
        raise Illegal("two ranks in a group")
    if group.name not in (None, rank):
        raise Illegal("the name does not agree with the natural cards (r9)")
    for card in naturals:
        if not may_be_melded(table, card):
            raise Illegal(f"{card} is not melded here")
    return rank


def may_be_melded(table: Table, card: str) -> bool:
    """Whether such a card is ever melded (r29, r37)."""
    if card in RED_THREES:
        return bool(table.options["red_three_meld"])
    return card not in BLACK_THREES or table.options["black_three_meld"] != "never"


def takes_no_wild(table: Table, name: str) -> bool:
    """Ranks whose melds are of natural cards: the pure ones, and threes (r37)."""
    return name == "3" or name in table.options["pure_ranks"]


def check_meld(table: Table, name: str, cards: list[str]) -> None:
    """A meld of three to seven cards: natural ones of the rank, and wild ones within the limits."""
    if len(cards) < 3:
        raise Illegal("a meld has at least three cards")
    if name == "wild":
        return
    wild = len(wild_of(cards))
    if wild and takes_no_wild(table, name):
        raise Illegal("no wild cards in this rank")
    if wild == len(cards) or wild > table.options["wild_limits"][len(cards) - 3]:
        raise Illegal("too many wild cards")


def grow(table: Table, book: Meld, card: str) -> None:
    """Put one card more on a complete book, if its kind takes it (r32)."""
    may_take = table.options["books_grow"][book.kind]
    if may_take == "no":
        raise Illegal(f"nothing goes on a {book.kind} book")
    if is_wild(card) and book.kind != "wild":
        if may_take == "natural" or takes_no_wild(table, book.name):
            raise Illegal("no wild card on this book")
        book.keeps = book.keeps or may_take == "keeps"
    book.cards.append(card)


def check_large_book(table: Table, book: Meld) -> None:
    """Wild cards of a whole book of more than seven cards (r34)."""
    wild, natural = len(wild_of(book.cards)), len(naturals_of(book.cards))
    most = {"limit": table.options["wild_limits"][-1], "fewer": natural - 1, "equal": natural}
    if book.name != "wild" and wild > most[table.options["wild_beyond"]]:
        raise Illegal("too many wild cards in a large book")


def laid_on(table: Table, meld: Meld | None, name: str, cards: list[str]) -> Meld:
    """The meld with all the cards on it, in this order; `None` starts one.

    The first seven are a legal meld, whose kind decides about the next card, and so on (r33).
    """
    before = meld.cards if meld else []
    total = before + cards
    if len(before) >= BOOK and meld:
        book = meld.copy()
    else:
        check_meld(table, name, total[:BOOK])
        book = Meld(name, total[:BOOK])
    for card in total[len(book.cards) :]:
        grow(table, book, card)
    if len(book.cards) > BOOK:
        check_large_book(table, book)
    return book


# Which meld (r38)


def may_start(table: Table, melds: list[Meld], name: str, cards: list[str]) -> bool:
    """Whether a further meld of the rank may start with these cards (r38)."""
    of_rank = [meld for meld in melds if meld.name == name]
    open_melds = [meld for meld in of_rank if meld.is_open]
    match table.options["melds_per_rank"]:
        case "one":
            return not of_rank
        case "after_book":
            return not open_melds
        case "clean_and_dirty":
            return not any(same_sort(meld, cards) for meld in open_melds)
        case _:
            return True


def same_sort(meld: Meld, cards: list[str]) -> bool:
    """Both natural, or both with wild cards; wild melds are one sort."""
    return meld.name == "wild" or bool(wild_of(meld.cards)) == bool(wild_of(cards))


def takes_all(table: Table, meld: Meld, cards: list[str]) -> bool:
    try:
        laid_on(table, meld, meld.name, cards)
    except Illegal:
        return False
    return True


def meld_to_join(table: Table, melds: list[Meld], name: str, cards: list[str], is_mixed: bool) -> Meld | None:
    """The team's meld that a group joins; `None` where it starts one (r38)."""
    mode = table.options["melds_per_rank"]
    open_melds = [meld for meld in melds if meld.name == name and meld.is_open]
    if is_mixed:
        open_melds = [meld for meld in open_melds if meld.name != "wild" and wild_of(meld.cards)]
        if not open_melds:
            raise Illegal("no open meld with wild cards")
    if mode == "clean_and_dirty":
        open_melds.sort(key=lambda meld: not same_sort(meld, cards))
    if mode == "free":
        open_melds = [meld for meld in open_melds if takes_all(table, meld, cards)]
        if is_mixed and not open_melds:
            raise Illegal("no open meld with wild cards takes all of it")
    books = [meld for meld in melds if meld.name == name and meld.is_book and takes_all(table, meld, cards)]
    return next(iter([*open_melds, *books]), None)


def lay_group(
    table: Table, melds: list[Meld], group: Group, top: str | None = None, *, may_fill: bool = False
) -> list[int]:
    """Lay a group on the melds, changing the list. Returns the places of the books whose seventh card that laid.

    A claim `may_fill` the book of its rank and start a new meld with all the rest (r3, r33).
    """
    name = meld_name(table, group, top)
    if name == "garbage":
        lay_garbage(table, melds, group)
        return []
    cards = ([top] if top else []) + naturals_of(group.cards) + wild_of(group.cards)
    if group.is_mixed and (group.is_new or table.options["melds_per_rank"] not in ("clean_and_dirty", "free")):
        raise Illegal("a star names a meld to join, where a rank may have several open ones")
    try:
        meld = None if group.is_new else meld_to_join(table, melds, name, cards, group.is_mixed)
        return place(table, melds, meld, name, cards)
    except Illegal:
        if not may_fill:
            raise
    return fill(table, melds, group, name, cards)


def place(table: Table, melds: list[Meld], meld: Meld | None, name: str, cards: list[str]) -> list[int]:
    """Put the cards on this meld, or start one with them. Returns its place where that laid the seventh card."""
    after = laid_on(table, meld, name, cards)
    if meld is None:
        if not may_start(table, melds, name, cards):
            raise Illegal("no further meld of the rank may start")
        melds.append(after)
        return [len(melds) - 1] if after.is_book else []
    index = next(index for index, each in enumerate(melds) if each is meld)
    melds[index] = after
    return [index] if after.is_book and meld.is_open else []


def fill(table: Table, melds: list[Meld], group: Group, name: str, cards: list[str]) -> list[int]:
    """Fill an open meld to seven, in the order top card, natural cards, wild cards; the rest is a new meld (r3)."""
    open_melds: list[Meld | None] = [meld for meld in melds if meld.name == name and meld.is_open]
    if group.is_mixed:
        open_melds = [meld for meld in open_melds if meld and name != "wild" and wild_of(meld.cards)]
    if table.options["melds_per_rank"] == "clean_and_dirty":
        open_melds.sort(key=lambda meld: meld is not None and not same_sort(meld, cards))
    for meld in [None] if group.is_new else open_melds or [None]:
        missing = BOOK - (len(meld.cards) if meld else 0)
        if len(cards) <= missing:
            continue
        after = list(melds)
        try:
            filled = place(table, after, meld, name, cards[:missing]) + place(table, after, None, name, cards[missing:])
        except Illegal:
            continue
        melds[:] = after
        return filled
    raise Illegal("the claim does not fill a book and start a meld of three")


def lay_garbage(table: Table, melds: list[Meld], group: Group) -> None:
    """Natural cards of ranks with a complete book, but sevens, after a book of sevens (r8)."""
    if not table.options["garbage"] or not has_special(table, melds, "7"):
        raise Illegal("no garbage, or none before a book of sevens")
    if group.is_new or group.is_mixed:
        raise Illegal("there is one garbage pile")
    for card in group.cards:
        has_book = any(meld.is_book and meld.name == card[0] for meld in melds)
        if is_wild(card) or card[0] == "7" or not has_book or (card in RED_THREES and not may_be_melded(table, card)):
            raise Illegal(f"{card} is no garbage")
    pile = next((meld for meld in melds if meld.name == "garbage"), None)
    if pile is None:
        melds.append(Meld("garbage", list(group.cards)))
    else:
        pile.cards.extend(group.cards)


# Kinds of book (r12, r39)


def kind_of_book(table: Table, book: Meld) -> str:
    """Clean, dirty or wild, or the rank of a special book."""
    special = table.options["special_books"].get(book.name)
    if special and (book.kind == "clean" or (book.kind == "dirty" and special["mixed"])):
        return book.name
    return book.kind


def has_special(table: Table, melds: list[Meld], rank: str) -> bool:
    """Whether the team has a special book of the rank."""
    return any(meld.is_book and kind_of_book(table, meld) == rank for meld in melds)


def has_contract(table: Table, melds: list[Meld]) -> bool:
    """Whether the books of the contract are there; books beyond it do no harm (r12)."""
    needed = dict(table.options["contract"])
    needed |= {rank: special["needed"] for rank, special in table.options["special_books"].items()}
    kinds = [kind_of_book(table, meld) for meld in melds if meld.is_book]
    return all(kinds.count(kind) >= number for kind, number in needed.items())


def book_points(table: Table, melds: list[Meld], book: Meld) -> int:
    """Bonus of a complete book among its team's melds; a wild one may need a clean one beside it."""
    kind = kind_of_book(table, book)
    has_clean = any(meld.is_book and kind_of_book(table, meld) == "clean" for meld in melds)
    if kind == "wild" and table.options["wild_needs_clean"] and not has_clean:
        return 0
    special = table.options["special_books"]
    return special[kind]["points"] if kind in special else table.options["book_bonus"][kind]
