"""Laying cards: whether the groups of a meld or a claim may lie on the table, and the hand that remains."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.play.cards import FOUR, JOKER, RANK_OF, THREE, WILD_CARDS, Cards, arrange
from engine.play.legality.going_out import why_not_left, why_not_out
from engine.play.legality.places import NEW, places
from engine.play.melds import BOOK, Meld, bonus_of, book_kind, count_books, name_group, place, wild_of
from engine.play.moves import GARBAGE, WILD, Group
from engine.play.options import CLEAN_BOOK
from engine.play.refusals import Code, Refusal
from engine.play.state import Position, put
from engine.words import later, say


class Laid(NamedTuple):
    """Result of a legal meld or claim: the player's hand and the team's melds after it."""

    hand: Cards
    melds: tuple[Meld, ...]
    books: int
    """Books whose seventh card it lays."""
    names: tuple[int, ...]
    """The name of the meld that each group belongs to."""
    from_pile: Cards = b""
    """Cards that come from the pile into the hand; `hand` does not hold them yet."""


def lay(
    state: Position, groups: tuple[Group, ...], hand: Cards, top: int | None = None, *, is_drawn: bool = False
) -> Refusal | Laid:
    """Judge cards that leave `hand` as melds; with `top`, the first group claims the pile's top card.

    If that `is_drawn`, it alone comes from the pile, and other cards from the stock after it (ruling 44).
    """
    rules, seat, team = state.rules, state.turn, state.turn % state.teams
    melds = list(state.melds[team])
    before = state.books_by[seat]
    books = worth = 0
    names = []
    values, has_opened = rules.opening_values, state.has_opened
    for index, group in enumerate(groups):
        claiming = top is not None and index == 0
        cards = _claim_order(group.cards, top) if claiming and top is not None else group.cards
        name = name_group(rules, group, top if claiming else None)
        if isinstance(name, Refusal):
            return name
        is_new = group.is_new or (claiming and not is_drawn and rules.pile_claim == "new_meld")
        completed = place(rules, melds, name, cards, claiming=claiming, is_new=is_new, is_mixed=group.is_mixed)
        if isinstance(completed, Refusal):
            return completed
        if completed and is_locked(state, before + books, completed):
            return _why_locked(state)._replace(cards=group.cards)
        books += completed
        names.append(name)
        if not has_opened and name != GARBAGE:
            worth += sum(map(values.__getitem__, cards))
    after = tuple(melds)
    if is_drawn:
        from_pile, remaining, unseen = b"", hand, rules.draw_count - 1
    else:
        from_pile = _cards_from_pile(state) if top is not None else b""
        remaining, unseen = _hand_after(state, hand, from_pile)
    if not has_opened and (
        short := _why_not_opened(state, groups, worth, after, is_empty=not remaining and not unseen)
    ):
        return short
    foot_due = state.foot_due or (books > 0 and rules.foot_when == "own_book" and state.feet[seat] is not None)
    if (
        THREE in names
        and rules.black_three_meld == "going_out"
        and (fault := _why_not_black_threes(state, len(remaining) + unseen, after))
    ):
        return fault
    if fault := why_not_left(state, remaining, after, foot_due=foot_due, unseen=unseen):
        return fault
    return Laid(hand, after, books, tuple(names), from_pile)


def lay_unquestioned(state: Position, group: Group, rest: Cards, top: int | None = None) -> Laid | None:
    """The result of a group with which nothing can be wrong, as `lay` gives it after all questions; else `None`.

    It is of a rank, makes seven cards at most or a book that anything joins, and leaves a card to discard in the hand
    of a player who has opened.
    """
    rules, team = state.rules, state.turn % state.teams
    name, cards, is_new, is_mixed = group
    if not rules.has_single_melds or len(rest) < 2 or is_new or is_mixed or not state.has_opened:
        return None
    if rules.kept_ranks and not rest.translate(None, rules.kept_cards):
        return None
    from_pile = b""
    if top is not None:
        if rules.pile_claim == "new_meld":
            return None
        cards += bytes([top])
        from_pile = _cards_from_pile(state)
    rank, wild = _rank_and_wild(name, cards)
    melds = state.melds[team]
    held, used, index = places(rules, melds).get(rank, NEW)
    size, wild = held + len(cards), used + wild
    if rank < FOUR or size < 3 or (size > BOOK and not rules.has_endless_books):
        return None
    if wild and (wild > rules.most_wild[min(size, BOOK)] or rank in rules.pure):
        return None
    books = 0
    if held < BOOK <= size:
        if is_locked(state, state.books_by[state.turn], 1):
            return None
        books = 1
    if index < 0:
        return Laid(rest, (*melds, Meld(rank, arrange(cards), wild)), books, (rank,), from_pile)
    _, before, _, keeps = melds[index]
    if keeps and size > BOOK:  # wild cards may make it dirty
        return None
    return Laid(rest, put(melds, index, Meld(rank, arrange(before + cards), wild, keeps)), books, (rank,), from_pile)


@lru_cache(maxsize=16384)
def _rank_and_wild(name: int | None, cards: Cards) -> tuple[int, int]:
    """The rank from four to ace that cards laid with a name belong to, or -1, and how many of them are wild."""
    natural = cards.translate(None, WILD_CARDS)
    rank = natural[0] // 4 if natural else name or -1
    is_sure = FOUR <= rank < JOKER and name in (None, rank) and natural.translate(RANK_OF).count(rank) == len(natural)
    return rank if is_sure else -1, len(cards) - len(natural)


def _why_not_opened(
    state: Position, groups: tuple[Group, ...], worth: int, after: tuple[Meld, ...], *, is_empty: bool
) -> Refusal | None:
    """Reason why a move that leaves these melds does not open, with cards of that worth (rulings 9 and 40)."""
    rules, minimum = state.rules, state.minimum
    if minimum != CLEAN_BOOK and worth >= minimum:
        return None
    if is_empty and "empty_hand" in rules.opening_terms and any(group.name != GARBAGE for group in groups):
        return None
    before = state.melds[state.team]
    completed = [m for i, m in enumerate(after) if m.is_book and not (i < len(before) and before[i].is_book)]
    if minimum == CLEAN_BOOK:
        if any(not meld.wild and meld.name != WILD for meld in completed):
            return None
        return Refusal(Code.BELOW_MINIMUM, say("To open in this deal, you must lay a book without wild cards."))
    if "books" in rules.opening_terms:
        counts = count_books(rules, after)
        worth += sum(bonus_of(rules, book_kind(rules, meld), counts) for meld in completed)
        if worth >= minimum:
            return None
    sentence = later("Your team needs at least %(minimum)s points to open. These melds are worth %(worth)s.")
    if rules.each_opens:
        sentence = later("You need at least %(minimum)s points to open. These cards are worth %(worth)s.")
    return Refusal(Code.BELOW_MINIMUM, say(sentence, minimum=minimum, worth=worth))


def _claim_order(cards: Cards, top: int) -> Cards:
    """The order in which a claim fills a meld: the top card, then the naturals as written, then the wild cards."""
    if top in WILD_CARDS:
        return bytes([top]) + cards
    natural = cards.translate(None, WILD_CARDS)
    return bytes([top]) + natural + wild_of(cards)


def _cards_from_pile(state: Position) -> Cards:
    """Cards that come from the pile into the hand with a claim of its top card."""
    take = state.rules.pile_take
    return state.pile[1:] if take == "all" else state.pile[1 : int(take)]


def _hand_after(state: Position, hand: Cards, from_pile: Cards) -> tuple[Cards, int]:
    """The hand after a claim as far as it can be known, unsorted, and how many unseen cards replace red threes in it."""
    if not from_pile:
        return hand, 0
    to_hand = from_pile.translate(None, state.rules.laid_threes)
    unseen = min(len(from_pile) - len(to_hand), len(state.stock)) if state.rules.red_three_replaced == "always" else 0
    return hand + to_hand, unseen


def is_locked(state: Position, laid_before: int, completed: int) -> bool:
    """Ruling 10: whether the player may not lay the seventh card of that many books yet."""
    rules, seat, team = state.rules, state.turn, state.turn % state.teams
    if rules.book_lock == "none" or state.team_size == 1:
        return False
    if rules.book_lock == "opener_waits":
        if state.opened[team] and state.opener[team] != seat:
            return False
        return not any(state.books_by[p] and state.feet[p] is None for p in state.partners(seat))
    return laid_before + completed > 1 and not all(state.books_by[p] for p in state.partners(seat))


def _why_locked(state: Position) -> Refusal:
    """Ruling 10: what a player waits for who may not complete a book."""
    sentence = later("You have completed a book. Every partner must complete one before you complete another.")
    if state.rules.book_lock == "opener_waits":
        sentence = later(
            "You opened for your team. A partner must complete a book and pick up the foot before you can complete one."
        )
    return Refusal(Code.BOOK_LOCK, say(sentence))


def _why_not_black_threes(state: Position, count: int, melds: tuple[Meld, ...]) -> Refusal | None:
    """Ruling 26."""
    if forbidden := why_not_out(state, melds):
        sentence = say("Threes of clubs and spades are melded only when going out.") + " " + forbidden.sentence
        return Refusal(Code.BLACK_THREES, sentence)
    if count > 1:
        sentence = say("Threes of clubs and spades are melded only in a move that leaves you at most one card.")
        return Refusal(Code.BLACK_THREES, sentence)
    return None
