"""Saying what is in a finding at a club's tables that may be against fair play. Only its organisers see any of it."""

from __future__ import annotations

from typing import Unpack

from accounts.models import User
from clubs.fair_play import club_patterns
from clubs.models import Act, Remark
from clubs.services.history import How, Record, Rows, declare, perform
from gameplay.fair_play import patterns

REMARK = declare("fair_play", needs="fair_play", undo=Rows())


def remark(club_id: int, by: User, *, finding: str, verdict: str, note: str = "", **how: Unpack[How]) -> Act:
    """Say of a finding (`Finding.key`) that there is nothing in it, or that it is to be watched.

    The history tells who did and when, and names nobody. Raises `Refused` for a finding that is not there any more, or
    that is about whoever asks.
    """

    def do(record: Record) -> str:
        found = patterns.finding_for(club_patterns.of_club(record.club), finding, reader=by.pk)
        said = patterns.read_remark(found, verdict=verdict, note=note)
        record.create(Remark(club=record.club, by=by, at=record.now, **said))
        return patterns.said_words(verdict)

    return perform(club_id, do, REMARK, by=by, **how)
