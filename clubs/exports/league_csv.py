"""The table and the fixtures of a division for spreadsheets, with times by the club's clock."""

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
    """The standings; before the draw only the head."""
    return write(division.season.league.club.zone, TABLE, _rows(division))


def _rows(division: Division) -> Iterable[tuple[Cell, ...]]:
    standings = reading.table(division)
    for row in standings.rows if standings else ():
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
            " ".join(mark.sign for mark in row.form),
            row.can_finish if standings and standings.has_begun else "",
            row.note,
        )


def matches(division: Division) -> bytes:
    """Every match, with its result if it has one."""
    return write(division.season.league.club.zone, FIXTURES, _matches(division))


def _matches(division: Division) -> Iterable[tuple[Cell, ...]]:
    for day in fixtures.matchdays(division):
        for match in day.matches:
            yield (
                day.number,
                match.home.name,
                match.away.name,
                match.starts_at,
                match.deadline_at,
                match.venue,
                match.is_online,
                match.home.score if match.is_done else None,
                match.away.score if match.is_done else None,
                match.home.points if match.is_done else None,
                match.away.points if match.is_done else None,
                match.is_walkover if match.is_done else None,
            )
