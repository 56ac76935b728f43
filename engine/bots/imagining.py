"""Positions that a player could be in: the hidden cards of a view filled with cards that it has not seen."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.bots.knowledge import visible
from engine.play.cards import BLANK, RED_THREES, Cards
from engine.play.state import State


class Imagination:
    """Hidden cards of a position as a seat sees it, dealt out again and again."""

    def __init__(self, state: State, seat: int, random: Random) -> None:
        self.state, self.seat, self.random = state, seat, random
        counts = Counter(state.rules.pack(state.seats))
        counts.subtract(Counter(visible(state, seat).replace(bytes([BLANK]), b"")))
        self.unseen = [card for card, count in sorted(counts.items()) for _ in range(max(0, count))]
        self.hidden = [other for other in range(state.seats) if other != seat]

    def deal(self) -> State:
        """A position that agrees with the seat's view.

        Red threes lie in the stock, in feet and in the hands of seats before their first turn. A position given by
        hand may name fewer or more cards than a pack has: then cards are left over, or repeat.
        """
        state = self.state
        cards = self.unseen.copy()
        needed = len(state.stock) + sum(len(state.hands[seat]) for seat in self.hidden)
        needed += sum(len(foot or b"") for foot in state.feet)
        while len(cards) < needed:
            cards += self.unseen or [0]
        self.random.shuffle(cards)
        hands = list(state.hands)
        for seat in self.hidden:
            hands[seat] = bytes(sorted(self._take(cards, len(hands[seat]), red=state.first_turn[seat])))
        feet = list(state.feet)
        for seat, foot in enumerate(state.feet):
            if foot is not None and BLANK in foot:
                feet[seat] = bytes(sorted(self._take(cards, len(foot), red=True)))
        draft = state.draft()
        draft.hands, draft.feet = tuple(hands), tuple(feet)
        draft.stock = bytes(cards[: len(state.stock)])
        draft.seed = self.random.randbytes(32)
        return draft.freeze()

    @staticmethod
    def _take(cards: list[int], count: int, *, red: bool) -> Cards:
        """Take the last cards, passing over red threes unless `red`."""
        if red:
            first = bytes(cards[len(cards) - count :])
            del cards[len(cards) - count :]
            return first
        stack: list[int] = []
        passed: list[int] = []
        while len(stack) < count and cards:
            card = cards.pop()
            (passed if card in RED_THREES else stack).append(card)
        cards.extend(passed)
        cards.reverse()
        return bytes(stack)
