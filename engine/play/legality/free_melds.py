"""Melds to offer where a rank may have several, or books take only some cards: each pattern is tried once."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from engine.play.cards import BLACK_THREES, FOUR, JOKER, RED_THREES, SEVEN, THREE, TWO, WILD_CARDS, ByRank, Cards
from engine.play.legality.card_verdicts import judge_meld
from engine.play.legality.laying import Laid
from engine.play.melds import Meld, place
from engine.play.move_list import FreeWay, Offer, meld_of
from engine.play.moves import GARBAGE, WILD, Group, Move, single_meld
from engine.play.refusals import Refusal
from engine.play.rules import Rules
from engine.play.state import Position

_Shape = tuple[int, int, bool]
"""A meld on the table: its cards, the wild ones among them, and whether it stays clean with them."""
_WaysOf = Callable[[int, tuple[_Shape, ...], int, int, int, int], tuple[FreeWay, ...]]
_SOME_RANK = -1
"""Stands for every rank that may have wild cards: all of them have the same ways, which are tried once."""


def free_offers(state: Position, ranks: ByRank) -> list[Offer]:
    """Melds to offer, of groups that lead to the same melds the first: by rank from three to ace, then wild cards."""
    rules = state.rules
    twos, jokers = len(ranks[TWO]), len(ranks[JOKER])
    on_table = _shapes_by_name(state.melds[state.team])
    ways_of = _ways_of(rules)
    offers: list[Offer] = []
    if rules.black_three_meld != "never":
        offers += _threes(state, ranks, ways_of, on_table.get(THREE, ()))
    pure, fewest = rules.pure, max(rules.fewest_naturals, 3 - twos - jokers)
    for rank, cards in enumerate(ranks[FOUR:JOKER], FOUR):
        alike = on_table.get(rank, ())
        if not (cards or twos or jokers) if alike else len(cards) < fewest:
            continue
        if rank in pure:
            ways = ways_of(rank, alike, len(cards), 0, 0, 0)
        else:
            ways = ways_of(_SOME_RANK, alike, len(cards), 0, twos, jokers)
        if ways:
            offers.append((rank, 0, ways))
    if rules.wild_melds and (ways := ways_of(WILD, on_table.get(WILD, ()), 0, 0, twos, jokers)):
        offers.append((WILD, 0, ways))
    return offers


def _threes(state: Position, ranks: ByRank, ways_of: _WaysOf, alike: tuple[_Shape, ...]) -> list[Offer]:
    """The same for threes, if there are any to offer."""
    rules = state.rules
    threes = ranks[THREE].translate(None, rules.never_melded)
    if not (threes or alike):
        return []
    black = len(threes.translate(None, RED_THREES))
    ways = ways_of(THREE, alike, black, len(threes) - black, len(ranks[TWO]), len(ranks[JOKER]))
    if rules.black_three_meld == "going_out":
        least = len(state.hands[state.turn]) - 1
        enough = [way for way in ways if sum(way[:4]) >= least]
        ways = tuple([way for way in enough if type(judge_meld(state, meld_of(ranks, THREE, way))) is Laid])
    return [(THREE, 0, ways)] if ways else []


def _shapes_by_name(melds: tuple[Meld, ...]) -> dict[int, tuple[_Shape, ...]]:
    """The shapes of the melds of each name."""
    shapes: dict[int, tuple[_Shape, ...]] = {}
    for name, cards, wild, keeps in melds:
        shapes[name] = (*shapes.get(name, ()), (len(cards), wild, keeps))
    return shapes


def free_garbage(state: Position, ranks: ByRank) -> list[Move]:
    """The legal melds of garbage, of each rank from few cards to many."""
    moves: list[Move] = []
    for rank in {m.name for m in state.melds[state.team] if m.is_book and m.name not in (SEVEN, WILD)}:
        naturals = ranks[rank].translate(None, state.rules.never_melded)
        moves += [single_meld(GARBAGE, naturals[:count]) for count in range(1, len(naturals) + 1)]
    return [move for move in moves if type(judge_meld(state, move)) is Laid]


@lru_cache(maxsize=32)
def _ways_of(rules: Rules) -> _WaysOf:
    """`_ways` with these rules, cached."""
    return lru_cache(maxsize=4096)(partial(_ways, rules))


def _ways(
    rules: Rules, name: int, alike: tuple[_Shape, ...], black: int, red: int, twos: int, jokers: int
) -> tuple[FreeWay, ...]:
    """The ways to meld a rank or wild cards beside these melds of that name, with at most so many cards.

    Each is judged once. They go from few natural cards to many, then from few wild ones.
    """
    if name == _SOME_RANK:
        name = next(rank for rank in range(FOUR, JOKER) if rank not in rules.pure)
    most = 0 if name in rules.pure else twos + jokers if name == WILD else rules.wild_limits[-1]
    if most and rules.wild_beyond != "limit":
        most = max([most, *[held + black + red for held, _, _ in alike], black + red])
    on_table = [Meld(name, bytes(held), wild, keeps) for held, wild, keeps in alike]
    natural = BLACK_THREES[0] if name == THREE else 4 * name
    wilds = [(t, j) for t in range(twos + 1) for j in range(jokers + 1) if t + j <= most]
    wilds.sort(key=sum)
    ways: list[FreeWay] = []
    for count in range(0 if alike or name == WILD else 1, black + red + 1):
        for number in range(max(0, count - red), min(count, black) + 1):
            cards = bytes([natural]) * number + RED_THREES[:1] * (count - number)
            for t, j in wilds:
                if not count + t + j:
                    continue
                results: list[list[Meld]] = []
                for group in variants(Group(None if count else name, cards + WILD_CARDS[:1] * t + WILD_CARDS[-1:] * j)):
                    melds = on_table.copy()
                    placed = place(rules, melds, name, group.cards, is_new=group.is_new, is_mixed=group.is_mixed)
                    if not isinstance(placed, Refusal) and melds not in results:
                        results.append(melds)
                        pairs = zip(on_table, melds, strict=False)
                        held = next((len(old.cards) for old, new in pairs if old != new), 0)
                        ways.append(FreeWay(number, t, j, count - number, group.is_new, group.is_mixed, held))
                    if not alike:
                        break
    return tuple(ways)


def variants(group: Group) -> tuple[Group, ...]:
    """The group as it is, as a new meld, and for the meld with wild cards."""
    if group.name in (WILD, GARBAGE):
        return (group, group._replace(is_new=True)) if group.name == WILD else (group,)
    rank = next((card // 4 for card in group.cards if TWO < card // 4 < JOKER), group.name)
    return group, group._replace(is_new=True), group._replace(name=rank, is_mixed=True)


def pick(cards: Cards, count: int) -> list[Cards]:
    """Ways to choose so many of the cards of one rank: all are equal, but for the colour of threes."""
    black, red = cards.translate(None, RED_THREES), bytes([card for card in cards if card in RED_THREES])
    if not red:
        return [cards[:count]]
    least, most = max(0, count - len(red)), min(count, len(black))
    return [black[:number] + red[: count - number] for number in range(least, most + 1)]
