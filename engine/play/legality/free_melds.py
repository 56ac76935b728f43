"""Melds to choose from where a rank may have several, or books take only some cards: every group is tried."""

from __future__ import annotations

from collections.abc import Iterator

from engine.play.cards import JOKER, RED_THREES, SEVEN, THREE, TWO, Cards, Spans
from engine.play.legality.card_verdicts import judge_meld
from engine.play.legality.laying import Laid
from engine.play.melds import BOOK, Meld
from engine.play.moves import GARBAGE, WILD, Group, Move
from engine.play.state import Position


def free_melds(state: Position, spans: Spans) -> Iterator[Move]:
    """The legal melds of one group; of groups that lead to the same melds the first."""
    seen: set[tuple[Meld, ...]] = set()
    for group in _groups(state, spans):
        for variant in variants(group):
            move = Move("meld", (variant,))
            verdict = judge_meld(state, move)
            if type(verdict) is Laid and (verdict.melds not in seen):
                seen.add(verdict.melds)
                yield move


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


def wild_picks(spans: Spans, most: int) -> list[Cards]:
    """Ways to choose at most so many wild cards, none first."""
    twos, jokers = spans.get(TWO, b""), spans.get(JOKER, b"")
    ways = [(t, j) for t in range(len(twos) + 1) for j in range(len(jokers) + 1) if t + j <= most]
    return [twos[:t] + jokers[:j] for t, j in sorted(ways, key=sum)]


def _groups(state: Position, spans: Spans) -> Iterator[Group]:
    """Groups that may have a place: by rank, then wild cards, then garbage."""
    rules, melds = state.rules, state.melds[state.team]
    for rank in range(THREE, JOKER):
        naturals = meldable(state, spans, rank)
        alike = [meld for meld in melds if meld.name == rank]
        if (not naturals and not alike) or (rank == THREE and rules.black_three_meld == "never"):
            continue
        most = 0 if rank in rules.pure else rules.wild_limits[-1]
        if most and rules.wild_beyond != "limit" and len(naturals) + len(alike):
            most = max([most, len(naturals), *(len(meld.cards) + len(naturals) for meld in alike)])
        for count in range(len(naturals) + 1):
            for natural in pick(naturals, count):
                for wild in wild_picks(spans, most):
                    if natural or wild:
                        yield Group(None if natural else rank, natural + wild)
    if rules.wild_melds:
        for wild in wild_picks(spans, 100):
            if wild:
                yield Group(WILD, wild)
    if rules.garbage:
        for rank in {
            meld.name for meld in melds if len(meld.cards) >= BOOK and meld.name not in (SEVEN, WILD, GARBAGE)
        }:
            naturals = meldable(state, spans, rank)
            yield from (Group(GARBAGE, naturals[:count]) for count in range(1, len(naturals) + 1))
