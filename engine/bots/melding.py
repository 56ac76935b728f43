"""Melds of a sensible player, one move at a time: naturals, wild books, and the dirty books that are needed."""

from __future__ import annotations

from collections.abc import Iterator

from engine.bots.knowledge import Sight
from engine.play.cards import FOUR, JOKER, SEVEN, THREE, TWO, WILD_CARDS, Cards
from engine.play.choices import legal_moves
from engine.play.legality.legal import is_legal
from engine.play.melds import BOOK, Meld
from engine.play.moves import GARBAGE, WILD, Move, single_meld

LATE = 2
"""Turns left to each seat from which wild cards go wherever they complete a book."""
FEW = 4
"""Cards in a hand from which wild cards are spent to reach the foot."""
LAST = 1.1
"""Turns left to each seat from which wild cards go wherever they may."""
HURRY = 5
"""Turns left to each seat from which nothing is held back."""


def next_meld(sight: Sight) -> Move | None:
    """The next meld worth making, or `None` when the hand is better kept as it is."""
    if not sight.state.opened[sight.team]:
        return best_opening(sight)
    for move in plans(sight):
        if is_legal(sight.state, move):
            return move
    return emptying(sight) if sight.wild else None


def plans(sight: Sight) -> Iterator[Move]:
    """Melds in the order in which they are wanted; some may turn out not to be legal."""
    yield from natural_additions(sight)
    yield from natural_starts(sight)
    if sight.wild:
        yield from dirty_starts(sight)
        yield from wild_book(sight)
        yield from dirty_books(sight)
        if not aims_wild(sight) or sight.turns_left < LAST:
            yield from spare_wild(sight)
    if sight.rules.garbage:
        for name in sorted(sight.finished & sight.spans.keys()):
            yield single_meld(GARBAGE, sight.spans[name])


# Natural cards


def natural_additions(sight: Sight) -> Iterator[Move]:
    """Natural cards on the team's own melds."""
    for rank, cards in sight.spans.items():
        meld = sight.open.get(rank)
        if meld is None or not FOUR <= rank < JOKER or (sight.thumb.holds_pairs and holds_back(sight, meld, cards)):
            continue
        room = len(cards) if sight.rules.books_grow else BOOK - len(meld.cards)
        yield from _fewer(sight, cards[:room], 1)


def holds_back(sight: Sight, meld: Meld, cards: Cards) -> bool:
    """Whether a pair that the meld could take is better kept to take the pile with."""
    if len(cards) != 2 or len(meld.cards) > BOOK - 3 or sight.turns_left < HURRY or sight.rules.pile_take == "none":
        return False
    return len(sight.hand) >= (5 if sight.on_foot else 7)


def natural_starts(sight: Sight) -> Iterator[Move]:
    """New melds of three or more natural cards."""
    for rank, cards in sight.spans.items():
        if len(cards) < 3 or not FOUR <= rank < JOKER or rank in sight.open or not sight.can_hold(rank):
            continue
        yield from _fewer(sight, cards if sight.rules.books_grow else cards[:BOOK], 3)


def _fewer(sight: Sight, cards: Cards, least: int) -> Iterator[Move]:
    """A meld of the cards, or of fewer if it would empty a hand that must keep some."""
    yield single_meld(None, cards)
    spare = len(sight.hand) - 2
    if least <= spare < len(cards):
        yield single_meld(None, cards[:spare])


# Wild cards


def wild_book(sight: Sight) -> Iterator[Move]:
    """Wild cards on a meld of their own: in most rulesets the best book there is."""
    rules = sight.rules
    if not rules.wild_melds:
        return
    meld = sight.open.get(WILD)
    held = len(meld.cards) if meld else 0
    room = len(sight.wild) if held >= BOOK else BOOK - held
    cards = sight.wild[:room]
    if not cards or held + len(cards) < 3:
        return
    if not meld:
        if rules.wild_unfinished < 0 and len(cards) < BOOK - 1:
            return
        if WILD in sight.finished and not rules.second_meld:
            return
    yield single_meld(WILD, cards)
    spare = len(sight.hand) - 2
    if 0 < spare < len(cards) and held + spare >= 3:
        yield single_meld(WILD, cards[:spare])


def dirty_books(sight: Sight) -> Iterator[Move]:
    """Wild cards that complete a dirty book, where the contract wants one or time is running out."""
    rules = sight.rules
    is_late = sight.turns_left < LATE
    if not is_late and not sight.missing().get("dirty", 0) and aims_wild(sight):
        return
    most = rules.wild_limits[-1]
    for rank, meld in sorted(sight.open.items(), key=lambda item: (-item[1].wild, -len(item[1].cards), item[0])):
        gap = BOOK - len(meld.cards)
        if rank == WILD or rank in rules.pure or not 0 < gap <= min(len(sight.wild), most - meld.wild):
            continue
        if meld.wild or is_late or may_dirty(sight, rank):
            yield single_meld(rank, sight.wild[:gap])


def aims_wild(sight: Sight) -> bool:
    """Whether wild cards are best saved for a book of their own: not where there is none, or where it is a gamble."""
    return sight.rules.wild_melds and sight.rules.wild_unfinished >= 0


def spare_wild(sight: Sight) -> Iterator[Move]:
    """Wild cards that nothing better awaits: on melds that are dirty anyway, and with pairs."""
    last = sight.turns_left < LAST
    for rank, meld in sorted(sight.open.items()):
        if rank != WILD and rank not in sight.rules.pure and (meld.wild or last or may_dirty(sight, rank)):
            yield single_meld(rank, sight.wild[-1:])
    for rank, cards in sight.spans.items():
        if len(cards) == 2 and FOUR <= rank < JOKER and rank not in sight.open and rank not in sight.rules.pure:
            yield single_meld(None, sight.wild[:1] + cards)


def may_dirty(sight: Sight, rank: int) -> bool:
    """Whether the contract can do without this meld's being clean."""
    missing = sight.missing()
    if rank == SEVEN and missing.get("sevens", 0):
        return False
    clean = sum(1 for name, m in sight.open.items() if name != WILD and not m.wild and len(m.cards) < BOOK)
    needed = missing.get("clean", 0)
    if needed and not aims_wild(sight):
        needed += 2  # wild cards are plentiful then, and clean melds run short
    return clean > needed


def dirty_starts(sight: Sight) -> Iterator[Move]:
    """A pair and a wild card as a new meld, when the last few cards of the hand are played before the foot."""
    if sight.on_foot or len(sight.hand) > FEW or sight.rules.foot_when != "hand_empty":
        return
    for rank, cards in sight.spans.items():
        if len(cards) != 2 or not FOUR <= rank < JOKER or rank in sight.open or rank in sight.rules.pure:
            continue
        if sight.can_hold(rank):
            yield single_meld(None, sight.wild[:1] + cards)


def emptying(sight: Sight) -> Move | None:
    """A meld of the whole of a small hand, so that the foot is picked up and the turn continues."""
    if sight.on_foot or sight.rules.foot_when != "hand_empty" or len(sight.hand) > 2 * FEW:
        return None
    ranks = sight.spans.keys() - {TWO, JOKER}
    if len(ranks) == 1 and THREE not in ranks:
        move = single_meld(None, sight.hand)
        return move if is_legal(sight.state, move) else None
    if ranks or len(sight.wild) > 1:
        return None
    for name, meld in sorted(sight.open.items(), key=lambda item: (-item[1].wild, -len(item[1].cards), item[0])):
        if name != WILD and (meld.wild or may_dirty(sight, name)):
            move = single_meld(name, sight.wild)
            if is_legal(sight.state, move):
                return move
    return None


# Opening


def best_opening(sight: Sight) -> Move | None:
    """The team's first meld that costs least, or `None` where there is none."""
    melds = [move for move in legal_moves(sight.state) if move.kind == "meld"]
    return min(melds, key=lambda move: opening_cost(sight, move), default=None)


def opening_cost(sight: Sight, move: Move) -> float:
    """Cost of an opening: wild cards above all, then the number of melds; less is better."""
    rules = sight.rules
    cost = 2.0 * len(move.groups)
    for group in move.groups:
        wild = [card for card in group.cards if card in WILD_CARDS]
        natural = len(group.cards) - len(wild)
        if not natural:
            cost += 12.0 if rules.wild_unfinished >= 0 else 60.0 * len(wild)
        else:
            cost += sum(25 + rules.card_values[card] for card in wild) - 4.0 * natural + 10.0 * (natural == 2)
    return cost


# Going out


def whole_hand(sight: Sight) -> Move | None:
    """A move that lays the whole hand, or all but a card to discard; `None` where there is none."""
    best, fewest = None, 2
    for move in legal_moves(sight.state):
        if move.kind == "meld":
            remaining = len(sight.hand) - sum(len(group.cards) for group in move.groups)
            if remaining < fewest:
                best, fewest = move, remaining
    return best
