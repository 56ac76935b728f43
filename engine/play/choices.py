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
from functools import lru_cache

from engine.play.cards import FOUR, JOKER, RANK_OF, RED_THREES, SEVEN, THREE, TWO, WILD_CARDS, Cards, without
from engine.play.going_out import all_kept, keeps_ranks
from engine.play.laying import Laid, why_locked
from engine.play.legal import can_draw, judge, why_pile_shut
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
    Group,
    Move,
    claim,
    grab,
    single_meld,
)
from engine.play.refusals import Refusal
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, PLAYING, Position

Spans = dict[int, Cards]
"""The cards of a hand by rank."""

_MOST_SETS = 64
"""Sets of groups that are looked for; no hand of a person's size has more that differ in anything that matters."""


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
    if rules.foot_seen and _is_legal(state, PEEK):
        moves.append(PEEK)
    drawable = can_draw(state)
    if drawable:
        moves.append(DRAW)
    if state.pile and rules.pile_take != "none":
        moves += _claims(state)
    if rules.ask_wilds and not state.wilds_asked and _is_legal(state, WILDS):
        moves.append(WILDS)
    if not drawable:
        moves.append(END)
    return moves


def _play_choices(state: Position) -> list[Move]:
    rules = state.rules
    moves = list(card_moves(state))
    if rules.permission != "none" and _is_legal(state, ASK):
        moves.append(ASK)
    if rules.ask_wilds and not state.wilds_asked and _is_legal(state, WILDS):
        moves.append(WILDS)
    hand = state.hands[state.turn]
    maybe_end = state.last_red_three or len(hand) < 2 or not moves
    if (maybe_end or all_kept(state, state.melds[state.team], hand)) and _is_legal(state, END):
        moves.append(END)
    return moves


def _is_legal(state: Position, move: Move) -> bool:
    return type(judge(state, move)) is not Refusal


def spans_of(hand: Cards) -> Spans:
    """The cards of a sorted hand by rank, ranks ascending."""
    ranks = hand.translate(RANK_OF)
    spans, start = {}, 0
    while start < len(ranks):
        count = ranks.count(ranks[start])
        spans[ranks[start]] = hand[start : start + count]
        start += count
    return spans


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
        if (plenty and not (locked and completes) and cards[0] // 4 != THREE) or _is_legal(state, move):
            yield move
    if minimum:
        yield from _openings(state, spans)
    else:
        yield from _whole_hand(state, spans)
    banned = RED_THREES + state.rules.kept if keeping else RED_THREES
    yield from _discards(state, spans, banned, plain=len(hand) > 1 and not state.last_red_three)


def _lays(free: Cards, cards: Cards) -> bool:
    """Whether laying the cards uses up all that might be discarded."""
    return not (without(free, bytes([card for card in cards if card in free])) or b"")


def _discards(state: Position, spans: Spans, banned: Cards, *, plain: bool) -> Iterator[Move]:
    """A discard of each rank, none of the `banned`; where it is `plain` that any other will do, no more is asked."""
    for cards in spans.values():
        card = cards[0]
        if card not in banned and (plain or _is_legal(state, DISCARDS[card])):
            yield DISCARDS[card]


# Melds of one group


@lru_cache(maxsize=65536)
def _additions(
    limits: tuple[int, ...], grows: bool, held: int, wild: int, naturals: int, twos: int, jokers: int
) -> tuple[tuple[int, int, int], ...]:
    """Ways to lay some of `naturals`, `twos`, `jokers` on a meld of `held` cards, `wild` of them wild."""
    ways = []
    most = limits[-1]
    for total in range(1, naturals + twos + jokers + 1):
        size = held + total
        if size < 3:
            continue
        if size > BOOK and not grows:
            break
        limit = most if size > BOOK else limits[size - 3]
        for wilds in range(max(0, total - naturals), min(limit - wild, total) + 1):
            for joker_count in range(max(0, wilds - twos), min(jokers, wilds) + 1):
                ways.append((total - wilds, wilds - joker_count, joker_count))
    return tuple(ways)


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
        ways = _additions(limits, grows, held, wild, len(cards), len(twos) if free else 0, len(jokers) if free else 0)
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


# Sets of groups


def _group_ways(state: Position, spans: Spans, *, twos: int, jokers: int) -> dict[int, list[tuple[int, int, int]]]:
    """For each rank of the hand, the ways to start a meld with all the naturals it can hold and some wild cards."""
    rules = state.rules
    ways: dict[int, list[tuple[int, int, int]]] = {}
    for rank, cards in spans.items():
        if FOUR <= rank < JOKER:
            most = len(cards) if rules.books_grow else min(len(cards), BOOK)
            free = rank not in rules.pure
            found = _additions(rules.wild_limits, rules.books_grow, 0, 0, most, twos * free, jokers * free)
            if best := [way for way in found if way[0] == most]:
                ways[rank] = best
    return ways


def _openings(state: Position, spans: Spans, claimed: Move | None = None) -> Iterator[Move]:
    """Sets of new groups that reach the opening minimum together, none of which can be left out.

    With `claimed`, a claim whose cards are out of `spans` already, the sets go with it.
    """
    values = state.rules.card_values
    need = state.minimum
    if claimed:
        need -= sum(values[card] for card in claimed.groups[0].cards) + values[state.pile[0]]
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    ways = _group_ways(state, spans, twos=len(twos), jokers=len(jokers))
    worth = {rank: values[spans[rank][0]] for rank in ways}
    two_worth, joker_worth = values[WILD_CARDS[0]], values[WILD_CARDS[4]]
    reach = sum(worth[rank] * found[0][0] for rank, found in ways.items())
    if reach + len(twos) * two_worth + len(jokers) * joker_worth < need:
        return
    if state.rules.wild_melds and len(twos) + len(jokers) >= 3:
        ways[WILD] = [
            (0, two, joker) for two in range(len(twos) + 1) for joker in range(len(jokers) + 1) if two + joker >= 3
        ]
        worth[WILD] = 0
    ranks = sorted(ways, key=lambda rank: -worth[rank])
    count = 0
    for chosen in _minimal_sets(ranks, ways, worth, need, (len(twos), len(jokers), two_worth, joker_worth)):
        if len(chosen) < 2 and not claimed:
            continue  # a single group is among the single melds already
        groups = []
        two_start = joker_start = 0
        for rank, (natural, two, joker) in chosen:
            wilds = twos[two_start : two_start + two], jokers[joker_start : joker_start + joker]
            cards = wilds[0] + spans.get(rank, b"")[:natural] + wilds[1]
            groups.append(Group(WILD if rank == WILD else None, cards))
            two_start, joker_start = two_start + two, joker_start + joker
        move = Move("take", claimed.groups + tuple(groups)) if claimed else Move("meld", tuple(groups))
        if _is_legal(state, move):
            yield move
            count += 1
            if count >= _MOST_SETS:
                return


def _minimal_sets(
    ranks: list[int],
    ways: dict[int, list[tuple[int, int, int]]],
    worth: dict[int, int],
    need: int,
    wild: tuple[int, int, int, int],
) -> Iterator[tuple[tuple[int, tuple[int, int, int]], ...]]:
    """Sets of at most one way a rank that are worth `need` together and less without any one of them."""
    twos, jokers, two_worth, joker_worth = wild
    reach = [0] * (len(ranks) + 1)
    for index in reversed(range(len(ranks))):
        reach[index] = reach[index + 1] + worth[ranks[index]] * ways[ranks[index]][0][0]
    Chosen = tuple[tuple[int, tuple[int, int, int]], ...]
    stack: list[tuple[int, int, int, int, int, Chosen]] = [(0, need, twos, jokers, need + 1, ())]
    steps = 0
    while stack and steps < 4000:
        steps += 1
        index, missing, two_left, joker_left, least, chosen = stack.pop()
        if missing <= 0:
            if least + missing > 0:  # without its least group the set falls short
                yield chosen
            continue
        if index == len(ranks) or reach[index] + two_left * two_worth + joker_left * joker_worth < missing:
            continue
        stack.append((index + 1, missing, two_left, joker_left, least, chosen))
        rank = ranks[index]
        for way in reversed(ways[rank]):
            natural, two, joker = way
            if two <= two_left and joker <= joker_left:
                points = natural * worth[rank] + two * two_worth + joker * joker_worth
                rest = (two_left - two, joker_left - joker)
                stack.append((index + 1, missing - points, *rest, min(least, points), (*chosen, (rank, way))))


def _whole_hand(state: Position, spans: Spans) -> Iterator[Move]:
    """One move that lays the whole hand, or all but one card, where it takes several groups to go out."""
    if state.feet[state.turn] is not None or len(spans) < 2 or _wanting(state, spans) > 2:
        return
    everything = _lay_all(state, spans)
    if everything and len(everything) > 1:
        move = Move("meld", everything)
        if _is_legal(state, move):
            yield move
    for rank, cards in spans.items():
        rest = {r: c for r, c in spans.items() if r != rank} | ({rank: cards[1:]} if len(cards) > 1 else {})
        groups = _lay_all(state, rest)
        if groups and len(groups) > 1:
            move = Move("meld", groups)
            if _is_legal(state, move):
                yield move


def _wanting(state: Position, spans: Spans) -> int:
    """How many wild cards more than there are it would take to give every natural card of the hand a place."""
    on_table = {meld.name for meld in state.melds[state.team] if len(meld.cards) < BOOK or state.rules.books_grow}
    wild = len(spans.get(TWO, b"")) + len(spans.get(JOKER, b""))
    short = [3 - len(cards) for rank, cards in spans.items() if rank not in on_table and TWO < rank < JOKER]
    return sum(need for need in short if need > 0) - wild


def _lay_all(state: Position, spans: Spans) -> tuple[Group, ...] | None:
    """Groups that use every one of the cards, as far as a plain look finds them: naturals by rank, then the wild cards."""
    rules, melds = state.rules, state.melds[state.team]
    groups: list[Group] = []
    wild = list(spans.get(TWO, b"") + spans.get(JOKER, b""))
    rooms = []
    for rank in range(THREE, JOKER):
        cards = spans.get(rank, b"")
        held, used = next(((len(m.cards), m.wild) for m in melds if m.name == rank and len(m.cards) < BOOK), (0, 0))
        if rules.books_grow and not held:
            held, used = next(((len(m.cards), m.wild) for m in melds if m.name == rank), (0, 0))
        if not cards and not held:
            continue
        need = max(0, 3 - held - len(cards)) if cards else 0
        if need > len(wild) or (need and rank in rules.pure):
            return None
        group = cards + bytes(wild[:need])
        del wild[:need]
        if group:
            groups.append(Group(None, group))
        if rank not in rules.pure and rank != THREE:
            rooms.append((rank, held + len(group), used + need, len(groups) - 1 if group else None))
    if wild:
        held = next((len(m.cards) for m in melds if m.name == WILD and (len(m.cards) < BOOK or rules.books_grow)), 0)
        if rules.wild_melds and held + len(wild) >= 3 and (held + len(wild) <= BOOK or rules.books_grow):
            groups.append(Group(WILD, bytes(wild)))
        elif not _spread(rules.wild_limits, rules.books_grow, wild, rooms, groups):
            return None
    return tuple(groups)


def _spread(
    limits: tuple[int, ...],
    grows: bool,
    wild: list[int],
    rooms: list[tuple[int, int, int, int | None]],
    groups: list[Group],
) -> bool:
    """Spread the wild cards over the melds that have room, changing `groups`; whether all found a place."""
    for rank, size, used, index in rooms:
        count = 0
        while count < len(wild):
            grown = size + count + 1
            if (grown > BOOK and not grows) or used + count + 1 > limits[min(grown, BOOK) - 3]:
                break
            count += 1
        if count:
            cards, wild = bytes(wild[:count]), wild[count:]
            if index is None:
                groups.append(Group(rank, cards))
            else:
                groups[index] = Group(None, groups[index].cards + cards)
    return not wild


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
            yield from _openings(state, rest, move)


def _least_match(state: Position) -> int:
    """How many naturals of the top card's rank a claim needs at least."""
    if state.frozen or state.rules.pile_claim == "natural_pair":
        return 2
    return {"one_match": 1, "legal_meld": 0}.get(state.rules.pile_claim, 100)
