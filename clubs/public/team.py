"""A team of a league as visitors see it: who plays in it, what it played, what is next, what it won."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from clubs.league import fixtures
from clubs.league.fixtures import Match
from clubs.models import Honour, SeasonEntry, Team
from clubs.public import fixtures as public
from clubs.services.leagues import team_entries

EARLIEST = datetime.min.replace(tzinfo=UTC)


def overview(team: Team) -> dict[str, Any]:
    """What the page of a team is filled with: a fixed number of queries, whatever it played."""
    seasons = list(
        SeasonEntry.objects.filter(team=team)
        .exclude(season__status="draft")
        .select_related("season__league__club", "division__tournament")
        .order_by("-season__number")
    )
    found = fixtures.of_team(team)
    running = [one for one in found if one.season.status == "running"]
    coming = [one for one in running if not one.is_done]
    now = public.playing(row.division for row in seasons if row.season.status == "running")
    rows = {one.match.pairing.pk: one for one in public.shown(found, now)}
    done = sorted((one for one in found if one.is_done), key=_when, reverse=True)
    return {
        "team": team,
        "league": team.league,
        "roster": team_entries.roster(team),
        "seasons": seasons,
        "next": rows[coming[0].pairing.pk] if coming else None,
        "coming": [rows[one.pairing.pk] for one in coming[1:]],
        "results": [rows[one.pairing.pk] for one in done if one.season.status == "running"],
        "earlier": [rows[one.pairing.pk] for one in done if one.season.status != "running"],
        "honours": list(Honour.objects.filter(team=team).select_related("season").order_by("-season__number", "place")),
        "home": team.venue or team.club.venue,
    }


def _when(match: Match) -> tuple[datetime, int]:
    return match.pairing.done_at or match.at or EARLIEST, match.pairing.pk
