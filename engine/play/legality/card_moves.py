"""Melds and discards to choose from: the part of the legal moves that lays or discards cards."""

from __future__ import annotations

from functools import lru_cache

from engine.play.cards import (
    BLACK_THREES,
    FOUR,
    JOKER,
    JOKERS,
    RED_THREES,
    SEVEN,
    THREE,
    TWO,
    TWOS,
    ByRank,
    Cards,
    by_rank,
    spans_in,
    without,
)
from engine.play.legality.card_verdicts import judge_discard, judge_meld
from engine.play.legality.free_melds import free_garbage, free_offers
from engine.play.legality.going_out import keeps_ranks, why_not_left
from engine.play.legality.group_sets import additions_of, openings, whole_hand
from engine.play.legality.laying import Laid, is_locked
from engine.play.legality.places import NEW, places
from engine.play.melds import BOOK, has_sevens
from engine.play.move_list import AnyWay, FreeWay, MoveList, Offer, Way, meld_of
from engine.play.moves import DISCARDS, GARBAGE, WILD, Move, single_meld
from engine.play.state import Position


def card_moves(state: Position) -> MoveList:
    """The choices in phase play that lay or discard cards."""
    hand, rules = state.hands[state.turn], state.rules
    ranks = by_rank(hand)
    minimum = state.minimum
    keeping = rules.kept_ranks != () and keeps_ranks(state, state.melds[state.team])
    offers, melds = _melds(state, ranks, minimum, keeping=keeping)
    if minimum > 0:
        melds += openings(state, spans_in(ranks))
    if "empty_hand" in rules.opening_terms or not (minimum or state.feet[state.turn] is not None):
        melds += whole_hand(state, ranks)
    discards, rest = _discards(state, hand, ranks, keeping=keeping)
    return MoveList(ranks, offers, melds, discards, rest)


def _melds(state: Position, ranks: ByRank, minimum: int, *, keeping: bool) -> tuple[list[Offer], list[Move]]:
    """The legal melds of one group, as offers and as moves after them; those that cannot be refused unjudged."""
    rules, seat = state.rules, state.turn
    hand = state.hands[seat]
    locked = rules.book_lock != "none" and is_locked(state, state.books_by[seat], 1)
    room = _room(state, hand)
    if keeping:  # fewer cards than may be discarded leave one of these
        room = min(room, len(hand.translate(None, rules.kept_cards)) - 1)
    offers = _shapes(state, ranks) if rules.is_plain else free_offers(state, ranks)
    garbage: list[Move] = []
    if rules.garbage:
        garbage = _garbage(state, ranks) if rules.is_plain else free_garbage(state, ranks)
    black_threes = _black_threes(state, ranks) if len(ranks[THREE]) >= len(hand) - 1 else []
    may_be_many = room < len(hand) and (rules.grows or room < BOOK)
    if not (minimum or locked or garbage or may_be_many):
        return offers, black_threes
    terms: _Terms | None = None
    for index, (name, held, ways) in enumerate(offers):
        most = sum(ways[-1]) if rules.is_plain else _most_cards(ranks, name)
        if minimum or most > room or (locked and (held + most >= BOOK or not rules.is_plain)):
            terms = terms or _Terms(state, minimum, keeping=keeping, locked=locked)
            offers[index] = name, held, terms.allowed(ranks, name, held, ways)
    moves: list[Move] = []
    for move in garbage:
        if minimum or len(move.groups[0].cards) > room:
            terms = terms or _Terms(state, minimum, keeping=keeping, locked=locked)
            if not terms.allows(move, 0):
                continue
        moves.append(move)
    return offers, moves + black_threes


def _most_cards(ranks: ByRank, name: int) -> int:
    """No group of a rank or of `WILD` can have more cards."""
    return len(ranks[TWO]) + len(ranks[JOKER]) + (len(ranks[name]) if name != WILD else 0)


def _black_threes(state: Position, ranks: ByRank) -> list[Move]:
    """Melds of black threes where they are laid only when going out."""
    if not state.rules.is_plain or state.rules.black_three_meld != "going_out":
        return []
    least = max(1, len(state.hands[state.turn]) - 1)
    threes = ranks[THREE].translate(None, RED_THREES)
    laid = [single_meld(None, threes[:count]) for count in range(least, len(threes) + 1)]
    return [move for move in laid if type(judge_meld(state, move)) is Laid]


class _Terms:
    """Terms that a meld with a legal shape has to meet. What is the same for several moves is judged once."""

    def __init__(self, state: Position, minimum: int, *, keeping: bool, locked: bool) -> None:
        rules, hand = state.rules, state.hands[state.turn]
        self.state, self.minimum, self.keeping, self.locked = state, minimum, keeping, locked
        self.by_points = minimum > 0 and not rules.opening_terms
        self.values = rules.opening_values
        self.hand, self.room = hand, _room(state, hand)
        self.free = hand.translate(None, rules.kept_cards) if keeping else hand
        self.by_number = not (minimum or keeping or rules.grows)
        """Whether the number of cards that stay decides about a meld that completes no book."""
        self.may_stay: dict[int, bool] = {}

    def allowed(self, ranks: ByRank, name: int, held: int, ways: tuple[AnyWay, ...]) -> tuple[AnyWay, ...]:
        """The ways to meld a rank or `WILD` that are legal, where a plain meld joins so many cards on the table."""
        if self.by_points and name != THREE:
            natural, two, joker = (
                self.values[4 * name] if name != WILD else 0,
                self.values[TWOS[0]],
                self.values[JOKERS[0]],
            )
            ways = tuple([way for way in ways if way[0] * natural + way[1] * two + way[2] * joker >= self.minimum])
        return tuple(
            [
                way
                for way in ways
                if self.allows(meld_of(ranks, name, way), way.held if isinstance(way, FreeWay) else held)
            ]
        )

    def allows(self, move: Move, held: int) -> bool:
        """Whether the meld, which joins so many cards on the table, is legal."""
        name, cards = move.groups[0][:2]
        if self.by_points and (name == GARBAGE or sum(map(self.values.__getitem__, cards)) < self.minimum):
            return False
        completes = name != GARBAGE and held < BOOK <= held + len(cards)
        if self.locked and completes:
            return False
        if self._leaves_plenty(cards) and (self.by_points or not self.minimum):
            return True
        if self.by_number and not completes:
            return self._may_stay(len(self.hand) - len(cards))
        return type(judge_meld(self.state, move)) is Laid

    def _leaves_plenty(self, cards: Cards) -> bool:
        """Whether so much stays in the hand that nobody can object."""
        if len(cards) > self.room:
            return False
        return not self.keeping or len(cards) < len(self.free) or not _lays(self.free, cards)

    def _may_stay(self, count: int) -> bool:
        """Whether so many cards may stay in the hand after a meld that completes no book."""
        if count not in self.may_stay:
            state, melds = self.state, self.state.melds[self.state.team]
            fault = why_not_left(state, self.hand[:count], melds, foot_due=state.foot_due)
            self.may_stay[count] = fault is None
        return self.may_stay[count]


def _room(state: Position, hand: Cards) -> int:
    """Cards that may leave the hand without a question of what stays: all where the foot joins the empty hand."""
    has_foot = state.feet[state.turn] is not None
    return len(hand) if has_foot and state.rules.foot_when == "hand_empty" else len(hand) - 2


def _lays(free: Cards, cards: Cards) -> bool:
    """Whether laying the cards uses up all that might be discarded."""
    return not (without(free, bytes([card for card in cards if card in free])) or b"")


def _of_other_colour(threes: Cards) -> int | None:
    """The first of these threes that has not the colour of the first of all."""
    black = threes.translate(None, RED_THREES)
    if not black or len(black) == len(threes):
        return None
    return black[0] if threes[0] in RED_THREES else threes.translate(None, BLACK_THREES)[0]


def _discards(state: Position, hand: Cards, ranks: ByRank, *, keeping: bool) -> tuple[list[Cards], list[Move]]:
    """The cards of each rank of which the first may be discarded, and other discards: of threes one of each colour."""
    rules = state.rules
    if keeping or ranks[THREE]:
        allowed = hand.translate(None, rules.laid_threes + rules.kept_cards if keeping else rules.laid_threes)
        if len(allowed) < len(hand):
            ranks = by_rank(allowed)
    others: list[Move] = []
    if ranks[THREE] and not rules.laid_threes and (other := _of_other_colour(ranks[THREE])) is not None:
        others.append(DISCARDS[other])
    if len(hand) > 1 and not state.last_red_three:
        return [*filter(None, ranks)], others  # nothing but the kind of card could be refused
    moves = [DISCARDS[cards[0]] for cards in ranks if cards] + others
    return [], [move for move in moves if judge_discard(state, move) is None]


def _shapes(state: Position, hand: ByRank) -> list[Offer]:
    """Melds to offer: by rank from four to ace, then wild cards, each from few cards to many."""
    rules = state.rules
    limits, grows, pure = rules.wild_limits, rules.grows, rules.pure
    twos, jokers = len(hand[TWO]), len(hand[JOKER])
    wilds = twos + jokers
    fewest = max(rules.fewest_naturals, 3 - wilds)
    natural_ways = mixed_ways = additions_of(limits, grows, 0, 0)
    if wilds:
        mixed_ways = additions_of(limits, grows, twos, jokers)
    on_table = places(rules, state.melds[state.turn % state.teams])
    shapes: list[Offer] = []
    for rank, cards in enumerate(hand[FOUR:JOKER], FOUR):
        if not cards and not wilds:
            continue
        if rank in on_table:
            held, wild, _ = on_table[rank]
        elif len(cards) >= fewest:
            held = wild = 0
        else:
            continue
        ways = (natural_ways if rank in pure else mixed_ways)(held, wild, len(cards))
        if ways:
            shapes.append((rank, held, ways))
    if wilds and rules.wild_melds:
        held = on_table.get(WILD, NEW)[0]
        if ways := _wild_additions(grows, held, twos, jokers):
            shapes.append((WILD, held, ways))
    return shapes


def _garbage(state: Position, hand: ByRank) -> list[Move]:
    """Melds of garbage to offer, of each rank from few cards to many."""
    melds = state.melds[state.team]
    if not has_sevens(state.rules, melds):
        return []
    ranks = [rank for rank in {meld.name for meld in melds if meld.is_book} if rank < JOKER and rank != SEVEN]
    return [single_meld(GARBAGE, hand[rank][:n]) for rank in ranks for n in range(1, len(hand[rank]) + 1)]


@lru_cache(maxsize=4096)
def _wild_additions(grows: bool, held: int, twos: int, jokers: int) -> tuple[Way, ...]:
    """Ways to lay some wild cards on a meld that has `held` of them."""
    most = twos + jokers if grows else min(twos + jokers, BOOK - held)
    return tuple(
        [
            (0, total - joker_count, joker_count)
            for total in range(max(1, 3 - held), most + 1)
            for joker_count in range(max(0, total - twos), min(jokers, total) + 1)
        ]
    )
