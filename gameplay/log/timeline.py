"""A deal as turns and acts, for stepping through it: an act is a move of the log, a place counts acts from the deal's start."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.play.rules import Rules
from gameplay.log.story import read_events
from gameplay.models import Move

_BEFORE_TURNS = ("lifted", "kept")
"""What players do before the first turn begins, each for themselves."""


@dataclass
class Turn:
    """A player's turn."""

    number: int
    seat: int
    first: int
    """The place after its first act."""
    acts: int = 0
    points: int = 0
    """Value of the cards it melded."""
    books: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The place after its last act."""
        return self.first + self.acts - 1


def turns_of(moves: Iterable[Move], rules: Rules, reader: int | None) -> list[Turn]:
    """The turns of a deal, of which these are all moves, by what `reader` (or a spectator) can know."""
    turns: list[Turn] = []
    begins = True
    for place, move in enumerate(moves, start=1):
        events = read_events(move.events, reader)
        if begins or any(event.kind in _BEFORE_TURNS for event in events):
            turns.append(Turn(len(turns) + 1, move.seat, place))
        turn = turns[-1]
        turn.acts += 1
        turn.moves.append(move)
        for event in events:
            if event.kind == "melded":
                turn.points += sum(rules.card_values[card] for card in event.cards)
            turn.books += event.kind == "book_completed"
        begins = any(event.kind == "turn_began" for event in events)
    return turns


def turn_at(turns: Sequence[Turn], place: int) -> Turn | None:
    """The turn whose act led to this place; `None` at the start of the deal."""
    return next((turn for turn in turns if turn.first <= place <= turn.last), None)


def place_of(turns: Sequence[Turn], turn: int, act: int) -> int:
    """The place after this act of this turn, both counted from 1, or the nearest there is; turn 0 is the start."""
    if not turn or not turns:
        return 0
    turn_there = turns[min(turn, len(turns)) - 1]
    return turn_there.last if turn > len(turns) else min(turn_there.first + max(act, 1) - 1, turn_there.last)
