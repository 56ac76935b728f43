"""The record of an act of a club, to which its changes are written."""

from acts import history as floor
from clubs.models import Act, Club


class Record(floor.Record[Club, Act]):
    """Changes of one act in a club, and its author."""

    @property
    def club(self) -> Club:
        return self.home
