"""Melds to offer where a rank may have several, or books take only some cards: each pattern is tried once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.play.cards import BLACK_THREES, FOUR, JOKER, RED_THREES, SEVEN, THREE, TWO, WILD_CARDS, Cards, Spans
from engine.play.legality.card_verdicts import judge_meld
from engine.play.legality.laying import Laid
from engine.play.melds import BOOK, Meld, place
from engine.play.moves import GARBAGE, WILD, Group, Move, single_meld
from engine.play.refusals import Refusal
from engine.play.rules import Rules
from engine.play.state import Position

FreeOffer = tuple[tuple[Move], int]
"""A meld of one group with a legal shape, and the cards on the table that it joins."""
_Shape = tuple[int, int, bool]
"""A meld on the table: its cards, the wild ones among them, and whether it stays clean with them."""


def free_offers(state: Position, spans: Spans) -> Iterator[FreeOffer]:
    """The melds of one group with a legal shape; of groups that lead to the same melds the first."""
    rules, melds = state.rules, state.melds[state.team]
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    shapes: dict[int, tuple[_Shape, ...]] = {}
    for name, cards, wild, keeps in melds:
        shapes[name] = (*shapes.get(name, ()), (len(cards), wild, keeps))
    wild_count = len(twos) + len(jokers)
    for rank in sorted(spans.keys() | shapes.keys()) if wild_count else spans:
        if not THREE <= rank < JOKER or (rank == THREE and rules.black_three_meld == "never"):
            continue
        naturals, alike = meldable(state, spans, rank), shapes.get(rank, ())
        if not alike and (len(naturals) < rules.fewest_naturals or len(naturals) + wild_count < 3):
            continue
        most = 0 if rank in rules.pure else rules.wild_limits[-1]
        if most and rules.wild_beyond != "limit" and len(naturals) + len(alike):
            most = max([most, len(naturals), *(held + len(naturals) for held, _, _ in alike)])
        offers = _offers(rules, rank, alike, naturals, twos[:most], jokers[:most], most)
        if rank == THREE and rules.black_three_meld == "going_out":
            least = len(state.hands[state.turn]) - 1
            enough = [offer for offer in offers if len(offer[0][0].groups[0].cards) >= least]
            yield from (offer for offer in enough if type(judge_meld(state, offer[0][0])) is Laid)
        else:
            yield from offers
    if rules.wild_melds:
        yield from _offers(rules, WILD, shapes.get(WILD, ()), b"", twos, jokers, wild_count)
    if rules.garbage:
        for rank in {name for name, cards, *_ in melds if len(cards) >= BOOK and name not in (SEVEN, WILD, GARBAGE)}:
            naturals = meldable(state, spans, rank)
            for count in range(1, len(naturals) + 1):
                move = single_meld(GARBAGE, naturals[:count])
                if type(judge_meld(state, move)) is Laid:
                    yield (move,), 0


@lru_cache(maxsize=65536)
def _offers(
    rules: Rules, name: int, alike: tuple[_Shape, ...], naturals: Cards, twos: Cards, jokers: Cards, most: int
) -> tuple[FreeOffer, ...]:
    """The same for a rank or wild cards beside the melds of that name."""
    black, red = naturals.translate(None, RED_THREES), bytes([card for card in naturals if card in RED_THREES])
    offers: list[FreeOffer] = []
    for way in _ways(rules, _stand_in(rules, name), alike, len(black), len(red), len(twos), len(jokers), most):
        natural = black[: way.black] + red[: way.red]
        cards = natural + twos[: way.twos] + jokers[: way.jokers]
        meld_name = None if natural and not way.is_mixed else name
        offers.append(((single_meld(meld_name, cards, way.is_new, way.is_mixed),), way.held))
    return tuple(offers)


def _stand_in(rules: Rules, name: int) -> int:
    """The first rank whose melds follow the same rules: its patterns hold for all of them, and are tried once."""
    if not FOUR <= name < JOKER:
        return name
    return next(rank for rank in range(FOUR, JOKER) if (rank in rules.pure) == (name in rules.pure))


class _Way(NamedTuple):
    """Numbers of cards of a group, its marks, and the cards on the table that it joins."""

    black: int
    """Natural cards that are not red threes."""
    red: int
    twos: int
    jokers: int
    is_new: bool
    is_mixed: bool
    held: int


@lru_cache(maxsize=65536)
def _ways(
    rules: Rules, name: int, alike: tuple[_Shape, ...], black: int, red: int, twos: int, jokers: int, most: int
) -> tuple[_Way, ...]:
    """The same by numbers of cards: each is judged once. From few natural cards to many, then from few wild ones."""
    on_table = [Meld(name, bytes(held), wild, keeps) for held, wild, keeps in alike]
    natural = BLACK_THREES[0] if name == THREE else 4 * name
    wilds = [(t, j) for t in range(twos + 1) for j in range(jokers + 1) if t + j <= most]
    wilds.sort(key=sum)
    ways: list[_Way] = []
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
                        ways.append(_Way(number, count - number, t, j, group.is_new, group.is_mixed, held))
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


def meldable(state: Position, spans: Spans, rank: int) -> Cards:
    """The natural cards of a rank in hand that can be melded at all."""
    return spans.get(rank, b"").translate(None, state.rules.never_melded)
