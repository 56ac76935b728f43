"""Ways to lay cards: what may join a meld, and sets of groups that reach a minimum or lay the whole hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from engine.play.cards import FOUR, JOKER, THREE, TWO, WILD_CARDS, ByRank, Spans, spans_in
from engine.play.legality.card_verdicts import judge_draw_top, judge_meld, judge_take
from engine.play.legality.going_out import contract_missing, is_out_barred
from engine.play.legality.laying import Laid
from engine.play.melds import BOOK
from engine.play.move_list import Way
from engine.play.moves import WILD, Group, Move
from engine.play.state import Position

Additions = Callable[[int, int, int], tuple[Way, ...]]
_MOST_SETS = 64
"""Sets of groups that are looked for; no hand of a person's size has more that differ in anything that matters."""


@lru_cache(maxsize=1024)
def additions_of(limits: tuple[int, ...], grows: bool, twos: int, jokers: int) -> Additions:
    """Ways to lay some of the natural cards of a rank with some of `twos` and `jokers`, cached.

    It takes the number of cards of the meld that they join, how many of these are wild, and the number of natural cards.
    """
    return lru_cache(maxsize=4096)(partial(_additions, limits, grows, twos, jokers))


def _additions(
    limits: tuple[int, ...], grows: bool, twos: int, jokers: int, held: int, wild: int, naturals: int
) -> tuple[Way, ...]:
    ways: list[Way] = []
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


def _group_ways(state: Position, spans: Spans, *, twos: int, jokers: int) -> dict[int, list[tuple[int, int, int]]]:
    """For each rank of the hand, the ways to start a meld with all the naturals it can hold and some wild cards."""
    rules = state.rules
    ways: dict[int, list[tuple[int, int, int]]] = {}
    natural_ways = additions_of(rules.wild_limits, rules.grows, 0, 0)
    mixed_ways = additions_of(rules.wild_limits, rules.grows, twos, jokers)
    growing = {}
    if rules.each_opens:  # the player may add to melds that a partner laid
        growing = {m.name: m for m in reversed(state.melds[state.team]) if len(m.cards) < BOOK or rules.grows}
    for rank, cards in spans.items():
        if FOUR <= rank < JOKER or (rank == THREE and rules.black_three_meld == "always"):
            old = growing.get(rank)
            held, wild = (len(old.cards), old.wild) if old else (0, 0)
            count = len(cards.translate(None, rules.never_melded)) if rank == THREE else len(cards)
            most = count if rules.grows else min(count, BOOK - held)
            ways_of = natural_ways if rank in rules.pure else mixed_ways
            if best := [way for way in ways_of(held, wild, most) if way[0] == most]:
                ways[rank] = best
    return ways


def openings(state: Position, spans: Spans, claimed: Move | None = None) -> Iterator[Move]:
    """Sets of new groups that reach the opening minimum together, none of which can be left out.

    With `claimed`, a claim whose cards are out of `spans` already, the sets go with it.
    """
    values = state.rules.opening_values
    need = state.minimum
    if claimed:
        need -= sum(values[card] for card in claimed.groups[0].cards) + values[state.pile[0]]
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    ways = _group_ways(state, spans, twos=len(twos), jokers=len(jokers))
    naturals = {rank: spans[rank].translate(None, state.rules.never_melded) for rank in ways}
    worth = {rank: values[naturals[rank][0]] for rank in ways}
    two_worth, joker_worth = values[WILD_CARDS[0]], values[WILD_CARDS[4]]
    reach = sum(worth[rank] * options[0][0] for rank, options in ways.items())
    if reach + len(twos) * two_worth + len(jokers) * joker_worth < need:
        return
    if state.rules.wild_melds and len(twos) + len(jokers) >= 3:
        ways[WILD] = [
            (0, two, joker) for two in range(len(twos) + 1) for joker in range(len(jokers) + 1) if two + joker >= 3
        ]
        worth[WILD] = 0
    ranks = sorted(ways, key=lambda rank: -worth[rank])
    room = _room_to_open(state)
    count = 0
    for chosen in _minimal_sets(ranks, ways, worth, need, (len(twos), len(jokers), two_worth, joker_worth)):
        if len(chosen) < 2 and not claimed:
            continue  # a single group is among the single melds already
        groups = []
        two_start = joker_start = 0
        is_sure = True
        for rank, (natural, two, joker) in chosen:
            wilds = twos[two_start : two_start + two], jokers[joker_start : joker_start + joker]
            cards = wilds[0] + naturals.get(rank, b"")[:natural] + wilds[1]
            groups.append(Group(WILD if rank == WILD else None, cards))
            is_sure = is_sure and len(cards) <= BOOK
            two_start, joker_start = two_start + two, joker_start + joker
        if claimed:
            move = Move(claimed.kind, claimed.groups + tuple(groups))
            judge = judge_take if claimed.kind == "take" else judge_draw_top
            is_legal = type(judge(state, move)) is Laid
        else:
            move = Move("meld", tuple(groups))
            is_sure = is_sure and sum([len(group.cards) for group in groups]) <= room
            is_legal = is_sure or type(judge_meld(state, move)) is Laid
        if is_legal:
            yield move
            count += 1
            if count >= _MOST_SETS:
                return


def _room_to_open(state: Position) -> int:
    """Cards that can open together if they are melds and worth enough, without a question of anything else."""
    rules, seat = state.rules, state.turn
    if not rules.is_plain or rules.opening_terms or rules.kept_cards or rules.book_lock != "none":
        return 0
    return 0 if state.melds[state.team] else len(state.hands[seat]) - 2


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


def whole_hand(state: Position, ranks: ByRank) -> Iterator[Move]:
    """A move that lays the whole hand, or all but one card, if it takes several groups to go out."""
    if state.feet[state.turn] is not None:
        if "empty_hand" not in state.rules.opening_terms or state.has_opened:
            return
    elif not state.last_red_three and is_out_barred(state):
        return
    spans = spans_in(ranks)
    if len(spans) < 2 or (wanting := _wanting(state, spans)) > 2 or _lacks_books(state):
        return
    everything = _lay_all(state, spans) if wanting <= 0 else None
    if everything and len(everything) > 1:
        move = Move("meld", everything)
        if type(judge_meld(state, move)) is Laid:
            yield move
    for rank, cards in spans.items():
        if wanting > 0 and (len(cards) > 1 or not TWO < rank < JOKER):
            continue  # as many wild cards are missing without it
        rest = {r: c for r, c in spans.items() if r != rank} | ({rank: cards[1:]} if len(cards) > 1 else {})
        groups = _lay_all(state, rest)
        if groups and len(groups) > 1:
            move = Move("meld", groups)
            if type(judge_meld(state, move)) is Laid:
                yield move


def _wanting(state: Position, spans: Spans) -> int:
    """Number of missing wild cards if every natural card of the hand got a place."""
    on_table = {meld.name for meld in state.melds[state.team] if len(meld.cards) < BOOK or state.rules.grows}
    wild = len(spans.get(TWO, b"")) + len(spans.get(JOKER, b""))
    short = [3 - len(cards) for rank, cards in spans.items() if rank not in on_table and TWO < rank < JOKER]
    return sum(need for need in short if need > 0) - wild


def _lacks_books(state: Position) -> bool:
    """Whether the hand has too few cards for the books that the contract still asks for, wherever they go."""
    seat, melds = state.turn, state.melds[state.team]
    if state.rules.grows or state.last_red_three or state.out_by is not None or state.feet[seat] is not None:
        return False
    missing = sum(contract_missing(state, state.team, melds).values())
    short = sorted([BOOK - len(meld.cards) for meld in melds if len(meld.cards) < BOOK] + [BOOK] * missing)
    return sum(short[:missing]) > len(state.hands[seat])


def _lay_all(state: Position, spans: Spans) -> tuple[Group, ...] | None:
    """Groups that use every one of the cards, as far as a plain look finds them: naturals by rank, then the wild cards."""
    rules, melds = state.rules, state.melds[state.team]
    groups: list[Group] = []
    wild = list(spans.get(TWO, b"") + spans.get(JOKER, b""))
    rooms = []
    on_table = {m.name: (len(m.cards), m.wild) for m in reversed(melds)} if rules.grows else {}
    on_table |= {m.name: (len(m.cards), m.wild) for m in reversed(melds) if len(m.cards) < BOOK}
    for rank in range(THREE, JOKER):
        cards = spans.get(rank, b"")
        if rank == THREE and len(cards) > len(cards.translate(None, rules.never_melded)):
            return None
        held, used = on_table.get(rank, (0, 0))
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
        held = next((len(m.cards) for m in melds if m.name == WILD and (len(m.cards) < BOOK or rules.grows)), 0)
        if rules.wild_melds and held + len(wild) >= 3 and (held + len(wild) <= BOOK or rules.grows):
            groups.append(Group(WILD, bytes(wild)))
        elif not _spread(rules.wild_limits, rules.grows, wild, rooms, groups):
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
