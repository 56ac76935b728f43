"""Melds of a sensible player, one move at a time: naturals, wild books, and the dirty books that are needed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from engine.bots.knowledge import Sight, turns_at_start
from engine.bots.planning import Price, emptying_plan
from engine.play.cards import FOUR, JOKER, SEVEN, THREE, TWO, WILD_CARDS, Cards, count_wild
from engine.play.choices import legal_moves
from engine.play.legality.legal import is_legal
from engine.play.melds import BOOK, Meld
from engine.play.moves import GARBAGE, WILD, Group, Move, single_meld

LATE = 2
"""Turns left to each seat from which wild cards go wherever they complete a book."""
LAST = 1.1
"""Turns left to each seat from which wild cards go wherever they may."""
HURRY = 5
"""Turns left to each seat from which nothing is held back, and wild cards may open."""
MOST = 14
"""With more cards than this no hand is emptied in one turn; it is not looked for."""
DIRTIED = (0.0, 0.0, 0.0, 20.0, 50.0, 200.0, 300.0, 400.0)
"""Points that a clean meld of so many cards loses when it is dirtied for the foot."""
DIRTIED_EARLY = 80.0
"""The same beyond that while many cards are in the stock."""
COMPLETED = 100.0
"""Points that a book is worth that a plan for the foot completes with wild cards."""
FAR_TOO_MUCH = 400.0
"""Points for what should not be done for the foot."""
LOOSE_WILD = 15.0
"""Worth, in points, of a wild card where no book of wild cards is aimed at."""
PATIENCE = 60
"""Cards in the stock above which a clean meld stays clean."""


def next_meld(sight: Sight) -> Move | None:
    """The next meld worth making, or `None` when the hand is better kept as it is."""
    if not sight.state.opened[sight.team]:
        return best_opening(sight)
    if move := _to_foot(sight):
        return move
    for move in plans(sight):
        if is_legal(sight.state, move) and not strands(sight, move):
            return move
    return emptying(sight) if sight.wild else None


def plans(sight: Sight) -> Iterator[Move]:
    """Melds in the order in which they are wanted; some may turn out not to be legal."""
    yield from natural_additions(sight)
    yield from natural_starts(sight)
    if sight.wild:
        yield from completed_wild_book(sight)
        if sight.hurries():
            yield from dirty_books(sight)
            yield from dirty_starts(sight)
        if sight.state.team_size < 3 or sight.rules.foot_when == "own_book":  # three lack dirty books sooner
            yield from wild_book(sight)
        yield from dirty_books(sight)
        yield from dirty_starts(sight)
        yield from wild_book(sight)
        if sight.turns_left < LAST or is_nearly_empty(sight):
            yield from spare_wild(sight)
    if sight.rules.garbage:
        for name in sorted(sight.finished & sight.spans.keys()):
            yield single_meld(GARBAGE, sight.spans[name])


def _to_foot(sight: Sight) -> Move | None:
    """The whole hand, for the foot, if that costs no more than the foot is worth by now."""
    if sight.on_foot or sight.rules.foot_when != "hand_empty" or len(sight.hand) > MOST:
        return None
    plan = emptying_plan(sight, foot_price(sight))
    gone = 1 - sight.turns_left / turns_at_start(sight.rules, sight.state.seats)
    worth = sight.habits.foot_worth + gone * sight.habits.foot_worth_rises
    return plan.move if plan and plan.price <= worth else None


def foot_price(sight: Sight) -> Price:
    """What it costs to lay wild cards for the foot."""
    return partial(_foot_price, sight)


def _foot_price(sight: Sight, old: Meld, new: Meld) -> float:
    """Points, roughly, that wild cards are worth elsewhere, and that a clean meld loses with them."""
    wild, held = new.wild - old.wild, len(old.cards)
    if not wild:
        return 0.0
    if new.name == WILD:
        return 0.0 if old.cards or may_begin_wild(sight) else FAR_TOO_MUCH
    if held and not old.wild:
        price = sight.habits.wild_cost * wild + DIRTIED[min(held, BOOK)]
        price += DIRTIED_EARLY if stays_clean(sight) else 0.0
        return price if can_spare(sight, new.name) else price + FAR_TOO_MUCH
    price = (sight.habits.wild_cost if aims_wild(sight) else LOOSE_WILD) * wild
    return price - COMPLETED if len(new.cards) >= BOOK > held else price


def strands(sight: Sight, move: Move) -> bool:
    """Whether only wild cards would be left, so that one had to be thrown away."""
    laid = b"".join(group.cards for group in move.groups)
    naturals = len(sight.hand) - len(sight.wild) - (len(laid) - count_wild(laid))
    wild = len(sight.wild) - count_wild(laid)
    return naturals == 0 and wild > 1


# Natural cards


def natural_additions(sight: Sight) -> Iterator[Move]:
    """Natural cards on the team's own melds; while it hoards, only those that it need not keep."""
    for rank, cards in sight.spans.items():
        meld = sight.open.get(rank)
        if meld is None or not FOUR <= rank < JOKER:
            continue
        size = len(meld.cards)
        room = len(cards) if sight.rules.grows else BOOK - size
        # Where books do not grow, cards that would fill the book claim nothing.
        if sight.hoards() and (sight.rules.grows or size + len(cards) < BOOK):
            room = min(room, len(cards) - sight.habits.keeps)
        if room > 0:
            yield from _fewer(sight, cards[:room], 1)


def natural_starts(sight: Sight) -> Iterator[Move]:
    """New melds of three or more natural cards, beside those that are kept."""
    for rank, cards in sight.spans.items():
        if len(cards) < 3 or not FOUR <= rank < JOKER or rank in sight.open or not sight.can_hold(rank):
            continue
        if sight.hoards() and len(cards) < BOOK:
            cards = cards[: len(cards) - sight.habits.keeps]
        if len(cards) >= 3:
            yield from _fewer(sight, cards if sight.rules.grows else cards[:BOOK], 3)


def _fewer(sight: Sight, cards: Cards, least: int) -> Iterator[Move]:
    """A meld of the cards, or of fewer if it would empty a hand that must keep some."""
    yield single_meld(None, cards)
    spare = len(sight.hand) - 2
    if least <= spare < len(cards):
        yield single_meld(None, cards[:spare])


# Wild cards


def completed_wild_book(sight: Sight) -> Iterator[Move]:
    """The wild cards that a wild meld lacks of a book."""
    meld = sight.open.get(WILD)
    if meld and 0 < (gap := BOOK - len(meld.cards)) <= len(sight.wild):
        yield single_meld(WILD, sight.wild[:gap])


def wild_book(sight: Sight) -> Iterator[Move]:
    """Wild cards on a meld of their own: in most rulesets the best book there is."""
    rules = sight.rules
    if not rules.wild_melds:
        return
    meld = sight.open.get(WILD)
    held = len(meld.cards) if meld else 0
    room = len(sight.wild) if held >= BOOK else BOOK - held
    cards = sight.wild[:room]
    if not cards or held + len(cards) < 3 or (not meld and not may_begin_wild(sight)):
        return
    yield single_meld(WILD, cards)
    spare = len(sight.hand) - 2
    if 0 < spare < len(cards) and held + spare >= 3:
        yield single_meld(WILD, cards[:spare])


def may_begin_wild(sight: Sight) -> bool:
    """Whether a wild meld is worth beginning: not a second one while the contract lacks a dirty book."""
    if WILD in sight.finished and (sight.rules.melds_per_rank == "one" or sight.missing().get("dirty", 0)):
        return False
    return sight.rules.wild_unfinished >= 0 or gambles(sight)


def gambles(sight: Sight) -> bool:
    """Whether a wild meld that costs points unless it is finished has good chances."""
    return len(sight.wild) >= (BOOK - 1 if sight.turns_left < HURRY else sight.habits.gamble)


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
    if sight.on_foot and sight.missing().get("dirty", 0):
        for rank, cards in sight.spans.items():
            old = sight.open.get(rank)
            if old is None or rank in rules.pure:
                continue
            gap = BOOK - len(old.cards) - len(cards)
            if 0 < gap <= min(len(sight.wild), most - old.wild) and (old.wild or may_dirty(sight, rank)):
                yield single_meld(None, cards + sight.wild[:gap])


def aims_wild(sight: Sight) -> bool:
    """Whether wild cards are best saved for a book of their own: not where there is none, or where it is a gamble."""
    return sight.rules.wild_melds and (sight.rules.wild_unfinished >= 0 or WILD in sight.open or gambles(sight))


def is_nearly_empty(sight: Sight) -> bool:
    """Whether only wild cards and a card or two keep the player from the foot."""
    return sight.hurries() and len(sight.hand) - len(sight.wild) <= sight.habits.nearly


def spare_wild(sight: Sight) -> Iterator[Move]:
    """Wild cards that nothing better awaits: on dirty melds, with pairs, and at last on melds that need not stay clean."""
    pure = sight.rules.pure
    melds = [(rank, meld) for rank, meld in sorted(sight.open.items()) if rank != WILD and rank not in pure]
    last = sight.turns_left < LAST
    for rank, meld in melds:
        if meld.wild or last or may_dirty(sight, rank):
            yield single_meld(rank, sight.wild[-1:])
    for rank, cards in sight.spans.items():
        if len(cards) == 2 and FOUR <= rank < JOKER and rank not in sight.open and rank not in pure:
            yield single_meld(None, sight.wild[:1] + cards)
    if not sight.on_foot and not aims_wild(sight):
        for rank, meld in sorted(melds, key=lambda item: len(item[1].cards)):
            if meld.wild or not stays_clean(sight):
                yield single_meld(rank, sight.wild[-1:])


def may_dirty(sight: Sight, rank: int) -> bool:
    """Whether this clean meld may take a wild card: time is short, and the contract can do without its being clean."""
    needs_book = sight.rules.foot_when == "own_book" and not sight.on_foot and sight.missing().get("dirty", 0)
    if stays_clean(sight) and not needs_book:
        return False
    return can_spare(sight, rank)


def stays_clean(sight: Sight) -> bool:
    """Whether it is so early that clean melds stay clean."""
    return len(sight.state.stock) > PATIENCE


def can_spare(sight: Sight, rank: int) -> bool:
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
    """A pair and a wild card as a new meld: for a dirty book that the contract lacks, or to reach the foot."""
    rules = sight.rules
    begun = sum(1 for name, meld in sight.open.items() if name != WILD and meld.wild and len(meld.cards) < BOOK)
    needed = sight.missing().get("dirty", 0) - begun + sight.habits.spare_dirty
    soon = LATE if rules.foot_when == "own_book" else sight.habits.dirty_from
    if (needed <= 0 or sight.turns_left > soon) and not sight.hurries():
        return
    for rank, cards in sight.spans.items():
        if len(cards) != 2 or not FOUR <= rank < JOKER or rank in sight.open or rank in rules.pure:
            continue
        if sight.can_hold(rank):
            yield single_meld(None, sight.wild[:1] + cards)


def emptying(sight: Sight) -> Move | None:
    """A meld of the whole of a small hand, so that the foot is picked up and the turn continues."""
    if sight.on_foot or sight.rules.foot_when != "hand_empty" or len(sight.hand) > 2 * sight.habits.few:
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
    """The team's first meld that costs least, or `None` where there is none that is worth its wild cards."""
    melds = [move for move in legal_moves(sight.state) if move.kind == "meld"]
    if sight.turns_left > HURRY:
        melds = [move for move in melds if not any(dirties(group) for group in move.groups)]
    return min(melds, key=lambda move: opening_cost(sight, move), default=None)


def dirties(group: Group) -> bool:
    """Whether natural and wild cards are laid together."""
    return 0 < count_wild(group.cards) < len(group.cards)


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
