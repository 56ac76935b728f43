"""The record of an act of a club: what it changes is written into it."""

from __future__ import annotations

from acts import history as floor
from clubs.models import Act, Club


class Record(floor.Record[Club, Act]):
    """What one act changes in a club, and who asked for it."""

    @property
    def club(self) -> Club:
        return self.home
