"""Knowledge of the player to act from a view: unseen cards, needs of the contract, safe discards.

No function here looks at a hidden card. They take a position, so that `expert` can use them on imagined ones; of
those they read only the part that the acting seat would see.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp
from typing import NamedTuple

from engine.bots.memory import PAIRS, Memory
from engine.play.cards import BLACK_THREES, JOKER, RANK_OF, THREE, TWO, Cards, Spans, count_wild, spans_of
from engine.play.legality.going_out import contract_missing
from engine.play.melds import BOOK, Meld
from engine.play.moves import GARBAGE
from engine.play.rules import Rules
from engine.play.scoring import score_sheet
from engine.play.state import Position


class Habits(NamedTuple):
    """Numbers in which players differ; fitted in duplicate matches (`benchmarks/bots.py`)."""

    hoard_hand: float = 10.0
    hoard_foot: float = 3.0
    """Turns left above which cards that can claim the pile are kept, playing from the hand and from the foot."""
    hoard_foot_partner: float = 12.0
    """The same on the foot where there are partners: ranks that are begun help them."""
    hoard_partner: float = 0.75
    """Share of the turns above which they are kept in the hand, if that is more, where a partner waits for the foot."""
    hoard_partner_loose: float = 0.65
    """The same where one card of the rank, or a wild card beside it, takes the pile."""
    hoard_book: float = 5.0
    """Turns left above which they are kept in the hand where a book of one's own brings the foot."""
    keeps: int = 2
    """Cards of a rank that are kept then."""
    claim_beyond: int = 2
    """Cards that the pile has to bring beyond a draw, or nothing is kept for it."""
    caution: float = 1.5
    """Weight of the danger that the next player takes the pile."""
    likes_points: float = 1.0
    """Weight of a card's points in the decision to keep it."""
    few: int = 6
    """Cards in a hand from which wild cards are spent to reach the foot."""
    nearly: int = 2
    """Natural cards in such a hand with which wild cards go anywhere."""
    foot_worth: float = 100.0
    """Points that may be paid for the foot by a plan that empties the hand, at the start of the deal."""
    foot_worth_rises: float = 100.0
    """The same at the end of the stock, beyond that."""
    helps: int = 4
    """Cards of a partner without the foot from which ranks are begun for the partner's sake."""
    helps_from: float = 12.0
    """Turns left below which they are."""
    spare_dirty: int = 0
    """Dirty melds that may be begun beyond those of the contract."""
    dirty_from: float = 10.0
    """Turns left below which dirty melds that the contract lacks are begun."""
    card_worth: float = 20.0
    """Worth of a card that comes with the pile, in points."""
    wild_cost: float = 45.0
    """Cost of a wild card that a claim spends, where wild cards have a book of their own."""
    race: float = 0.3
    """Share of the turns below which a player still without the foot empties the hand at a price."""
    gamble: int = 3
    """Wild cards from which a wild meld is begun that costs points unless it is finished."""


PLAIN = Habits()
"""The habits of `club`."""


class Sight:
    """The position as the seat to act understands it; worked out once a decision."""

    __slots__ = (
        *("_missing", "finished", "hand", "melds", "on_foot", "open", "rules", "seat", "spans", "state", "team"),
        *("_hoards", "_races", "habits", "memory", "turns_left", "wild"),
    )

    def __init__(self, state: Position, memory: Memory | None = None, habits: Habits = PLAIN) -> None:
        self.state, self.rules, self.habits, self.memory = state, state.rules, habits, memory
        self.seat = state.actor
        self.team = self.seat % state.teams
        self.hand: Cards = state.hands[self.seat]
        self.spans: Spans = spans_of(self.hand)
        self.melds: tuple[Meld, ...] = state.melds[self.team]
        self.open, self.finished = open_melds(state.rules, self.melds)
        self.on_foot = state.feet[self.seat] is None
        self.wild: Cards = self.spans.get(TWO, b"") + self.spans.get(JOKER, b"")
        """The wild cards in the hand: twos, then jokers."""
        self.turns_left = turns_left(state)
        self._missing: dict[str, int] | None = None
        self._hoards: bool | None = None
        self._races: bool | None = None

    def can_hold(self, rank: int) -> bool:
        """Whether more natural cards of the rank can still be laid by the team."""
        return rank in self.open or rank not in self.finished or self.rules.melds_per_rank != "one"

    def missing(self) -> dict[str, int]:
        """Books that the contract still asks of the team, by kind."""
        if self._missing is None:
            self._missing = contract_missing(self.state, self.team, self.melds)
        return self._missing

    def hoards(self) -> bool:
        """Whether cards that can claim the pile are worth more in the hand than on the table."""
        if self._hoards is None:
            late = self._lays_from() if self.on_foot else self._foot_from()
            self._hoards = (
                self.turns_left > late
                and not self.races()
                and self.pile_pays()
                and (self.rules.foot_when != "own_book" or self.state.team_size < 3)
                and not self.is_threatened()
                and (not self.helps() if self.on_foot else not self.can_empty())
            )
        return self._hoards

    def pile_pays(self) -> bool:
        """Whether a full pile brings enough cards more than a draw to keep cards for it."""
        take = self.rules.pile_take
        if isinstance(take, str):
            return take == "all"
        return take - self.rules.draw_count >= self.habits.claim_beyond

    def _lays_from(self) -> float:
        """Turns left from which a player on the foot lays what can be laid."""
        return self.habits.hoard_foot if self.state.team_size == 1 else self.habits.hoard_foot_partner

    def _foot_from(self) -> float:
        """Turns left from which a player without the foot lays what can be laid."""
        if self.rules.foot_when == "own_book":
            return self.habits.hoard_book
        if self.state.team_size == 1:
            return self.habits.hoard_hand
        is_loose = self.rules.pile_claim in ("one_match", "legal_meld")
        share = self.habits.hoard_partner_loose if is_loose else self.habits.hoard_partner
        share *= turns_at_start(self.rules, self.state.seats)
        return max(self.habits.hoard_hand, share)

    def races(self) -> bool:
        """Whether the hand should be emptied now: for the foot, or to go out."""
        if self._races is None:
            self._races = self._can_race()
        return self._races

    def _can_race(self) -> bool:
        rules, state = self.rules, self.state
        if not self.on_foot:
            late = self.habits.race * turns_at_start(rules, state.seats)
            return rules.foot_when == "hand_empty" and self.turns_left < late
        waits = rules.partner_foot != "none" and any(state.feet[seat] is not None for seat in state.partners(self.seat))
        return not waits and not self.missing()

    def hurries(self) -> bool:
        """Whether so few cards are left that the hand should be emptied at a price."""
        if self.on_foot:
            return self.races() or self.helps()
        return self.rules.foot_when == "hand_empty" and (len(self.hand) <= self.habits.few or self.races())

    def helps(self) -> bool:
        """Whether a partner sits on few cards without the foot, so that every rank that is begun may help."""
        state = self.state
        if not self.on_foot or self.rules.foot_when != "hand_empty" or self.turns_left > self.habits.helps_from:
            return False
        return any(
            state.feet[seat] is not None and len(state.hands[seat]) <= self.habits.helps
            for seat in state.partners(self.seat)
        )

    def can_empty(self) -> bool:
        """Whether the whole hand but for a discard could be laid now, about, so that the foot is near."""
        if self.rules.foot_when != "hand_empty" or not self.state.opened[self.team]:
            return False
        wild, spare = len(self.wild), 1
        for rank, cards in self.spans.items():
            if rank in (TWO, JOKER):
                continue
            count = len(cards)
            if rank in self.open and (self.rules.grows or len(self.open[rank].cards) + count <= BOOK):
                continue
            if rank != THREE and count >= 3 and self.can_hold(rank):
                continue
            if rank != THREE and count == 2 and wild and self.can_hold(rank):
                wild -= 1
                continue
            spare -= count
        return spare >= 0

    def is_threatened(self) -> bool:
        """Whether another team could go out soon."""
        return any(threatens_out(self.state, team) for team in range(self.state.teams) if team != self.team)


def turns_left(state: Position) -> float:
    """The most turns that each seat still gets, by the size of the stock."""
    return len(state.stock) / (state.rules.draw_count * state.seats)


@lru_cache(maxsize=64)
def turns_at_start(rules: Rules, seats: int) -> float:
    """The most turns that each seat gets in a deal, by the stock after the cards are dealt."""
    return stock_at_start(rules, seats) / (rules.draw_count * seats)


def stock_at_start(rules: Rules, seats: int) -> int:
    """Cards in the stock after the cards are dealt."""
    return len(rules.pack(seats)) - seats * sum(rules.stacks)


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

    __slots__ = ("_blind", "_finished", "_growing", "_held", "_known", "_likeness", "_needed", "_sight")

    def __init__(self, sight: Sight, unseen: list[int]) -> None:
        state, rules, memory = sight.state, sight.rules, sight.memory
        following = (sight.seat + 1) % state.seats
        team = following % state.teams
        self._sight = sight
        self._growing, self._finished = open_melds(rules, state.melds[team])
        needs_open = rules.take_needs_open and not state.opened[team]
        self._blind = 0.0 if rules.pile_take == "none" or needs_open else 1.0
        if not state.opened[team] and rules.opening.steps:
            self._blind *= 0.5
        self._known = memory.known[following].translate(RANK_OF) if memory else b""
        self._likeness = memory.likeness(state, following, PAIRS) if memory else [1.0] * 14
        everything = sum(count for count in unseen if count > 0) or 1
        hidden = len(state.hands[following]) - len(self._known)
        self._held = [hidden * max(0, count) / everything for count in unseen]
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
        needed = self._needed - self._known.count(rank)
        chance = self._blind
        if needed > 0:
            chance *= min(0.95, chance_of(needed, self._held[rank]) * self._likeness[rank])
        # With five or six on the table a pair would overfill the book, and its rest makes no new meld.
        return chance * 0.15 if size in (BOOK - 2, BOOK - 1) and not rules.grows else chance


def chance_of(count: int, held: float) -> float:
    """Chance that a hand holds at least one or two of a rank of which it should hold `held` on average."""
    none = exp(-held)
    return 1 - none if count == 1 else 1 - none * (1 + held)


def pile_worth(rules: Rules, pile: Cards, habits: Habits = PLAIN) -> float:
    """Rough worth, in points, of the cards that come with the pile."""
    take = rules.pile_take
    cards = pile if take == "all" else pile[: int(take)] if take != "none" else b""
    dead = sum(cards.count(card) for card in BLACK_THREES)
    wild = count_wild(cards)
    return habits.card_worth * (len(cards) - dead) + 60.0 * wild


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
