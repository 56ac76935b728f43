"""Looking at a file of past seasons, and bringing it in: what is looked at is the act itself, rolled back."""

from __future__ import annotations

from typing import Unpack

from accounts.models import User
from clubs.imports.season import Sheet
from clubs.models import Act
from clubs.services import staff
from clubs.services.history import How, Record, perform, try_out
from clubs.services.importing.making import Maker
from clubs.services.importing.outlook import Outlook, Wishes
from clubs.services.importing.undoing import KIND
from web.errors import Refused
from web.words import several


def look(club_id: int, by: User, *, sheet: Sheet, wishes: Wishes) -> Outlook:
    """What bringing a file in would make; nothing is written. Raises `Refused` with the field that is wrong."""

    def do(record: Record) -> Outlook:
        maker = Maker(record, by, wishes)
        maker.make(sheet.seasons)
        return maker.outlook()

    return try_out(club_id, do, by=by)


def bring_in(club_id: int, by: User, *, sheet: Sheet, wishes: Wishes, **how: Unpack[How]) -> Act:
    """Make the seasons of a file: closed, with divisions, results, final places and honours. Undone as a whole.

    Raises `Refused`: nothing is made while a line is wrong.
    """

    def do(record: Record) -> str:
        if sheet.problems:
            one = sheet.problems[0]
            where = f"Line {one.line}: " if one.line else ""
            raise Refused("wrong_lines", f"{where}{one.sentence}", field="table")
        maker = Maker(record, by, wishes)
        maker.make(sheet.seasons)
        staff.sync(record.club, by)
        names = ", ".join(season.name for season in sheet.seasons)
        verb = "was" if maker.matches == 1 else "were"
        return f"{several(maker.matches, 'match', 'matches')} of {maker.league} {verb} brought in: {names}."

    return perform(club_id, do, act="data", kind=KIND, by=by, **how)
