"""The table of a score sheet: teams, dealers, and the terms of scoring."""

from collections.abc import Sequence

from django.utils.translation import gettext

from engine.play.options import Shape
from gameplay.score_sheets.models import ScoreSheet
from gameplay.score_sheets.paper_scoring import Terms

LONGEST_NAME = 30


def seat_names(sheet: ScoreSheet) -> list[str]:
    """Every player by seat; those without a name are called by the number of the seat."""
    names = [*sheet.names, *[""] * sheet.seat_count][: sheet.seat_count]
    return [name or gettext("Player %(number)s") % {"number": seat} for seat, name in enumerate(names, 1)]


def side_names(names: Sequence[str], shape: Shape) -> tuple[str, ...]:
    """The sides as they are called: by their players' names, or by their number."""
    sides = []
    for side in range(shape.teams):
        members = [name for name in names[side :: shape.teams] if name]
        unnamed = gettext("Player %(number)s") if shape.team_size == 1 else gettext("Side %(number)s")
        sides.append(" / ".join(members) or unnamed % {"number": side + 1})
    return tuple(sides)


def terms_of(sheet: ScoreSheet) -> Terms:
    """The terms of scoring a sheet."""
    shape = sheet.rules.shape(sheet.seat_count, sheet.team_size)
    return Terms(side_names([*sheet.names, *[""] * shape.seats][: shape.seats], shape), sheet.rules, shape)
