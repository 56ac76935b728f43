"""Matches of a league as calendars: of the league, of a team, of one of its players."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta

from django.utils.translation import gettext

from clubs.league import fixtures
from clubs.league.fixtures import Match
from clubs.models import League, Membership, Season, Team
from tournaments.exports import ics
from tournaments.exports.ics import Appointment
from web.text import number

LENGTH = timedelta(hours=3)
"""Time for a match in a calendar."""


def of_league(league: League) -> bytes:
    """Every match of the seasons under way, cups and play-offs too."""
    return _write(f"{league.name}, {league.club.name}", fixtures.of_league(league))


def of_team(team: Team) -> bytes:
    """Every match of a team in the seasons under way."""
    return _write(f"{team.name}, {team.league.name}", _running(fixtures.of_team(team)))


def of_player(league: League, membership: Membership) -> bytes:
    """Every match of a member’s teams in a league, in the seasons under way."""
    teams = Team.objects.filter(league=league, roster__membership=membership, roster__left_at=None).distinct()
    matches: dict[int, Match] = {}
    for team in teams.order_by("number"):
        matches |= {match.pairing.pk: match for match in _running(fixtures.of_team(team))}
    return _write(f"{membership.name}, {league.name}", matches.values())


def _running(matches: Iterable[Match]) -> list[Match]:
    return [match for match in matches if match.season.status == Season.Status.RUNNING]


def _write(name: str, matches: Iterable[Match]) -> bytes:
    return ics.write("Leagues", name, (_appointment(match) for match in matches if match.at is not None))


def _appointment(match: Match) -> Appointment:
    tournament = match.pairing.round.stage.tournament
    begins, ends = _when(match)
    is_settled = match.starts_at is not None or match.is_done
    return Appointment(
        uid=f"league-match-{match.pairing.pk}",
        title=str(match) if is_settled else gettext("Play by now: %(match)s") % {"match": match},
        begins=begins,
        ends=ends,
        url=match.url,
        made_at=tournament.created_at,
        version=tournament.version,
        lines=tuple(_lines(match)),
        place=gettext("Online") if match.is_online else match.venue,
    )


def _when(match: Match) -> tuple[datetime | date, datetime | date]:
    """Its time, or the last day on which it can be played, by the club's clock."""
    if match.starts_at is not None:
        return match.starts_at, match.starts_at + LENGTH
    until = (match.deadline_at or match.season.created_at).astimezone(match.season.league.club.zone).date()
    return until, until + timedelta(days=1)


def _lines(match: Match) -> Iterable[str]:
    part = match.division or match.event
    yield f"{match.season.league}, {match.season}, {part}, {match.round_words}"
    if match.is_done and match.home.score is not None and match.away.score is not None:
        yield f"{number(match.home.score)} – {number(match.away.score)}"
