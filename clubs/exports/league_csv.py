"""The table and the fixtures of a division for spreadsheets, with times by the club's clock."""

from __future__ import annotations

from collections.abc import Iterable

from clubs.exports.tables import Cell, write
from clubs.league import fixtures
from clubs.league import table as reading
from clubs.models import Division

TABLE = (
    *("place", "team", "played", "won", "drawn", "lost", "for", "against", "difference", "points"),
    *("last five", "can finish", "note"),
)
FIXTURES = (
    *("matchday", "home", "away", "begins", "play by", "venue", "online"),
    *("home score", "away score", "home points", "away points", "walkover"),
)


def table(division: Division) -> bytes:
    """The table as it stands; before the draw only its head."""
    return write(division.season.league.club.zone, TABLE, _rows(division))


def _rows(division: Division) -> Iterable[tuple[Cell, ...]]:
    found = reading.table(division)
    for row in found.rows if found else ():
        yield (
            row.place,
            row.team.name,
            row.played,
            row.won,
            row.drawn,
            row.lost,
            row.scored,
            row.conceded,
            row.difference,
            row.points,
            " ".join(one.sign for one in row.form),
            row.can_finish if found and found.has_begun else "",
            row.note,
        )


def matches(division: Division) -> bytes:
    """Every match with its result where it has one."""
    return write(division.season.league.club.zone, FIXTURES, _matches(division))


def _matches(division: Division) -> Iterable[tuple[Cell, ...]]:
    for day in fixtures.matchdays(division):
        for one in day.matches:
            yield (
                day.number,
                one.home.name,
                one.away.name,
                one.starts_at,
                one.deadline_at,
                one.venue,
                one.is_online,
                one.home.score if one.is_done else None,
                one.away.score if one.is_done else None,
                one.home.points if one.is_done else None,
                one.away.points if one.is_done else None,
                one.is_walkover if one.is_done else None,
            )
