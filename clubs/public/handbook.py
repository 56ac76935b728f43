"""The members’ handbook: names, what each allows to be shown, organisers, teams and dates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext

from clubs.league import fixtures
from clubs.models import Club, Meeting, Membership, Season, Team, TeamMember
from clubs.services.members.contact_details import shown
from web.text import on_calendar, zone_name

AHEAD = timedelta(days=366)
Role = Membership.Role


@dataclass(frozen=True)
class Entry:
    """A member, with the details that they allow to be shown."""

    name: str
    role: str
    """In words, for owners and organisers; else empty."""
    details: Mapping[str, str]


@dataclass(frozen=True)
class TeamEntry:
    """A team with its players."""

    team: Team
    players: tuple[str, ...]


@dataclass(frozen=True)
class Day:
    """A date of the year to come, by the club’s clock."""

    at: datetime
    when: str
    title: str
    place: str = ""


@dataclass(frozen=True)
class Handbook:
    """What the handbook has."""

    members: tuple[Entry, ...]
    teams: Mapping[str, tuple[TeamEntry, ...]]
    """By the name of the league."""
    days: tuple[Day, ...]
    zone: str
    """The zone of their times."""

    @property
    def officers(self) -> list[Entry]:
        """Owners and organisers who are in it."""
        return [line for line in self.members if line.role]


def listed_members(club: Club) -> list[Membership]:
    """The members who agreed to be listed, by name; nobody if the club has no directory."""
    if not club.has_directory:
        return []
    members = Membership.objects.filter(club=club, left_at=None, is_listed=True).select_related("user")
    return sorted(members, key=lambda member: (member.name.casefold(), member.pk))


def handbook(club: Club, now: datetime | None = None) -> Handbook:
    """The handbook of a club: a fixed number of queries for each season under way."""
    now = now or timezone.now()
    members = listed_members(club)
    lines = tuple(
        Entry(
            member.name,
            str(member.get_role_display()) if member.role in (Role.OWNER, Role.ORGANISER) else "",
            {name: text for name, text in shown(member).items() if text},
        )
        for member in members
    )
    with timezone.override(club.zone):
        zone = zone_name(now)
    return Handbook(lines, _teams(club, members), tuple(_days(club, now)), zone)


def _teams(club: Club, members: Sequence[Membership]) -> dict[str, tuple[TeamEntry, ...]]:
    teams = Team.objects.filter(club=club, left_at=None, league__is_archived=False).select_related("league")
    players: dict[int, list[str]] = {}
    here = TeamMember.objects.filter(team__in=teams, left_at=None, membership__in=members)
    for team_id, name in here.order_by("position", "pk").values_list("team", "membership__name"):
        players.setdefault(team_id, []).append(name)
    groups: dict[str, list[TeamEntry]] = {}
    for team in sorted(teams, key=lambda team: (team.league.name.casefold(), team.name.casefold(), team.pk)):
        groups.setdefault(team.league.name, []).append(TeamEntry(team, tuple(players.get(team.pk, ()))))
    return {name: tuple(lines) for name, lines in groups.items()}


def _days(club: Club, now: datetime) -> list[Day]:
    """Meetings and matchdays of the year to come."""
    meetings = Meeting.objects.filter(club=club, starts_at__gt=now, starts_at__lt=now + AHEAD, is_called_off=False)
    days = [
        Day(meeting.starts_at, day_and_clock(club, meeting.starts_at), meeting.title, meeting.venue or club.venue)
        for meeting in meetings
    ]
    seasons = Season.objects.filter(league__club=club, status=Season.Status.RUNNING).select_related("league__club")
    for season in seasons.order_by("pk"):
        known: set[tuple[int, datetime]] = set()
        for division in fixtures.of_season(season).values():
            for matchday in division:
                at = matchday.starts_at or matchday.deadline_at
                if at is None or at <= now or (matchday.number, at) in known:
                    continue
                known.add((matchday.number, at))
                title = f"{season.league}: {matchday.name}"
                days.append(Day(at, _matchday_words(season, matchday), title))
    return sorted(days, key=lambda day: (day.at, day.title))


def _matchday_words(season: Season, matchday: fixtures.Matchday) -> str:
    club = season.league.club
    if matchday.starts_at is not None and season.plays_at is not None:
        return day_and_clock(club, matchday.starts_at)
    if matchday.starts_at is not None:
        return on_calendar(matchday.starts_at.astimezone(club.zone), gettext("D j M Y"))
    assert matchday.deadline_at is not None  # noqa: S101  the caller has looked
    day = on_calendar(matchday.deadline_at.astimezone(club.zone), gettext("D j M Y"))
    return gettext("by %(time)s") % {"time": day}


def day_and_clock(club: Club, at: datetime) -> str:
    """`Tue 24 Nov 2026, 19:00`, by the club’s clock."""
    local = at.astimezone(club.zone)
    return f"{on_calendar(local, gettext('D j M Y'))}, {local:%H:%M}"
