"""A team of a league as visitors see it: its place, roster, matches and honours."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext, pgettext

from clubs.league import fixtures, table
from clubs.league.fixtures import Match
from clubs.models import Honour, SeasonEntry, Team
from clubs.public import fixtures as public
from clubs.public.season import TableRow
from clubs.services.leagues import team_entries
from web.text import on_calendar

EARLIEST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Standing:
    """The place of a team in a division under way."""

    entry: SeasonEntry
    line: TableRow
    teams: int
    """How many teams the division has."""

    @property
    def place(self) -> str:
        """`3 of 8`; empty before the first result, and for a team that is out."""
        place = self.line.row.place
        if not place.rstrip("=").isdecimal():
            return ""
        return gettext("%(place)s of %(teams)s") % {"place": place, "teams": self.teams}


def overview(team: Team) -> dict[str, Any]:
    """The content of a team’s page: a fixed number of queries, and those of a table for each season under way."""
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
    standings = [standing for entry in seasons if (standing := _standing(entry)) is not None]
    results = sorted((match for match in matches if match.is_done), key=_when, reverse=True)
    return {
        "team": team,
        "league": team.league,
        "roster": team_entries.roster(team),
        "seasons": seasons,
        "standings": standings,
        "outcomes": {match.pairing.pk: _outcome(match, team) for match in results},
        "next": rows[coming[0].pairing.pk] if coming else None,
        "coming": [rows[match.pairing.pk] for match in coming[1:]],
        "results": [rows[match.pairing.pk] for match in results if match.season.status == "running"],
        "earlier": [rows[match.pairing.pk] for match in results if match.season.status != "running"],
        "honours": list(Honour.objects.filter(team=team).select_related("season").order_by("-season__number", "place")),
        "home": team.venue or team.club.venue,
    }


def words(team: Team, content: Mapping[str, Any]) -> tuple[str, str]:
    """For links to a team: its name, and `Harbour League: 3 of 8. Next: Tuesday 1 December, 19:00.`"""
    sentence = f"{team.league}."
    if places := [standing.place for standing in content["standings"] if standing.place]:
        sentence = gettext("%(league)s: %(place)s.") % {"league": team.league, "place": places[0]}
    coming = content["next"]
    if coming is not None and coming.match.starts_at is not None:
        there = coming.match.starts_at.astimezone(team.league.club.zone)
        day = on_calendar(there, pgettext("date format", "l j F, H:i"))
        sentence = f"{sentence} {gettext('Next: %(day)s.') % {'day': day}}"
    return team.name, sentence


def _standing(entry: SeasonEntry) -> Standing | None:
    """Its place in a season under way; `None` before the draw and after the close."""
    if entry.season.status != "running" or entry.division.tournament is None:
        return None
    entry.division.season = entry.season
    standings = table.table(entry.division)
    row = next((row for row in standings.rows if row.team.pk == entry.team_id), None) if standings else None
    return (
        Standing(entry, TableRow(row, ()), len(standings.rows)) if standings is not None and row is not None else None
    )


def _outcome(match: Match, team: Team) -> str:
    """`won`, `lost` or `drawn` for a team; empty where nothing counts."""
    side = match.home if match.home.team is not None and match.home.team.pk == team.pk else match.away
    other = match.away if side is match.home else match.home
    if side.is_winner:
        return gettext("won")
    if other.is_winner:
        return gettext("lost")
    return pgettext("a match", "drawn") if side.score is not None and side.score == other.score else ""


def _when(match: Match) -> tuple[datetime, int]:
    return match.pairing.done_at or match.at or EARLIEST, match.pairing.pk
