"""Melds and discards to choose from: the part of the legal moves that lays or discards cards."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.play.cards import FOUR, JOKER, RED_THREES, SEVEN, THREE, TWO, ByRank, Cards, by_rank, spans_of, without
from engine.play.legality.card_verdicts import judge_discard, judge_meld
from engine.play.legality.free_melds import FreeOffer, free_offers
from engine.play.legality.going_out import keeps_ranks, why_not_left
from engine.play.legality.group_sets import additions, openings, whole_hand
from engine.play.legality.laying import Laid, why_locked
from engine.play.legality.places import NEW, places
from engine.play.melds import BOOK, has_sevens
from engine.play.moves import DISCARDS, GARBAGE, WILD, Move, single_meld
from engine.play.rules import Rules
from engine.play.state import Position

_Offer = tuple[tuple[Move, ...], int]
"""Melds of one group with a legal shape, without regard to the cards left, and the cards on the table that they join."""


def card_moves(state: Position) -> list[Move]:
    """The choices in phase play that lay or discard cards."""
    hand, rules = state.hands[state.turn], state.rules
    ranks = by_rank(hand)
    minimum = state.minimum
    keeping = rules.kept_cards != b"" and keeps_ranks(state, state.melds[state.team])
    moves = _melds(state, ranks, minimum, keeping=keeping)
    if minimum > 0:
        moves += openings(state, spans_of(hand))
    if "empty_hand" in rules.opening_terms or not (minimum or state.feet[state.turn] is not None):
        moves += whole_hand(state, spans_of(hand))
    moves += _discards(state, hand, ranks, keeping=keeping)
    return moves


def _melds(state: Position, ranks: ByRank, minimum: int, *, keeping: bool) -> list[Move]:
    """The legal melds of one group; those that cannot be refused unjudged."""
    rules, hand = state.rules, state.hands[state.turn]
    locked = rules.book_lock != "none" and why_locked(state, state.books_by[state.turn], 1) is not None
    room = _room(state, hand)
    if keeping:  # fewer cards than may be discarded leave one of these
        room = min(room, len(hand.translate(None, rules.kept_cards)) - 1)
    fits = not minimum and not locked and room >= BOOK and not rules.grows
    terms: _Terms | None = None
    moves: list[Move] = []
    offers: Iterable[_Offer | FreeOffer] = (
        _offers(state, ranks) if rules.is_plain else free_offers(state, spans_of(hand))
    )
    for offered, held in offers:
        most = 0 if fits else len(offered[-1].groups[0].cards)
        if not minimum and most <= room and not (locked and held + most >= BOOK):
            moves += offered
            continue
        if terms is None:
            terms = _Terms(state, minimum, keeping=keeping, locked=locked)
        moves += [move for move in offered if terms.allows(move, held)]
    if rules.is_plain and rules.black_three_meld == "going_out" and ranks[THREE]:
        threes = ranks[THREE].translate(None, RED_THREES)
        laid = (single_meld(None, threes[:count]) for count in range(max(1, len(hand) - 1), len(threes) + 1))
        moves += [move for move in laid if type(judge_meld(state, move)) is Laid]
    return moves


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
    return next(three for three in threes if (three in black) != (threes[0] in black))


def _discards(state: Position, hand: Cards, ranks: ByRank, *, keeping: bool) -> list[Move]:
    """A legal discard of each rank, of threes one of each colour."""
    rules = state.rules
    if banned := rules.laid_threes + rules.kept_cards if keeping else rules.laid_threes:
        allowed = hand.translate(None, banned)
        if len(allowed) < len(hand):
            ranks = by_rank(allowed)
    moves = [DISCARDS[cards[0]] for cards in ranks if cards]
    if ranks[THREE] and not rules.laid_threes and (other := _of_other_colour(ranks[THREE])) is not None:
        moves.append(DISCARDS[other])
    if len(hand) > 1 and not state.last_red_three:
        return moves  # nothing but the kind of card could be refused
    return [move for move in moves if judge_discard(state, move) is None]


def _offers(state: Position, hand: ByRank) -> list[_Offer]:
    """Melds to offer: by rank from four to ace, then wild cards, then garbage, each from few cards to many."""
    rules, melds = state.rules, state.melds[state.turn % state.teams]
    limits, grows, pure = rules.wild_limits, rules.grows, rules.pure
    twos, jokers = hand[TWO], hand[JOKER]
    wild_count, most, fewest = len(twos) + len(jokers), limits[-1], rules.fewest_naturals
    if wild_count < 3 - fewest:
        fewest = 3 - wild_count
    on_table = places(rules, melds)
    offers: list[_Offer] = []
    for rank, cards in enumerate(hand[FOUR:JOKER], FOUR):
        if rank in on_table:
            if not cards and not wild_count:
                continue
            held, wild, _ = on_table[rank]
        elif len(cards) < fewest:
            continue
        else:
            held = wild = 0
        if not wild_count:
            offer = _rank_melds(limits, grows, held, wild, rank, cards)
        else:
            spare = most - wild if wild < most and rank not in pure else 0
            offer = _rank_melds(limits, grows, held, wild, rank, cards, twos[:spare], jokers[:spare])
        if offer is not None:
            offers.append(offer)
    if rules.wild_melds and wild_count:
        held = on_table.get(WILD, NEW)[0]
        if ways := _wild_melds(grows, held, twos, jokers):
            offers.append((ways, held))
    if rules.garbage and has_sevens(rules, melds):
        for rank in {meld.name for meld in melds if meld.is_book}:
            if rank < JOKER and rank != SEVEN and hand[rank]:
                cards = hand[rank]
                offers.append((tuple([single_meld(GARBAGE, cards[:n]) for n in range(1, len(cards) + 1)]), 0))
    return offers


@lru_cache(maxsize=65536)
def _rank_melds(
    limits: tuple[int, ...],
    grows: bool,
    held: int,
    wild: int,
    rank: int,
    cards: Cards,
    twos: Cards = b"",
    jokers: Cards = b"",
) -> _Offer | None:
    """Melds of a rank that join `held` cards, `wild` of them wild. Cached: a hand keeps most of its ranks for turns."""
    ways = additions(limits, grows, held, wild, len(cards), len(twos), len(jokers))
    moves = [
        single_meld(None if natural else rank, twos[:two] + cards[:natural] + jokers[:joker])
        for natural, two, joker in ways
    ]
    return (tuple(moves), held) if moves else None


@lru_cache(maxsize=4096)
def _wild_melds(grows: bool, held: int, twos: Cards, jokers: Cards) -> tuple[Move, ...]:
    """Melds of wild cards that join `held` of them."""
    most = len(twos) + len(jokers) if grows else min(len(twos) + len(jokers), BOOK - held)
    return tuple(
        [
            single_meld(WILD, twos[: total - joker_count] + jokers[:joker_count])
            for total in range(max(1, 3 - held), most + 1)
            for joker_count in range(max(0, total - len(twos)), min(len(jokers), total) + 1)
        ]
    )
