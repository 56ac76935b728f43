"""How far a stage is."""

from __future__ import annotations

from tournaments import drawing
from tournaments.load import StageState
from tournaments.models import Pairing, Round
from tournaments.plan import ENDLESS
from web.words import several


def words(state: StageState) -> str:
    """How far a stage is: `after round 3 of 7`, `3 of 9 tables of round 4 in`."""
    total = drawing.round_count(state)
    closed = [one for one in state.rounds if one.row.status == Round.Status.CLOSED]
    current = next((one for one in state.rounds if one.row.status == Round.Status.OPEN), None)
    if state.plan.format in ENDLESS:
        done = sum(table.is_decided for one in state.rounds for table in one.tables)
        return f"{several(done, 'match', 'matches')} played"
    of = f" of {total}" if total else ""
    if current is not None:
        playing = [table for table in current.tables if table.row.status != Pairing.Status.IDLE]
        done = sum(not table.row.is_open for table in playing)
        return f"{current.row.name}{of}: {done} of {several(len(playing), 'table')} in"
    return f"after {closed[-1].row.name.lower()}{of}" if closed else "before the first result"
