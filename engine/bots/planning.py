"""Plans for the whole hand: which melds, with which wild cards, empty it in this turn, for the foot or to go out.

Every way to share the wild cards among the melds is weighed, so that a plan is found where there is one: in rulesets
whose melds are plain (`Rules.is_plain`) without exception.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from engine.bots.knowledge import Sight
from engine.play.cards import JOKER, RED_THREES, THREE, TWO, Cards
from engine.play.legality.legal import is_legal
from engine.play.melds import BOOK, Meld, book_kind
from engine.play.moves import WILD, Group, Move
from engine.play.rules import Rules
from engine.play.state import Position

Missing = tuple[tuple[str, int], ...]
"""Books that the contract still asks, by kind."""
Price = Callable[[Meld, Meld], float]
"""What it costs that a meld grows from the first to the second; of a new one, the first is empty."""


class Way(NamedTuple):
    """One way to lay cards of a rank, or wild cards."""

    groups: tuple[tuple[int, int], ...]
    """Natural and wild cards of each group; a second one starts another meld."""
    wild: int
    left: int
    """Natural cards of the rank that stay in the hand."""
    books: tuple[str, ...]
    """Kinds of the books that it completes."""
    price: float


Choice = tuple[float, tuple[Way, ...]]
"""A way for each slot, after what they cost together."""
Goal = tuple[int, int, Missing]
"""Wild cards to lay, cards that may be left, and books that are missing."""
Known = dict[tuple[int, Goal], Choice | None]
"""What was worked out, by the first slot and what was asked of it and the later ones."""


class Plan(NamedTuple):
    """A meld that empties the hand, or leaves a card to discard, and what it costs."""

    move: Move
    price: float


class Slot(NamedTuple):
    """A rank of the hand, or a meld that wild cards can join."""

    name: int
    cards: Cards
    ways: list[Way]


def emptying_plan(sight: Sight, price: Price, *, state: Position | None = None, fulfils: bool = False) -> Plan | None:
    """The cheapest move that lays the whole hand, or all but a card to discard; `None` without one.

    With `fulfils`, the books of the contract must be there after it. It is judged in `state`, if that is not the one
    of the sight.
    """
    if _dead(sight) > 1:
        return None
    missing = tuple(sorted(sight.missing().items())) if fulfils else ()
    slots = _slots(sight, price)
    for spare in (1, 0):
        chosen = _cheapest(slots, len(sight.wild), spare, missing)
        if chosen is None:
            return None
        move = _move(sight, slots, chosen[1])
        if move.groups and is_legal(state or sight.state, move):
            return Plan(move, chosen[0])
    return None


def _dead(sight: Sight) -> int:
    """Cards that no meld can take this turn, at least."""
    dead, wild = 0, len(sight.wild)
    for rank, cards in sight.spans.items():
        count = len(cards)
        if rank in (TWO, JOKER) or rank in sight.open:
            continue
        if rank == THREE:
            dead += 0 if sight.rules.black_three_meld != "never" and count >= 3 else count
        elif not sight.can_hold(rank) or count == 1 or (count == 2 and rank in sight.rules.pure):
            dead += count if count < 3 or not sight.can_hold(rank) else 0
        elif count == 2:
            wild -= 1
    return dead + max(0, -wild) if wild < 0 else dead


def _slots(sight: Sight, price: Price) -> list[Slot]:
    """The ranks of the hand, then the melds that can take wild cards alone."""
    rules, most = sight.rules, len(sight.wild)
    slots = []
    for rank, cards in sight.spans.items():
        if rank in (TWO, JOKER):
            continue
        if rank == THREE:
            slots.append(Slot(rank, cards, _three_ways(rules, cards)))
            continue
        slots.append(Slot(rank, cards, list(_ways(sight, rank, len(cards), most, price))))
    if most:
        for rank in sight.open:
            if rank != WILD and rank not in sight.spans and rank not in rules.pure:
                slots.append(Slot(rank, b"", list(_ways(sight, rank, 0, most, price))))
        if rules.wild_melds:
            slots.append(Slot(WILD, b"", list(_wild_ways(sight, most, price))))
    return slots


def _three_ways(rules: Rules, cards: Cards) -> list[Way]:
    """Threes stay, but that black ones may be laid to go out."""
    ways = [Way((), 0, len(cards), (), 0.0)]
    black = len(cards.translate(None, RED_THREES))
    if rules.black_three_meld == "going_out" and black >= 3:
        ways.append(Way(((black, 0),), 0, len(cards) - black, (), 0.0))
    return ways


def _ways(sight: Sight, rank: int, count: int, most: int, price: Price) -> Iterator[Way]:
    """Ways to lay all the natural cards of a rank, or all but one, with wild cards."""
    rules = sight.rules
    old = sight.open.get(rank) or Meld(rank, b"", 0)
    held = len(old.cards)
    limit = 0 if rank in rules.pure else most
    for left in (0, 1) if count else (0,):
        laid = count - left
        if not laid:
            yield Way((), 0, left, (), 0.0)
            if not held:
                continue
        room = BOOK - held
        for wild in range(limit + 1):
            if laid + wild == 0 or (not held and not sight.can_hold(rank)):
                continue
            if laid + wild <= room or rules.grows:
                new = _grown(rules, old, laid, wild)
                if new is not None:
                    yield Way(((laid, wild),), wild, left, _completed(rules, old, new), price(old, new))
            if held and 0 < room < laid and not rules.grows and rules.melds_per_rank != "one":
                full, more = _grown(rules, old, room, 0), _grown(rules, Meld(rank, b"", 0), laid - room, wild)
                if full is not None and more is not None:
                    cost = price(old, full) + price(Meld(rank, b"", 0), more)
                    yield Way(((room, 0), (laid - room, wild)), wild, left, _completed(rules, old, full), cost)


def _wild_ways(sight: Sight, most: int, price: Price) -> Iterator[Way]:
    """Ways to lay wild cards on a meld of their own."""
    rules, empty = sight.rules, Meld(WILD, b"", 0)
    old = sight.open.get(WILD) or empty
    held = len(old.cards)
    if not held and not sight.can_hold(WILD):
        return
    yield Way((), 0, 0, (), 0.0)
    for wild in range(1, most + 1):
        if held + wild <= BOOK or rules.grows:
            new = _grown(rules, old, 0, wild)
            if new is not None:
                yield Way(((0, wild),), wild, 0, _completed(rules, old, new), price(old, new))
        elif held and held + wild - BOOK >= 3 and rules.melds_per_rank != "one":
            room = BOOK - held
            full, more = Meld(WILD, bytes(BOOK), BOOK), Meld(WILD, bytes(wild - room), wild - room)
            yield Way(((0, room), (0, wild - room)), wild, 0, ("wild",), price(old, full) + price(empty, more))


def _grown(rules: Rules, old: Meld, natural: int, wild: int) -> Meld | None:
    """The meld with so many cards more, or `None` where that is none."""
    size, used = len(old.cards) + natural + wild, old.wild + wild
    if size < 3:
        return None
    if old.name != WILD and wild and used > rules.wild_limits[min(size, BOOK) - 3]:
        return None
    return Meld(old.name, bytes(size), used, old.keeps)


def _completed(rules: Rules, old: Meld, new: Meld) -> tuple[str, ...]:
    return (book_kind(rules, new),) if len(old.cards) < BOOK <= len(new.cards) else ()


def _cheapest(slots: list[Slot], wild: int, spare: int, missing: Missing) -> Choice | None:
    """The cheapest way of each slot, that together use all the wild cards and leave `spare` cards at most."""
    return _cheapest_from(0, slots, (wild, spare, missing), {})


def _cheapest_from(index: int, slots: list[Slot], goal: Goal, known: Known) -> Choice | None:
    """The same for the slots from this one on; each answer is worked out once."""
    key = (index, goal)
    if key in known:
        return known[key]
    wild, spare, missing = goal
    cheapest: Choice | None = None
    if index == len(slots):
        cheapest = (0.0, ()) if wild <= spare and not missing else None
    else:
        for way in slots[index].ways:
            if way.wild > wild or way.left > spare:
                continue
            after = (wild - way.wild, spare - way.left, _less(missing, way.books))
            rest = _cheapest_from(index + 1, slots, after, known)
            if rest is not None and (cheapest is None or rest[0] + way.price < cheapest[0]):
                cheapest = rest[0] + way.price, (way, *rest[1])
    known[key] = cheapest
    return cheapest


def _less(missing: Missing, books: tuple[str, ...]) -> Missing:
    """What is missing of the contract after these books."""
    if not missing or not books:
        return missing
    counts = dict(missing)
    for kind in books:
        if kind in counts:
            counts[kind] -= 1
    return tuple([(kind, number) for kind, number in counts.items() if number > 0])


def _move(sight: Sight, slots: list[Slot], ways: tuple[Way, ...]) -> Move:
    """The meld of all the groups; a wild card that is left over is the last, the dearest."""
    groups, wild = [], sight.wild
    for slot, way in zip(slots, ways, strict=True):
        cards = slot.cards
        for natural, number in way.groups:
            laid = wild[:number] + cards[:natural]
            cards, wild = cards[natural:], wild[number:]
            groups.append(Group(None if natural else slot.name, laid))
    return Move("meld", tuple(groups))
