"""Laying cards: whether the groups of a meld or a claim may lie on the table, and the hand that remains."""

from __future__ import annotations

from typing import NamedTuple

from engine.play.cards import RED_THREES, THREE, WILD_CARDS, Cards, without
from engine.play.legality.going_out import why_not_left, why_not_out
from engine.play.melds import Meld, name_group, place, wild_of
from engine.play.moves import GARBAGE, Group
from engine.play.refusals import Code, Refusal
from engine.play.state import Position
from engine.words import say


class Laid(NamedTuple):
    """Result of a legal meld or claim: the player's hand and the team's melds after it."""

    hand: Cards
    melds: tuple[Meld, ...]
    books: int
    """Books whose seventh card it lays."""
    from_pile: Cards = b""
    """Cards that come from the pile into the hand; `hand` does not hold them yet."""


def lay(state: Position, groups: tuple[Group, ...], top: int | None = None) -> Refusal | Laid:
    """Judge cards that the player holds as melds; with `top`, the first group claims the pile's top card."""
    rules, seat, team = state.rules, state.turn, state.turn % state.teams
    hand = state.hands[seat]
    melds = list(state.melds[team])
    before = state.books_by[seat]
    books = worth = 0
    black_threes = False
    values = rules.card_values
    for index, group in enumerate(groups):
        claiming = top is not None and index == 0
        cards = _claim_order(group.cards, top) if claiming and top is not None else group.cards
        name = name_group(group, top if claiming else None)
        if isinstance(name, Refusal):
            return name
        completed = place(rules, melds, name, cards, claiming=claiming)
        if isinstance(completed, Refusal):
            return completed
        if completed and (locked := why_locked(state, before + books, completed)):
            return locked._replace(cards=group.cards)
        books += completed
        if name != GARBAGE:
            worth += sum([values[card] for card in cards])
        black_threes = black_threes or name == THREE
        hand = without(hand, group.cards) or b""
    if not state.opened[team] and worth < (minimum := state.minimum):
        sentence = say(
            "Your team needs at least %(minimum)s points to open. These melds are worth %(worth)s.",
            minimum=minimum,
            worth=worth,
        )
        return Refusal(Code.BELOW_MINIMUM, sentence)
    after = tuple(melds)
    from_pile = _cards_from_pile(state) if top is not None else b""
    remaining, unseen = _hand_after(state, hand, from_pile)
    foot_due = state.foot_due or (books > 0 and rules.foot_when == "own_book" and state.feet[seat] is not None)
    if black_threes and (fault := _why_not_black_threes(state, len(remaining) + unseen, after)):
        return fault
    if fault := why_not_left(state, remaining, after, foot_due=foot_due, unseen=unseen):
        return fault
    return Laid(hand, after, books, from_pile)


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
    """The hand after a claim as far as it can be known, and how many unseen cards replace red threes in it."""
    if not from_pile:
        return hand, 0
    to_hand = from_pile.translate(None, RED_THREES)
    unseen = min(len(from_pile) - len(to_hand), len(state.stock)) if state.rules.red_three_replaced == "always" else 0
    return bytes(sorted(hand + to_hand)), unseen


def why_locked(state: Position, laid_before: int, completed: int) -> Refusal | None:
    """Ruling 10: whether the player may lay the seventh card of that many books."""
    rules, seat = state.rules, state.turn
    if rules.book_lock == "none" or state.team_size == 1:
        return None
    partners = state.partners(seat)
    if rules.book_lock == "opener_waits":
        opener = state.opener[state.team] if state.opened[state.team] else seat
        partner_ready = any(state.books_by[p] and state.feet[p] is None for p in partners)
        if opener == seat and not partner_ready:
            sentence = say(
                "You opened for your team. A partner must complete a book and pick up the foot before you can "
                "complete one."
            )
            return Refusal(Code.BOOK_LOCK, sentence)
        return None
    if laid_before + completed > 1 and not all(state.books_by[p] for p in partners):
        sentence = say("You have completed a book. Every partner must complete one before you complete another.")
        return Refusal(Code.BOOK_LOCK, sentence)
    return None


def _why_not_black_threes(state: Position, count: int, melds: tuple[Meld, ...]) -> Refusal | None:
    """Ruling 26."""
    if forbidden := why_not_out(state, melds):
        sentence = say("Black threes are melded only when going out.") + " " + forbidden.sentence
        return Refusal(Code.BLACK_THREES, sentence)
    if count > 1:
        sentence = say("Black threes are melded only in a move that leaves you at most one card.")
        return Refusal(Code.BLACK_THREES, sentence)
    return None
