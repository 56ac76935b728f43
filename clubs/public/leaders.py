"""The first places of a division, for pages that show several leagues."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.safestring import SafeString

from clubs.league import fixtures, table
from clubs.league.agenda import agenda
from clubs.models import Division
from clubs.public import page_context, season

PLACES = 5


@dataclass(frozen=True)
class Leader:
    """A team among the first of its division."""

    place: str
    name: str
    url: str
    played: int
    points: str


def leaders(division: Division) -> Mapping[str, Any]:
    """The first places of a drawn division, whose season, league and club are loaded: a fixed number of queries."""
    standings = table.table(division)
    days = fixtures.matchdays(division)
    rows = standings.rows[:PLACES] if standings else ()
    return {
        "division": division,
        "season": division.season,
        "heading": season.heading(standings, days, agenda(days, timezone.now())),
        "leaders": [
            Leader(row.place, row.team.name, row.team.get_absolute_url(), row.played, row.points) for row in rows
        ],
    }


def part(division: Division, template: str) -> SafeString:
    """The same as a part of a page, cached. One query if nothing is new."""
    club, tournament = division.season.league.club, division.tournament
    version = tournament.version if tournament else 0
    today = timezone.now().astimezone(club.zone).date()  # which matchday it is goes by date
    stamp = f"{division.pk}:{version}|{table.guests_stamp(division.season.league)}|{today}"
    return page_context.part(club, stamp, template, lambda: leaders(division))
