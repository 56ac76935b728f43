"""A division for programs: its table and its matches as JSON; times in UTC."""

import json
from datetime import UTC, datetime
from typing import Any

from clubs.league import fixtures
from clubs.league import table as reading
from clubs.league.fixtures import Match, Side
from clubs.league.table import Row
from clubs.models import Division
from tournaments.exports import source

VERSION = 1
"""Increased with every change that readers must adapt to."""


def write(division: Division) -> bytes:
    """The whole division: a fixed number of queries."""
    season = division.season
    standings, days = reading.table(division), fixtures.matchdays(division)
    data = {
        "version": VERSION,
        "club": season.league.club.name,
        "league": season.league.name,
        "season": season.name,
        "status": season.status,
        "division": {"name": division.name, "level": division.level},
        "url": source.full_url(season.get_absolute_url()),
        "time_zone": season.league.club.time_zone,
        "table": [_row_data(row) for row in standings.rows] if standings else [],
        "ties": [{"letter": tie.letter, "sentence": tie.sentence} for tie in standings.ties] if standings else [],
        "matchdays": [
            {
                "number": day.number,
                "starts_at": _at(day.starts_at),
                "deadline_at": _at(day.deadline_at),
                "byes": [team.name for team in day.byes],
                "matches": [_match(match) for match in day.matches],
            }
            for day in days
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1).encode()


def _row_data(row: Row) -> dict[str, Any]:
    return {
        "place": row.place,
        "team": {"number": row.team.number, "name": row.team.name, "url": source.full_url(row.team.get_absolute_url())},
        "played": row.played,
        "won": row.won,
        "drawn": row.drawn,
        "lost": row.lost,
        "for": row.scored,
        "against": row.conceded,
        "difference": row.difference,
        "points": row.points,
        "last_five": [mark.sign for mark in row.form],
        "best": row.best,
        "worst": row.worst,
        "ties": list(row.letters),
        "lines_below": [{"words": cut.words, "is_up": cut.is_up} for cut in row.cuts],
        "note": row.note,
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "home": _side(match, match.home),
        "away": _side(match, match.away),
        "starts_at": _at(match.starts_at),
        "deadline_at": _at(match.deadline_at),
        "venue": match.venue,
        "is_online": match.is_online,
        "is_over": match.is_done,
        "is_walkover": match.is_done and match.is_walkover,
        "url": source.full_url(match.url),
    }


def _side(match: Match, side: Side) -> dict[str, Any]:
    data: dict[str, Any] = {"team": side.team.number if side.team else None, "name": side.name}
    if match.is_done:
        data |= {"score": side.score, "points": side.points, "has_won": side.is_winner}
    return data


def _at(at: datetime | None) -> str | None:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at is not None else None
