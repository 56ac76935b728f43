"""Lessons that a newcomer learns in a guided first deal, by doing."""

from collections.abc import Sequence

from engine.bots.guide import LESSONS, lessons
from engine.play.events import Event
from engine.play.moves import Move
from engine.play.state import State
from gameplay.models import Table

NEWCOMER = 0
"""The newcomer's seat: the first one, as at every practice table."""


def note_lessons(table: Table, before: State, move: Move, events: Sequence[Event]) -> None:
    """Add the lessons of a move to the table's guide, if it has one. `before` is the position at the move."""
    if table.guide is None:
        return
    learnt = lessons(before, move, events, NEWCOMER).union(table.guide["learnt"])
    table.guide = {**table.guide, "learnt": [lesson for lesson in LESSONS if lesson in learnt]}
