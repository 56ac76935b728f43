"""The next matches and the latest results of people, by the club’s clock."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import cached_property
from django.utils.translation import gettext, pgettext

from clubs.league import fixtures
from clubs.league.agenda import agenda
from clubs.league.fixtures import LATEST, Match, Matchday
from clubs.models import Club, Season, TeamMember
from clubs.statistics.matchday_words import days_with_results
from web.clocks import by_clock, local
from web.text import number, on_calendar

MOST = 3
"""Matches of one person."""


@dataclass
class SeasonMatches:
    """The matches of a season under way, by the people who play them."""

    club: Club
    season: Season
    now: datetime

    @cached_property
    def days(self) -> dict[int, tuple[Matchday, ...]]:
        return fixtures.of_season(self.season)

    @cached_property
    def current(self) -> int:
        """The number of the matchday that is played now, or is next, in the division that is furthest behind; 0 for
        none."""
        numbers = [agenda(days, self.now).current for days in self.days.values()]
        return min((day.number for day in numbers if day is not None), default=0)

    @cached_property
    def latest(self) -> int:
        """The number of the last matchday with results; 0 for none."""
        return next(iter(days_with_results(self.season, 1)), 0)

    @cached_property
    def teams(self) -> dict[int, list[int]]:
        """Teams (ids) by member (id)."""
        rows = TeamMember.objects.filter(
            team__league=self.season.league_id, team__left_at=None, left_at=None, membership__club=self.club
        ).exclude(role=TeamMember.Role.RESERVE)
        teams: dict[int, list[int]] = defaultdict(list)
        for member, team in rows.values_list("membership", "team"):
            teams[member].append(team)
        return teams

    @cached_property
    def by_team(self) -> dict[int, list[Match]]:
        """The matches of each team, by time."""
        matches: dict[int, list[Match]] = defaultdict(list)
        every = [match for days in self.days.values() for day in days for match in day.matches]
        for match in sorted(every, key=lambda match: (match.at or LATEST, match.matchday, match.pairing.pk)):
            for side in (match.home, match.away):
                if side.team is not None:
                    matches[side.team.pk].append(match)
        return matches

    def next_of(self, member_id: int) -> list[Match]:
        """The open matches of a member, the next first."""
        return [match for match in self.all_of(member_id) if not match.is_done][:MOST]

    def results_of(self, member_id: int) -> list[Match]:
        """What a member played on the last matchday with results."""
        return [match for match in self.all_of(member_id) if match.is_done and match.matchday == self.latest]

    def all_of(self, member_id: int) -> list[Match]:
        """The matches of a member, played or not."""
        return [match for team in self.teams.get(member_id, ()) for match in self.by_team.get(team, ())]


def match_line(club: Club, match: Match) -> str:
    """`Lund / Arai – Doyle / Weir: Tuesday 24 November, 19:00, Harbour Hall`.

    By the match's clock (`web.clocks`).
    """
    parts = [_when(match), gettext("online") if match.is_online else match.venue or club.venue]
    terms = ", ".join(part for part in parts if part)
    return f"{match}: {terms}" if terms else str(match)


def _when(match: Match) -> str:
    if match.starts_at is not None:
        return by_clock(match.starts_at, match.clock, _day_and_time)
    return gettext("by %(time)s") % {"time": _day(local(match.deadline_at, match.clock))} if match.deadline_at else ""


def _day_and_time(there: datetime) -> str:
    return gettext("%(day)s, %(clock)s") % {"day": _day(there), "clock": f"{there:%H:%M}"}


def _day(there: datetime) -> str:
    return on_calendar(there, pgettext("date format", "l j F"))


def result_line(match: Match) -> str:
    """`Lund / Arai 6,420 – 5,985 Doyle / Weir`."""
    home, away = match.home, match.away
    if home.score is None or away.score is None:
        return gettext("%(match)s: walkover") % {"match": match} if match.is_walkover else str(match)
    return f"{home.name} {number(home.score)} – {number(away.score)} {away.name}"


def running(club: Club, now: datetime) -> Sequence[SeasonMatches]:
    """The seasons under way in the club’s own leagues, with their matches."""
    seasons = Season.objects.filter(league__club=club, league__is_archived=False, status=Season.Status.RUNNING)
    rows = seasons.select_related("league__club").order_by("pk")
    return [SeasonMatches(club, season, now) for season in rows]
