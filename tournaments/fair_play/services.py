"""Saying what is in a finding that may be against fair play. Only organisers see any of it, and what they say of it."""

from __future__ import annotations

from typing import Unpack

from accounts.models import User
from acts.kinds import Rows
from gameplay.fair_play import patterns
from tournaments.fair_play import event_patterns
from tournaments.models import Act, Remark
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record

REMARK = declare("fair_play", needs="fair_play", undo=Rows())


def remark(tournament_id: int, by: User, *, finding: str, verdict: str, note: str = "", **how: Unpack[How]) -> Act:
    """Say of a finding (`Finding.key`) that there is nothing in it, or that it is to be watched.

    The history tells who did and when, and names nobody. Raises `Refused` for a finding that is not there any more, or
    that is about whoever asks.
    """

    def do(record: Record) -> str:
        found = patterns.finding_for(event_patterns.of_event(record.tournament), finding, reader=by.pk)
        said = patterns.read_remark(found, verdict=verdict, note=note)
        record.create(Remark(tournament=record.tournament, by=by, at=record.now, **said))
        return patterns.said_words(verdict)

    return perform(tournament_id, do, REMARK, by=by, advance=False, **how)
