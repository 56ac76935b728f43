"""Knowledge of the player to act from a view: unseen cards, needs of the contract, safe discards.

No function here looks at a hidden card. They take a position, so that `expert` can use them on imagined ones; of
those they read only the part that the acting seat would see.
"""

from __future__ import annotations

from math import exp
from typing import NamedTuple

from engine.play.cards import BLACK_THREES, JOKER, RANK_OF, TWO, Cards, Spans, count_wild, spans_of
from engine.play.legality.going_out import contract_missing
from engine.play.melds import BOOK, Meld
from engine.play.moves import GARBAGE
from engine.play.rules import Rules
from engine.play.scoring import score_sheet
from engine.play.state import Position


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
        return rank in self.open or rank not in self.finished or self.rules.second_meld

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
            if rules.books_grow:
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
        if not size and rank in self._finished and not rules.second_meld:
            return 0.0
        chance = self._blind * chance_of(self._needed, self._held[rank])
        # With five or six on the table a pair would overfill the book, and its rest makes no new meld.
        return chance * 0.15 if size in (BOOK - 2, BOOK - 1) and not rules.books_grow else chance


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
    bare.hands, bare.feet = (b"",) * state.seats, (None,) * state.seats
    return sum(item.points for item in score_sheet(bare, team))
