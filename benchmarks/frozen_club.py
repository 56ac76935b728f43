"""The `club` of November 2026, kept as it was: an opponent for `benchmarks/bots.py` to measure new habits against."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp
from random import Random
from typing import NamedTuple

from engine.bots.bot import guess_lift, last_resort
from engine.play.cards import (
    BLACK_THREES,
    FOUR,
    JOKER,
    RANK_OF,
    RED_THREES,
    SEVEN,
    THREE,
    TWO,
    WILD_CARDS,
    Cards,
    Spans,
    count_wild,
    spans_of,
)
from engine.play.choices import legal_moves
from engine.play.legality.card_verdicts import why_pile_shut
from engine.play.legality.going_out import contract_missing, why_not_out
from engine.play.legality.legal import can_draw, is_legal, permitted
from engine.play.melds import BOOK, Meld
from engine.play.moves import ASK, DISCARDS, DRAW, END, GARBAGE, KEEP_FIRST, NO, WILD, YES, Move, single_meld
from engine.play.refusals import Code
from engine.play.rules import Rules
from engine.play.scoring import score_sheet
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT, Position
from engine.play.view import View


class Thumb(NamedTuple):
    """Habits in which sensible players differ."""

    holds_pairs: bool
    """Keeps a pair of a rank that the team has on the table, to take the pile with, while the hand is large."""
    caution: float
    """Weight of the danger that the next player takes the pile."""
    likes_points: float
    """Weight of a card's points in the decision to keep it."""


PLAIN = Thumb(holds_pairs=False, caution=1.0, likes_points=0.0)
"""The habits of `club`."""
SHARP = Thumb(holds_pairs=True, caution=2.0, likes_points=0.5)
"""The habits of `expert`, tuned in duplicate matches of Standard."""


class Sight:
    """The position as the seat to act understands it; worked out once a decision."""

    __slots__ = (
        *("_missing", "finished", "hand", "melds", "on_foot", "open", "rules", "seat", "spans", "state", "team"),
        *("thumb", "turns_left", "wild"),
    )

    def __init__(self, state: Position, thumb: Thumb = PLAIN) -> None:
        self.state, self.rules, self.thumb = state, state.rules, thumb
        self.seat = state.actor
        self.team = self.seat % state.teams
        self.hand: Cards = state.hands[self.seat]
        self.spans: Spans = spans_of(self.hand)
        self.melds: tuple[Meld, ...] = state.melds[self.team]
        self.open, self.finished = open_melds(state.rules, self.melds)
        self.on_foot = state.feet[self.seat] is None
        self.wild: Cards = self.spans.get(TWO, b"") + self.spans.get(JOKER, b"")
        """The wild cards in the hand: twos, then jokers."""
        self.turns_left = len(state.stock) / (self.rules.draw_count * state.seats)
        """The most turns that each seat still gets, by the size of the stock."""
        self._missing: dict[str, int] | None = None

    def can_hold(self, rank: int) -> bool:
        """Whether more natural cards of the rank can still be laid by the team."""
        return rank in self.open or rank not in self.finished or self.rules.melds_per_rank != "one"

    def missing(self) -> dict[str, int]:
        """Books that the contract still asks of the team, by kind."""
        if self._missing is None:
            self._missing = contract_missing(self.state, self.team, self.melds)
        return self._missing

    def is_threatened(self) -> bool:
        """Whether another team could go out soon."""
        return any(threatens_out(self.state, team) for team in range(self.state.teams) if team != self.team)


def open_melds(rules: Rules, melds: tuple[Meld, ...]) -> tuple[dict[int, Meld], set[int]]:
    """A team's melds that can still grow, by name, and the names of its complete books."""
    growing, finished = {}, set()
    for meld in melds:
        if meld.name == GARBAGE:
            continue
        if len(meld.cards) >= BOOK:
            finished.add(meld.name)
            if rules.grows:
                growing[meld.name] = meld
        else:
            growing[meld.name] = meld
    return growing, finished


def visible(state: Position, seat: int) -> Cards:
    """Every card that the seat can see: its hand, the table, and the pile (all of it was seen as it was built).

    A foot that the seat looks at is among them; one that it does not see gives blanks.
    """
    foot = state.feet[seat] or b""
    parts = [state.hands[seat], foot, state.pile, *state.red_threes, *state.laid_sevens]
    parts += [meld.cards for melds in state.melds for meld in melds]
    return b"".join(parts)


def unseen_by_rank(state: Position, seat: int) -> list[int]:
    """Number of unseen cards of each rank; the seat's own foot counts as unseen."""
    parts = [state.hands[seat], state.pile, *state.red_threes]
    parts += [meld.cards for melds in state.melds for meld in melds]
    ranks = b"".join(parts).translate(RANK_OF)
    decks = state.rules.deck_count(state.seats)
    unseen = [4 * decks - ranks.count(rank) for rank in range(13)]
    unseen.append(decks * state.rules.jokers_per_deck - ranks.count(13))
    return unseen


class Follower:
    """Chances of the next seat with a card that is discarded to it."""

    __slots__ = ("_blind", "_finished", "_growing", "_held", "_needed", "_sight")

    def __init__(self, sight: Sight, unseen: list[int]) -> None:
        state, rules = sight.state, sight.rules
        following = (sight.seat + 1) % state.seats
        team = following % state.teams
        self._sight = sight
        self._growing, self._finished = open_melds(rules, state.melds[team])
        needs_open = rules.take_needs_open and not state.opened[team]
        self._blind = 0.0 if rules.pile_take == "none" or needs_open else 1.0
        if not state.opened[team] and rules.opening.steps:
            self._blind *= 0.5
        everything = sum(count for count in unseen if count > 0) or 1
        self._held = [len(state.hands[following]) * max(0, count) / everything for count in unseen]
        loose = rules.pile_claim in ("one_match", "legal_meld") and not state.frozen
        self._needed = 1 if loose else 2

    def danger(self, rank: int) -> float:
        """Chance, roughly, that the next seat takes the pile when a natural card of this rank is discarded."""
        rules = self._sight.rules
        if not self._blind:
            return 0.0
        size = len(self._growing[rank].cards) if rank in self._growing else 0
        if size and size < BOOK and rules.pile_to_meld != "never" and not self._sight.state.frozen:
            return 1.0
        if not size and rank in self._finished and rules.melds_per_rank == "one":
            return 0.0
        chance = self._blind * chance_of(self._needed, self._held[rank])
        # With five or six on the table a pair would overfill the book, and its rest makes no new meld.
        return chance * 0.15 if size in (BOOK - 2, BOOK - 1) and not rules.grows else chance


def chance_of(count: int, held: float) -> float:
    """Chance that a hand holds at least one or two of a rank of which it should hold `held` on average."""
    none = exp(-held)
    return 1 - none if count == 1 else 1 - none * (1 + held)


def pile_worth(rules: Rules, pile: Cards) -> float:
    """Rough worth, in points, of the cards that come with the pile."""
    take = rules.pile_take
    cards = pile if take == "all" else pile[: int(take)] if take != "none" else b""
    dead = sum(cards.count(card) for card in BLACK_THREES)
    wild = count_wild(cards)
    return 14.0 * (len(cards) - dead) + 60.0 * wild


def threatens_out(state: Position, team: int) -> bool:
    """Whether a team could go out soon: the contract is nearly met and a player plays from the foot."""
    if all(state.feet[seat] is not None for seat in range(team, state.seats, state.teams)):
        return False
    return sum(contract_missing(state, team, state.melds[team]).values()) <= 1


def table_points(state: Position, team: int) -> int:
    """Points of the team's cards and books on the table now, without those in hands and feet."""
    bare = state.draft()
    bare.hands, bare.feet, bare.knees = (b"",) * state.seats, (None,) * state.seats, (None,) * state.seats
    return sum(item.points for item in score_sheet(bare, team))


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
        room = len(cards) if sight.rules.grows else BOOK - len(meld.cards)
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
        yield from _fewer(sight, cards if sight.rules.grows else cards[:BOOK], 3)


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
        if WILD in sight.finished and rules.melds_per_rank == "one":
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


def best_discard(sight: Sight) -> Move | None:
    """The discard that costs least, or `None` where no card may be discarded."""
    for move in ranked_discards(sight):
        if is_legal(sight.state, move):
            return move
    return None


def ranked_discards(sight: Sight) -> list[Move]:
    """Discards from the cheapest to the dearest, one card of each rank; some may not be legal."""
    unseen = unseen_by_rank(sight.state, sight.seat)
    follower = Follower(sight, unseen)
    prize = (pile_worth(sight.rules, sight.state.pile) + 28) * sight.thumb.caution
    threatened = sight.is_threatened()
    values = sight.rules.card_values
    costs = []
    for rank, cards in sight.spans.items():
        card = cards[0]
        if card in RED_THREES:
            card = next((other for other in cards if other not in RED_THREES), card)
        cost = keep_worth(sight, rank, len(cards), unseen[rank])
        if rank not in (TWO, THREE, JOKER):
            cost += follower.danger(rank) * prize
            if threatened:
                cost -= values[card]
        costs.append((cost, card))
    costs.sort()
    return [DISCARDS[card] for _, card in costs]


def keep_worth(sight: Sight, rank: int, count: int, unseen: int) -> float:
    """Points, roughly, that the hand loses with one card of the rank."""
    if rank == THREE:  # good for nothing but to block the pile, and the better for that the larger it is
        return 2.0 if len(sight.state.pile) < 5 else -4.0
    if rank in (TWO, JOKER):
        return 150.0 if rank == TWO else 180.0
    if not sight.can_hold(rank):
        return 0.0
    worth = {1: 8.0, 2: 45.0}.get(count, 50.0)
    if rank in sight.open:
        worth += 25.0
    elif count == 1:
        worth += sight.thumb.likes_points * sight.rules.card_values[4 * rank]
    return worth * min(1.0, unseen / 6)


CARD = 9.0
"""Points of a card that is not seen, on average."""
BEHIND = -150.0
"""A deal may be ended though the team would be this far behind; further, it plays on and hopes."""
MOST = 14
"""With more cards than this nobody goes out; it is not looked for."""


def closing_move(sight: Sight) -> Move | None:
    """The next move towards going out from the foot now, or `None` where that is not possible or not wise."""
    state = sight.state
    if not sight.hand:
        return END if is_legal(state, END) else None
    if len(sight.hand) > MOST or sum(sight.missing().values()) > 1:
        return None
    why = why_not_out(state, sight.melds)
    if why is not None and why.code is Code.PERMISSION:
        if state.refused or not _can_finish(permitted(state)) or not is_wise(state, sight.seat):
            return None
        return ASK if is_legal(state, ASK) else None
    if why is not None and why.code is not Code.CONTRACT:
        return None
    move = whole_hand(sight)
    return move if move and (state.allowed or is_wise(state, sight.seat)) else None


def _can_finish(state: Position) -> bool:
    sight = Sight(state)
    return len(sight.hand) == 1 or whole_hand(sight) is not None


def answer(state: Position) -> Move:
    """A partner's answer: yes where ending now leaves the team ahead, or not far behind."""
    return YES if is_wise(state, state.actor) else NO


def is_wise(state: Position, seat: int) -> bool:
    """Whether ending now, by the team whose turn it is, looks good to one of its seats."""
    return margin_out(state, seat) > BEHIND


def margin_out(state: Position, seat: int) -> float:
    """Lead in points of the team of the turn over the best other, if it went out now.

    Weighs the cards on the table, the cards in `seat`'s own hand, and an average for each card that it does not see;
    the seat of the turn is taken to have laid everything.
    """
    scores = []
    for team in range(state.teams):
        points = float(table_points(state, team))
        for member in range(team, state.seats, state.teams):
            if member == state.turn:
                continue
            if member == seat:
                points -= sum([state.rules.card_values[card] for card in state.hands[member]])
            else:
                points -= CARD * len(state.hands[member])
            points -= CARD * (len(state.knees[member] or b"") + len(state.feet[member] or b""))
        scores.append(points)
    score = scores.pop(state.team)
    return score + state.rules.out_bonus - max(scores)


class Club:
    """Opens when it can, keeps pairs, saves wild cards, watches the contract and discards with care."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    def choose(self, view: View) -> Move:
        """The move to make now."""
        if view.position.phase == LIFT:
            return guess_lift(view.position, self.random)
        return sensible_move(view.position)


def sensible_move(state: Position, thumb: Thumb = PLAIN) -> Move:
    """Move of a sensible player with the knowledge of the acting seat."""
    phase = state.phase
    if phase == DRAWING:
        return draw_or_take(Sight(state, thumb))
    if phase == ANSWERING:
        return answer(state)
    if phase == CHOOSE:
        return KEEP_FIRST
    sight = Sight(state, thumb)
    if sight.on_foot and (closing := closing_move(sight)):
        return closing
    return next_meld(sight) or best_discard(sight) or last_resort(state)


def draw_or_take(sight: Sight) -> Move:
    """Draw, or the best claim of the pile where that brings more."""
    state = sight.state
    drawable = can_draw(state)
    if state.pile and why_pile_shut(state) is None and (claims := ranked_claims(sight)):
        gain, best = claims[0]
        if gain > 0 or not drawable:
            return best
    return DRAW if drawable else END


def ranked_claims(sight: Sight) -> list[tuple[float, Move]]:
    """Claims with their gain over a draw, the best first."""
    claims = [(claim_gain(sight, move), move) for move in legal_moves(sight.state) if move.kind == "take"]
    return sorted(claims, key=lambda claim: -claim[0])


def claim_gain(sight: Sight, move: Move) -> float:
    """Points, roughly, that a claim brings beyond a draw."""
    spent = sum(count_wild(group.cards) for group in move.groups)
    opening = 30.0 if not sight.state.opened[sight.team] else 0.0
    draw = 14.0 * sight.rules.draw_count
    return pile_worth(sight.rules, sight.state.pile) + opening - 45.0 * spent - draw
