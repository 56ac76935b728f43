"""Ways to lay cards: what may join a meld, and sets of groups that reach a minimum or lay the whole hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from engine.play.cards import FOUR, JOKER, THREE, TWO, WILD_CARDS, ByRank, Cards, Spans, spans_in
from engine.play.legality.card_verdicts import Verdict, judge_draw_top, judge_meld, judge_take
from engine.play.legality.going_out import contract_missing, is_out_barred
from engine.play.legality.laying import Laid
from engine.play.melds import BOOK
from engine.play.move_list import Way
from engine.play.moves import WILD, Group, Move
from engine.play.refusals import Code, Refusal
from engine.play.state import Position

Additions = Callable[[int, int, int], tuple[Way, ...]]
_Chosen = tuple[tuple[int, Way], ...]
"""Ranks, or `WILD`, and the way to lay each."""
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


def _group_ways(state: Position, spans: Spans, *, twos: int, jokers: int) -> dict[int, tuple[Way, ...]]:
    """For each rank of the hand, the ways to start a meld with all the naturals it can hold and some wild cards."""
    rules = state.rules
    limits, grows = rules.wild_limits, rules.grows
    ways: dict[int, tuple[Way, ...]] = {}
    growing = {}
    if rules.each_opens:  # the player may add to melds that a partner laid
        growing = {m.name: m for m in reversed(state.melds[state.team]) if len(m.cards) < BOOK or grows}
    for rank, cards in spans.items():
        if FOUR <= rank < JOKER or (rank == THREE and rules.black_three_meld == "always"):
            old = growing.get(rank)
            held, wild = (len(old.cards), old.wild) if old else (0, 0)
            count = len(cards.translate(None, rules.never_melded)) if rank == THREE else len(cards)
            most = count if grows else min(count, BOOK - held)
            most_wild = (0, 0) if rank in rules.pure else (twos, jokers)
            if best := _ways_with_all(limits, grows, *most_wild, held, wild, most):
                ways[rank] = best
    return ways


@lru_cache(maxsize=4096)
def _ways_with_all(
    limits: tuple[int, ...], grows: bool, twos: int, jokers: int, held: int, wild: int, naturals: int
) -> tuple[Way, ...]:
    """Those of `additions_of` that use all natural cards."""
    ways = _additions(limits, grows, twos, jokers, held, wild, naturals)
    return tuple([way for way in ways if way[0] == naturals])


def openings(state: Position, spans: Spans, claimed: Move | None = None) -> Iterator[Move]:
    """Sets of new groups that reach the opening minimum together, none of which can be left out.

    With `claimed`, a claim whose cards are out of `spans` already, the sets go with it.
    """
    values = state.rules.opening_values
    need = state.minimum
    if claimed:
        need -= sum(map(values.__getitem__, claimed.groups[0].cards)) + values[state.pile[0]]
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    two_worth, joker_worth = values[WILD_CARDS[0]], values[WILD_CARDS[4]]
    ways = _group_ways(state, spans, twos=len(twos), jokers=len(jokers))
    naturals = {rank: spans[rank] for rank in ways}
    if THREE in naturals:
        naturals[THREE] = naturals[THREE].translate(None, state.rules.never_melded)
    worth = {rank: values[cards[0]] for rank, cards in naturals.items()}
    reach = len(twos) * two_worth + len(jokers) * joker_worth
    for rank, options in ways.items():
        reach += worth[rank] * options[0][0]
    if reach < need:
        return
    if state.rules.wild_melds and len(twos) + len(jokers) >= 3:
        ways[WILD] = tuple(
            [(0, two, joker) for two in range(len(twos) + 1) for joker in range(len(jokers) + 1) if two + joker >= 3]
        )
        worth[WILD] = 0
    ranks = sorted(ways, key=worth.__getitem__, reverse=True)
    wild_worth = (len(twos), len(jokers), two_worth, joker_worth)
    unasked = _Unasked(state, claimed)
    count = 0
    for chosen in _minimal_sets(ranks, ways, worth, need, wild_worth):
        if len(chosen) < 2 and not claimed:
            continue  # a single group is among the single melds already
        groups = _groups_of(chosen, naturals, twos, jokers)
        move = Move(claimed.kind, claimed.groups + groups) if claimed else Move("meld", groups)
        if unasked.allows(groups) or type(_judge_opening(state, move)) is Laid:
            yield move
            count += 1
            if count >= _MOST_SETS:
                return


def _judge_opening(state: Position, move: Move) -> Verdict:
    if move.kind == "meld":
        return judge_meld(state, move)
    return judge_take(state, move) if move.kind == "take" else judge_draw_top(state, move)


def _groups_of(chosen: _Chosen, naturals: Spans, twos: Cards, jokers: Cards) -> tuple[Group, ...]:
    """The groups of a set, which share the wild cards out in their order."""
    groups = []
    for rank, (natural, two, joker) in chosen:
        cards = twos[:two] + naturals.get(rank, b"")[:natural] + jokers[:joker]
        groups.append(Group(WILD if rank == WILD else None, cards))
        twos, jokers = twos[two:], jokers[joker:]
    return tuple(groups)


class _Unasked:
    """Which groups can open together, if they are melds and worth enough, without a question of anything else."""

    def __init__(self, state: Position, claimed: Move | None) -> None:
        rules, hand = state.rules, state.hands[state.turn]
        self.state, self.claimed = state, claimed
        self.most = BOOK if rules.book_lock == "none" else BOOK - 1
        """Cards of a group: books may be locked."""
        self.room = 0
        """Cards of all groups, so that a card stays to be discarded."""
        if rules.is_plain and not rules.opening_terms and not state.melds[state.team]:
            self.room = min(len(hand) - 2, len(hand.translate(None, rules.kept_cards)) - 1)
        self.only_short: bool | None = None
        """Whether nothing but their worth is wrong with the cards that claim; `None` until somebody asks."""

    def allows(self, groups: tuple[Group, ...]) -> bool:
        """Whether these groups, and the cards that claim with them, are surely legal."""
        claiming = len(self.claimed.groups[0].cards) if self.claimed else 0
        sizes = [len(group.cards) for group in groups]
        if claiming + sum(sizes) > self.room or (sizes and max(sizes) > self.most):
            return False
        if self.claimed and self.only_short is None:
            alone = _judge_opening(self.state, self.claimed)
            self.only_short = type(alone) is Refusal and alone.code is Code.BELOW_MINIMUM
        return not self.claimed or bool(self.only_short)


def _minimal_sets(
    ranks: list[int],
    ways: dict[int, tuple[Way, ...]],
    worth: dict[int, int],
    need: int,
    wild: tuple[int, int, int, int],
) -> Iterator[_Chosen]:
    """Sets of at most one way a rank that are worth `need` together and less without any one of them."""
    twos, jokers, two_worth, joker_worth = wild
    reach = [0] * (len(ranks) + 1)
    for index in reversed(range(len(ranks))):
        reach[index] = reach[index + 1] + worth[ranks[index]] * ways[ranks[index]][0][0]
    stack: list[tuple[int, int, int, int, int, _Chosen]] = [(0, need, twos, jokers, need + 1, ())]
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
        rank = ranks[index]
        index += 1
        if index < len(ranks):
            stack.append((index, missing, two_left, joker_left, least, chosen))
        for way in reversed(ways[rank]):
            natural, two, joker = way
            if two <= two_left and joker <= joker_left:
                points = natural * worth[rank] + two * two_worth + joker * joker_worth
                rest = missing - points
                if rest <= 0 or index < len(ranks):
                    left = (two_left - two, joker_left - joker)
                    stack.append((index, rest, *left, min(least, points), (*chosen, (rank, way))))


def whole_hand(state: Position, ranks: ByRank) -> Iterator[Move]:
    """A move that lays the whole hand, or all but one card, if it takes several groups to go out."""
    if state.feet[state.turn] is not None:
        if "empty_hand" not in state.rules.opening_terms or state.has_opened:
            return
    elif not state.last_red_three and is_out_barred(state):
        return
    spans = spans_in(ranks)
    if len(spans) < 2:
        return
    on_table = _growing(state)
    wanting = _wanting(on_table, spans)
    if wanting > 2 or _lacks_books(state):
        return
    everything = _lay_all(state, on_table, spans) if wanting <= 0 else None
    if everything and len(everything) > 1:
        move = Move("meld", everything)
        if type(judge_meld(state, move)) is Laid:
            yield move
    for rank, cards in spans.items():
        if wanting > 0 and (len(cards) > 1 or not TWO < rank < JOKER):
            continue  # as many wild cards are missing without it
        rest = {r: c for r, c in spans.items() if r != rank} | ({rank: cards[1:]} if len(cards) > 1 else {})
        groups = _lay_all(state, on_table, rest)
        if groups and len(groups) > 1:
            move = Move("meld", groups)
            if type(judge_meld(state, move)) is Laid:
                yield move


_Growing = dict[int, tuple[int, int]]
"""By name the cards and the wild cards of the team's meld that may still grow."""


def _growing(state: Position) -> _Growing:
    growing: _Growing = {}
    books: _Growing = {}
    for name, cards, wild, _ in reversed(state.melds[state.team]):
        (growing if len(cards) < BOOK else books)[name] = (len(cards), wild)
    return books | growing if state.rules.grows else growing


def _wanting(on_table: _Growing, spans: Spans) -> int:
    """Number of missing wild cards if every natural card of the hand got a place."""
    wanting = -len(spans.get(TWO, b"")) - len(spans.get(JOKER, b""))
    for rank, cards in spans.items():
        if len(cards) < 3 and TWO < rank < JOKER and rank not in on_table:
            wanting += 3 - len(cards)
    return wanting


def _lacks_books(state: Position) -> bool:
    """Whether the hand has too few cards for the books that the contract still asks for, wherever they go."""
    seat, melds = state.turn, state.melds[state.team]
    if state.rules.grows or state.last_red_three or state.out_by is not None or state.feet[seat] is not None:
        return False
    missing = sum(contract_missing(state, state.team, melds).values())
    short = sorted([BOOK - len(meld.cards) for meld in melds if len(meld.cards) < BOOK] + [BOOK] * missing)
    return sum(short[:missing]) > len(state.hands[seat])


def _lay_all(state: Position, on_table: _Growing, spans: Spans) -> tuple[Group, ...] | None:
    """Groups that use every one of the cards, as far as a plain look finds them: naturals by rank, then the wild cards."""
    rules = state.rules
    groups: list[Group] = []
    wild = list(spans.get(TWO, b"") + spans.get(JOKER, b""))
    rooms = []
    for rank in range(THREE, JOKER):
        cards = spans.get(rank, b"")
        if rank == THREE and len(cards) > len(cards.translate(None, rules.never_melded)):
            return None
        held, used = on_table.get(rank, (0, 0))
        if not cards and not held:
            continue
        need = max(0, 3 - held - len(cards)) if cards else 0
        size = held + len(cards) + need
        if need > len(wild) or (need and (rank in rules.pure or need > rules.wild_limits[0])):
            return None
        if size > BOOK and rules.has_single_melds and not rules.grows:
            return None
        group = cards + bytes(wild[:need])
        del wild[:need]
        if group:
            groups.append(Group(None, group))
        if rank not in rules.pure and rank != THREE:
            rooms.append((rank, size, used + need, len(groups) - 1 if group else None))
    if wild:
        held = on_table.get(WILD, (0, 0))[0]
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
