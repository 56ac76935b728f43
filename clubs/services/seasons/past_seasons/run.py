"""Looking at a file of past seasons, and bringing it in: what is looked at is the act itself, rolled back."""

from __future__ import annotations

from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from clubs.imports.season import Sheet
from clubs.models import Act
from clubs.services.history import How, Record, perform, try_out
from clubs.services.leagues import event_roles
from clubs.services.seasons.past_seasons.create import Maker
from clubs.services.seasons.past_seasons.preview import Outlook, Wishes
from clubs.services.seasons.past_seasons.undo import IMPORT
from web.errors import Refused
from web.text import number


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
            where = gettext("Line %(line)s: %(sentence)s") % {"line": one.line, "sentence": one.sentence}
            raise Refused("wrong_lines", where if one.line else one.sentence, field="table")
        maker = Maker(record, by, wishes)
        maker.make(sheet.seasons)
        event_roles.sync(record.club, by, within=record)
        names = ", ".join(season.name for season in sheet.seasons)
        return ngettext(
            "%(count)s match of %(league)s was imported: %(names)s.",
            "%(count)s matches of %(league)s were imported: %(names)s.",
            maker.matches,
        ) % {"count": number(maker.matches), "league": maker.league, "names": names}

    return perform(club_id, do, IMPORT, by=by, **how)
