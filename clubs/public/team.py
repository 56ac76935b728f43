"""A team of a league as visitors see it: roster, matches and honours."""

from datetime import UTC, datetime
from typing import Any

from clubs.league import fixtures
from clubs.league.fixtures import Match
from clubs.models import Honour, SeasonEntry, Team
from clubs.public import fixtures as public
from clubs.services.leagues import team_entries

EARLIEST = datetime.min.replace(tzinfo=UTC)


def overview(team: Team) -> dict[str, Any]:
    """The content of a team’s page: a fixed number of queries."""
    seasons = list(
        SeasonEntry.objects.filter(team=team)
        .exclude(season__status="draft")
        .select_related("season__league__club", "division__tournament")
        .order_by("-season__number")
    )
    matches = fixtures.of_team(team)
    running = [match for match in matches if match.season.status == "running"]
    coming = [match for match in running if not match.is_done]
    now = public.playing(entry.division for entry in seasons if entry.season.status == "running")
    rows = {row.match.pairing.pk: row for row in public.match_rows(matches, now)}
    results = sorted((match for match in matches if match.is_done), key=_when, reverse=True)
    return {
        "team": team,
        "league": team.league,
        "roster": team_entries.roster(team),
        "seasons": seasons,
        "next": rows[coming[0].pairing.pk] if coming else None,
        "coming": [rows[match.pairing.pk] for match in coming[1:]],
        "results": [rows[match.pairing.pk] for match in results if match.season.status == "running"],
        "earlier": [rows[match.pairing.pk] for match in results if match.season.status != "running"],
        "honours": list(Honour.objects.filter(team=team).select_related("season").order_by("-season__number", "place")),
        "home": team.venue or team.club.venue,
    }


def _when(match: Match) -> tuple[datetime, int]:
    return match.pairing.done_at or match.at or EARLIEST, match.pairing.pk
