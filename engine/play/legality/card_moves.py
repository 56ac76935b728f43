"""Melds and discards to choose from: the part of the legal moves that lays or discards cards."""

from __future__ import annotations

from collections.abc import Iterator

from engine.play.cards import FOUR, JOKER, RED_THREES, SEVEN, THREE, TWO, Cards, Spans, spans_of, without
from engine.play.legality.card_verdicts import judge_discard, judge_meld
from engine.play.legality.going_out import keeps_ranks
from engine.play.legality.group_sets import additions, openings, whole_hand
from engine.play.legality.laying import Laid, why_locked
from engine.play.melds import BOOK, has_sevens
from engine.play.moves import DISCARDS, GARBAGE, WILD, Move, single_meld
from engine.play.state import Position


def card_moves(state: Position) -> Iterator[Move]:
    """The choices in phase play that lay or discard cards."""
    hand = state.hands[state.turn]
    melds = state.melds[state.team]
    spans = spans_of(hand)
    minimum = state.minimum
    keeping = state.rules.kept_cards != b"" and keeps_ranks(state, melds)
    free = hand.translate(None, state.rules.kept_cards) if keeping else hand
    locked = why_locked(state, state.books_by[state.turn], 1) is not None
    values = state.rules.card_values
    for move, completes in _single_melds(state, spans):
        name, cards = move.groups[0]
        if minimum and (name == GARBAGE or sum([values[card] for card in cards]) < minimum):
            continue
        plenty = len(hand) - len(cards) >= 2 and (not keeping or len(cards) < len(free) or not _lays(free, cards))
        is_plain = plenty and not (locked and completes) and cards[0] // 4 != THREE
        if is_plain or type(judge_meld(state, move)) is Laid:
            yield move
    if minimum:
        yield from openings(state, spans)
    else:
        yield from whole_hand(state, spans)
    banned = RED_THREES + state.rules.kept_cards if keeping else RED_THREES
    yield from _discards(state, spans, banned, plain=len(hand) > 1 and not state.last_red_three)


def _lays(free: Cards, cards: Cards) -> bool:
    """Whether laying the cards uses up all that might be discarded."""
    return not (without(free, bytes([card for card in cards if card in free])) or b"")


def _discards(state: Position, spans: Spans, banned: Cards, *, plain: bool) -> Iterator[Move]:
    """A discard of each rank, none of the `banned`; where it is `plain` that any other will do, no more is asked."""
    for cards in spans.values():
        card = cards[0]
        if card not in banned and (plain or judge_discard(state, DISCARDS[card]) is None):
            yield DISCARDS[card]


def _single_melds(state: Position, spans: Spans) -> Iterator[tuple[Move, bool]]:
    """Melds of one group with a legal shape, without regard to the cards left; and whether each completes a book."""
    rules = state.rules
    limits, grows = rules.wild_limits, rules.books_grow
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    open_melds: dict[int, tuple[int, int]] = {}
    finished = set()
    for name, cards, wild in state.melds[state.team]:
        if name == GARBAGE:
            continue
        if len(cards) < BOOK or grows:
            open_melds[name] = (len(cards), wild)
        else:
            finished.add(name)
    wild_count = len(twos) + len(jokers)
    pure, second = rules.pure, rules.second_meld
    for rank in range(FOUR, JOKER):
        cards = spans.get(rank, b"")
        held, wild = open_melds.get(rank, (0, 0))
        if (not cards and not (held and wild_count)) or (not held and (rank in finished and not second)):
            continue
        free = 0 if rank in pure else wild_count
        if held + len(cards) + free < 3:
            continue
        ways = additions(limits, grows, held, wild, len(cards), len(twos) if free else 0, len(jokers) if free else 0)
        for natural, two, joker in ways:
            completes = held < BOOK <= held + natural + two + joker
            if natural:
                yield single_meld(None, twos[:two] + cards[:natural] + jokers[:joker]), completes
            else:
                yield single_meld(rank, twos[:two] + jokers[:joker]), completes
    if wild_count and rules.wild_melds and (second or grows or WILD not in finished or WILD in open_melds):
        yield from _wild_melds(open_melds.get(WILD, (0, 0))[0], twos, jokers, grows)
    if rules.garbage and has_sevens(rules, state.melds[state.team]):
        for rank in finished | {name for name, (held, _) in open_melds.items() if held >= BOOK}:
            if rank in spans and rank != SEVEN:
                for count in range(1, len(spans[rank]) + 1):
                    yield single_meld(GARBAGE, spans[rank][:count]), False
    if rules.black_three_meld == "going_out" and THREE in spans:
        for count in range(1, len(spans[THREE]) + 1):
            yield single_meld(None, spans[THREE][:count]), False


def _wild_melds(held: int, twos: Cards, jokers: Cards, grows: bool) -> Iterator[tuple[Move, bool]]:
    for total in range(1, len(twos) + len(jokers) + 1):
        if held + total < 3:
            continue
        if held + total > BOOK and not grows:
            break
        for joker_count in range(max(0, total - len(twos)), min(len(jokers), total) + 1):
            yield single_meld(WILD, twos[: total - joker_count] + jokers[:joker_count]), held < BOOK <= held + total
