"""A beginner: lays what can be laid, takes a big pile, throws a low single card, and has no plan beyond that."""

from __future__ import annotations

from random import Random

from engine.bots.bot import guess_lift
from engine.play.cards import BLACK_THREES, WILD_CARDS, count_wild, spans_of
from engine.play.moves import DRAW, Move
from engine.play.state import ANSWERING, CHOOSE, DRAWING, LIFT
from engine.play.view import View


class Novice:
    """Plays the cards of the moment."""

    def __init__(self, seed: int | None = None) -> None:
        self.random = Random(seed)

    def choose(self, view: View) -> Move:
        """The move to make now."""
        phase = view.position.phase
        if phase == LIFT:
            return guess_lift(view.position, self.random)
        moves = view.legal_moves()
        if phase in (CHOOSE, ANSWERING):
            return moves[0] if phase == ANSWERING else self.random.choice(moves)
        if phase == DRAWING:
            return self._draw(view, moves)
        if melds := [move for move in moves if move.kind == "meld"]:
            return max(melds, key=lambda move: (_naturals(move) - 2 * _wild(move), self.random.random()))
        return self._end_turn(view, moves)

    def _draw(self, view: View, moves: list[Move]) -> Move:
        claims = [move for move in moves if move.kind == "take"]
        if claims and (len(view.position.pile) >= 4 or DRAW not in moves):
            return min(claims, key=_wild)
        return DRAW if DRAW in moves else moves[-1]

    def _end_turn(self, view: View, moves: list[Move]) -> Move:
        if len(view.hand) <= 2 and (ask := [move for move in moves if move.kind == "ask"]):
            return ask[0]
        counts = {rank: len(cards) for rank, cards in spans_of(view.hand).items()}
        values = view.position.rules.card_values

        def unwanted(move: Move) -> tuple[int, int, float]:
            card = move.card
            if card in BLACK_THREES:
                return (0, 0, 0.0)
            keep = 9 if card in WILD_CARDS else counts[card // 4]
            return (keep, values[card], self.random.random())

        discards = [move for move in moves if move.kind == "discard"]
        return min(discards, key=unwanted) if discards else moves[-1]


def _naturals(move: Move) -> int:
    return sum(len(group.cards) - count_wild(group.cards) for group in move.groups)


def _wild(move: Move) -> int:
    return sum(count_wild(group.cards) for group in move.groups)
