"""Organisers’ remarks on fair-play findings. Only organisers see either."""

from typing import Unpack

from accounts.models import User
from acts.kinds import Rows
from gameplay.fair_play import patterns
from tournaments.fair_play import event_patterns
from tournaments.models import Act, Remark
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record

REMARK = declare("fair_play", needs="fair_play", undo=Rows())


def remark(
    tournament_id: int, by: User, *, finding: str, verdict: str, note: str = "", **how: Unpack[ActionRequest]
) -> Act:
    """Mark a finding (`Finding.key`) as harmless or to be watched.

    The history shows the organiser and the time, but nobody’s name. Raises `Refused` if the finding no longer exists
    or is about the caller.
    """

    def do(record: Record) -> str:
        finding_now = patterns.finding_for(event_patterns.of_event(record.tournament), finding, reader=by.pk)
        values = patterns.read_remark(finding_now, verdict=verdict, note=note)
        record.create(Remark(tournament=record.tournament, by=by, at=record.now, **values))
        return patterns.history_line(verdict)

    return perform(tournament_id, do, REMARK, by=by, advance=False, **how)
