"""Remarks on findings at a club’s tables. Only its organisers see them."""

from typing import Unpack

from accounts.models import User
from clubs.fair_play import club_patterns
from clubs.models import Act, Remark
from clubs.services.history import ActionRequest, Record, Rows, declare, perform
from gameplay.fair_play import patterns

REMARK = declare("fair_play", needs="fair_play", undo=Rows())


def remark(club_id: int, by: User, *, finding: str, verdict: str, note: str = "", **how: Unpack[ActionRequest]) -> Act:
    """Mark a finding (`Finding.key`) as harmless or to be watched.

    The history names the organiser and the time, not the players. Raises `Refused` for a finding that no longer
    exists or is about the organiser.
    """

    def do(record: Record) -> str:
        match = patterns.finding_for(club_patterns.of_club(record.club), finding, reader=by.pk)
        values = patterns.read_remark(match, verdict=verdict, note=note)
        record.create(Remark(club=record.club, by=by, at=record.now, **values))
        return patterns.history_line(verdict)

    return perform(club_id, do, REMARK, by=by, **how)
