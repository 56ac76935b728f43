"""A finished deal move by move, every card known."""

from collections.abc import Iterator
from typing import NamedTuple

from engine.play.events import PublicLog
from engine.play.game import apply
from engine.play.moves import Move as EngineMove
from engine.play.moves import parse_move
from engine.play.state import State
from engine.play.view import View, view
from gameplay.log import match_history
from gameplay.models import Move, Table


class Played(NamedTuple):
    """A move of a deal, and the position before it."""

    number: int
    """In the log of the table, from 1."""
    seat: int
    is_player: bool
    """Whether a person made it."""
    move: EngineMove
    before: State
    after: State
    log: PublicLog
    """What the table had seen of the deal before it."""

    def view(self) -> View:
        """What the seat that moved could know."""
        return view(self.before, self.seat, log=self.log)


def beginning_of(table: Table, deal: int) -> State:
    """The position at the start of a deal. Raises `StopIteration` if it was not dealt."""
    match = match_history.match_of(table, match_history.dealt(table))
    step = next(step for step in match_history.steps(match) if step.deal == deal and step.is_beginning)
    return match_history.state_at(match, step)


def played(table: Table, deal: int, state: State) -> Iterator[Played]:
    """The moves of a deal in order, from its beginning."""
    log = PublicLog()
    for number, seat, text, by in table.moves.filter(deal=deal).values_list("number", "seat", "text", "by"):
        move = parse_move(text)
        after, events = apply(state, move)
        yield Played(number, seat, by == Move.By.PLAYER, move, state, after, log)
        state, log = after, log.after(events)
