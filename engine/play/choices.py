"""The choices a player has: legal moves, one for each set of moves that differ only in equal cards.

Two cards are equal in play when they have the same rank (suits never matter, but for the colour of threes). The list
is complete in this sense: every legal discard and every legal meld or claim of one group is there up to equal cards.
Moves of several groups are there where one group will not do: to reach the opening minimum (sets of groups of which
none can be left out, each with all the naturals it can hold), and to lay the whole hand when going out. `undo` and a
second `wilds` in a turn are legal but are no choice of play, so they are left out; so are claims that are accepted
only at the price of a penalty.

Order: `peek`, `draw`, claims; then melds by rank from four to ace, wild cards, garbage, black threes, each from few
cards to many; sets of groups; discards by rank; `ask`, `wilds`, `end`.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.play.cards import (
    FOUR,
    JOKER,
    RED_THREES,
    SEVEN,
    THREE,
    TWO,
    WILD_CARDS,
    Cards,
    Spans,
    spans_of,
    without,
)
from engine.play.going_out import all_kept, keeps_ranks
from engine.play.group_sets import additions, openings, whole_hand
from engine.play.laying import Laid, why_locked
from engine.play.legal import can_draw, is_legal, judge, why_pile_shut
from engine.play.melds import BOOK, has_sevens
from engine.play.moves import (
    ASK,
    DISCARDS,
    DRAW,
    END,
    GARBAGE,
    KEEP_FIRST,
    KEEP_SECOND,
    NO,
    PEEK,
    TAKE,
    WILD,
    WILDS,
    YES,
    Move,
    claim,
    grab,
    single_meld,
)
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, PLAYING, Position


def legal_moves(state: Position) -> list[Move]:
    """The choices of the seat to act, in the order described above; empty once the deal is over."""
    if state.phase == PLAYING:
        return _play_choices(state)
    if state.phase == DRAWING:
        return _draw_choices(state)
    if state.phase == ANSWERING:
        return [YES, NO]
    if state.phase == CHOOSE:
        return [KEEP_FIRST, KEEP_SECOND]
    if state.phase == LIFT:
        return [grab(n) for n in range(1, len(state.rules.pack(state.seats)) + 1)]
    return []


def _draw_choices(state: Position) -> list[Move]:
    rules = state.rules
    moves = []
    if rules.foot_seen and is_legal(state, PEEK):
        moves.append(PEEK)
    drawable = can_draw(state)
    if drawable:
        moves.append(DRAW)
    if state.pile and rules.pile_take != "none":
        moves += _claims(state)
    if rules.ask_wilds and not state.wilds_asked and is_legal(state, WILDS):
        moves.append(WILDS)
    if not drawable:
        moves.append(END)
    return moves


def _play_choices(state: Position) -> list[Move]:
    rules = state.rules
    moves = list(card_moves(state))
    if rules.permission != "none" and is_legal(state, ASK):
        moves.append(ASK)
    if rules.ask_wilds and not state.wilds_asked and is_legal(state, WILDS):
        moves.append(WILDS)
    hand = state.hands[state.turn]
    maybe_end = state.last_red_three or len(hand) < 2 or not moves
    if (maybe_end or all_kept(state, state.melds[state.team], hand)) and is_legal(state, END):
        moves.append(END)
    return moves


def card_moves(state: Position) -> Iterator[Move]:
    """The choices in phase play that lay or discard cards."""
    hand = state.hands[state.turn]
    melds = state.melds[state.team]
    spans = spans_of(hand)
    minimum = state.minimum
    keeping = state.rules.kept != b"" and keeps_ranks(state, melds)
    free = hand.translate(None, state.rules.kept) if keeping else hand
    locked = why_locked(state, state.books_by[state.turn], 1) is not None
    values = state.rules.card_values
    for move, completes in _single_melds(state, spans):
        name, cards = move.groups[0]
        if minimum and (name == GARBAGE or sum([values[card] for card in cards]) < minimum):
            continue
        plenty = len(hand) - len(cards) >= 2 and (not keeping or len(cards) < len(free) or not _lays(free, cards))
        if (plenty and not (locked and completes) and cards[0] // 4 != THREE) or is_legal(state, move):
            yield move
    if minimum:
        yield from openings(state, spans)
    else:
        yield from whole_hand(state, spans)
    banned = RED_THREES + state.rules.kept if keeping else RED_THREES
    yield from _discards(state, spans, banned, plain=len(hand) > 1 and not state.last_red_three)


def _lays(free: Cards, cards: Cards) -> bool:
    """Whether laying the cards uses up all that might be discarded."""
    return not (without(free, bytes([card for card in cards if card in free])) or b"")


def _discards(state: Position, spans: Spans, banned: Cards, *, plain: bool) -> Iterator[Move]:
    """A discard of each rank, none of the `banned`; where it is `plain` that any other will do, no more is asked."""
    for cards in spans.values():
        card = cards[0]
        if card not in banned and (plain or is_legal(state, DISCARDS[card])):
            yield DISCARDS[card]


# Melds of one group


def _single_melds(state: Position, spans: Spans) -> Iterator[tuple[Move, bool]]:
    """Melds of one group that the shape of the melds allows, whatever they leave; and whether each completes a book."""
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


# Claims


def _claims(state: Position) -> Iterator[Move]:
    """Legal ways to take the pile."""
    if why_pile_shut(state):
        return
    if state.rules.pile_to_meld != "never" and type(judge(state, TAKE)) is Laid:
        yield TAKE
    hand, top = state.hands[state.turn], state.pile[0]
    spans = spans_of(hand)
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    least = _least_match(state)
    if top in WILD_CARDS:
        matching, others = (twos, jokers) if top // 4 == TWO else (jokers, twos)
        cards_by_way = [matching[:n] + others[:o] for n in range(2, len(matching) + 1) for o in range(len(others) + 1)]
    else:
        naturals = spans.get(top // 4, b"")
        if len(naturals) < least or len(naturals) + len(twos) + len(jokers) < 1:
            return
        most = state.rules.wild_limits[-1]
        cards_by_way = [
            twos[:two] + naturals[:natural] + jokers[:joker]
            for natural in range(least, len(naturals) + 1)
            for two in range(min(len(twos), most) + 1)
            for joker in range(min(len(jokers), most - two) + 1)
            if natural + two + joker
        ]
    for cards in cards_by_way:
        move = claim(cards)
        if type(judge(state, move)) is Laid:
            yield move
        elif state.minimum:
            left = hand
            for card in cards:
                left = left.replace(bytes([card]), b"", 1)
            rest = spans_of(left)
            rest.pop(top // 4, None)
            yield from openings(state, rest, move)


def _least_match(state: Position) -> int:
    """How many naturals of the top card's rank a claim needs at least."""
    if state.frozen or state.rules.pile_claim == "natural_pair":
        return 2
    return {"one_match": 1, "legal_meld": 0}.get(state.rules.pile_claim, 100)
