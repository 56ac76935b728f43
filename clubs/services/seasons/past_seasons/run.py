"""Preview and import of a file of past seasons: the preview is the act itself, rolled back."""

from typing import Unpack

from django.utils.translation import gettext, ngettext

from accounts.models import User
from clubs.imports.season import Sheet
from clubs.models import Act
from clubs.services.history import ActionRequest, Record, perform, try_out
from clubs.services.leagues import event_roles
from clubs.services.seasons.past_seasons.create import Maker
from clubs.services.seasons.past_seasons.preview import Preview, Wishes
from clubs.services.seasons.past_seasons.undo import IMPORT
from web.errors import Refused
from web.text import number


def preview_import(club_id: int, by: User, *, sheet: Sheet, wishes: Wishes) -> Preview:
    """Preview an import; nothing is written. Raises `Refused` with the field that is wrong."""

    def do(record: Record) -> Preview:
        maker = Maker(record, by, wishes)
        maker.make(sheet.seasons)
        return maker.outlook()

    return try_out(club_id, do, by=by)


def import_seasons(club_id: int, by: User, *, sheet: Sheet, wishes: Wishes, **how: Unpack[ActionRequest]) -> Act:
    """Create the seasons of a file: closed, with all results and honours. Raises `Refused` while a line is wrong."""

    return perform(club_id, lambda record: make(record, by, sheet, wishes), IMPORT, by=by, **how)


def make(record: Record, by: User, sheet: Sheet, wishes: Wishes) -> str:
    """Create the seasons of a file within an act; returns its sentence. Raises `Refused` while a line is wrong."""
    if sheet.problems:
        problem = sheet.problems[0]
        where = gettext("Line %(line)s: %(sentence)s") % {"line": problem.line, "sentence": problem.sentence}
        raise Refused("wrong_lines", where if problem.line else problem.sentence, field="table")
    maker = Maker(record, by, wishes)
    maker.make(sheet.seasons)
    event_roles.sync(record.club, by, within=record)
    names = ", ".join(season.name for season in sheet.seasons)
    return ngettext(
        "%(count)s match of %(league)s was imported: %(names)s.",
        "%(count)s matches of %(league)s were imported: %(names)s.",
        maker.matches,
    ) % {"count": number(maker.matches), "league": maker.league, "names": names}
