"""Positions that a player could be in: the hidden cards of a view filled with cards that it has not seen."""

from __future__ import annotations

from collections import Counter
from random import Random

from engine.bots.knowledge import visible
from engine.bots.memory import CARDS, Memory
from engine.play.cards import BLANK, RED_THREES, Cards
from engine.play.state import State


class Imagination:
    """Hidden cards of a position as a seat sees it, dealt out again and again.

    With a memory, cards known to be in a hand lie there, and the others where they are likely: a rank that a player has
    just thrown away is seldom in that hand.
    """

    def __init__(self, state: State, seat: int, random: Random, memory: Memory | None = None) -> None:
        self.state, self.seat, self.random = state, seat, random
        counts = Counter(state.rules.pack(state.seats))
        counts.subtract(Counter(visible(state, seat).replace(bytes([BLANK]), b"")))
        self.known: dict[int, Cards] = {}
        self.chances: dict[int, list[float]] = {}
        for other in range(state.seats) if memory else ():
            if memory and other != seat:
                self.known[other] = self._available(counts, memory.known[other], len(state.hands[other]))
                likeness = memory.likeness(state, other, CARDS)
                self.chances[other] = [chance / max(likeness) for chance in likeness]
        self.unseen = [card for card, count in sorted(counts.items()) for _ in range(max(0, count))]
        self.hidden = [other for other in range(state.seats) if other != seat]

    @staticmethod
    def _available(counts: Counter[int], cards: Cards, most: int) -> Cards:
        """The known cards that can be in the hand; they leave the unseen ones."""
        held = b""
        for card in cards:
            if counts[card] > 0 and len(held) < most:
                counts[card] -= 1
                held += bytes([card])
        return held

    def deal(self) -> State:
        """A position that agrees with the seat's view.

        Red threes lie in the stock, in feet and in the hands of seats before their first turn. A position given by
        hand may name fewer or more cards than a pack has: then cards are left over, or repeat.
        """
        state = self.state
        cards = self.unseen.copy()
        needed = len(state.stock) + sum(len(state.hands[seat]) - len(self.known.get(seat, b"")) for seat in self.hidden)
        needed += sum(len(stack or b"") for stack in (*state.knees, *state.feet))
        while len(cards) < needed:
            cards += self.unseen or [0]
        self.random.shuffle(cards)
        hands = list(state.hands)
        for seat in self.hidden:
            red = state.first_turn[seat] or state.rules.red_threes == "held"
            known = self.known.get(seat, b"")
            others = self._take(cards, len(hands[seat]) - len(known), red=red, chances=self.chances.get(seat))
            hands[seat] = bytes(sorted(known + others))
        draft = state.draft()
        draft.hands = tuple(hands)
        draft.feet, draft.knees = self._stacks(cards, state.feet), self._stacks(cards, state.knees)
        draft.stock = bytes(cards[: len(state.stock)])
        draft.seed = self.random.randbytes(32)
        return draft.freeze()

    def _stacks(self, cards: list[int], stacks: tuple[Cards | None, ...]) -> tuple[Cards | None, ...]:
        """The stacks with cards for the hidden ones."""
        return tuple(
            [
                bytes(sorted(self._take(cards, len(stack), red=True)))
                if stack is not None and BLANK in stack
                else stack
                for stack in stacks
            ]
        )

    def _take(self, cards: list[int], count: int, *, red: bool, chances: list[float] | None = None) -> Cards:
        """Take the last cards, passing over red threes unless `red`, and over cards that are unlikely in the hand."""
        if red and chances is None:
            first = bytes(cards[len(cards) - count :])
            del cards[len(cards) - count :]
            return first
        stack: list[int] = []
        passed: list[int] = []
        unlikely: list[int] = []
        while len(stack) < count and cards:
            card = cards.pop()
            if card in RED_THREES and not red:
                passed.append(card)
            elif chances is not None and self.random.random() > chances[card // 4]:
                unlikely.append(card)
            else:
                stack.append(card)
        while len(stack) < count and unlikely:
            stack.append(unlikely.pop())
        cards.extend(passed + unlikely)
        self.random.shuffle(cards)
        return bytes(stack)
