"""Doors to leagues and their teams."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, act, look, look_inside, reader
from clubs.api.seasons import find_league, honours, season_line
from clubs.league import permissions
from clubs.models import Act, Club, Honour, League, LeagueClub, Season, Team, TeamMember
from clubs.public.league import league_of, team_of
from clubs.services.leagues import leagues, team_entries, teams
from gameplay.api.base import player
from gameplay.api.tables import answer
from web.errors import NotAllowed, Refused

# Leagues


@look(response_serializers.Leagues, name="clubs_leagues_list")
def all_leagues(request: Request, club: str) -> Response:
    """The leagues that a club runs, and other clubs’ leagues in which it takes part."""
    own = access.open_club(club)
    found = League.objects.filter(club=own).select_related("club")
    agreed = LeagueClub.objects.filter(club=own).exclude(agreed_at=None).select_related("league__club")
    elsewhere = [one.league for one in agreed.order_by("league__name", "pk")]
    data = {
        "leagues": [_line(row) for row in found],
        "elsewhere": [{**_line(row), "club": row.club.slug} for row in elsewhere],
    }
    return answer(request, response_serializers.Leagues, data)


def _line(row: League) -> dict[str, Any]:
    names = ("slug", "name", "about", "kind", "is_archived")
    url = f"{settings.SITE_URL}{row.get_absolute_url()}"
    return {**{name: getattr(row, name) for name in names}, "url": url}


@look(response_serializers.WholeLeague, name="clubs_leagues_retrieve")
def league(request: Request, club: str, league: str) -> Response:
    """A league with its seasons and honours. Only organisers see drafts."""
    own = access.open_club(club)
    row = league_of(own, league)
    seasons = Season.objects.filter(league=row).select_related("league__club")
    if not access.may(reader(request), own, "leagues"):
        seasons = seasons.exclude(status=Season.Status.DRAFT)
    guests = LeagueClub.objects.filter(league=row).select_related("club")
    data = {
        **_line(row),
        "seasons": [season_line(one) for one in seasons],
        "honours": honours(Honour.objects.filter(season__league=row)),
        "clubs": [
            {"id": one.pk, "club": one.club.slug, "name": str(one.club), "has_agreed": one.agreed_at is not None}
            for one in guests
        ],
    }
    return answer(request, response_serializers.WholeLeague, data)


@act("leagues", request_serializers.NewLeague)
def make(asked: Asked, form: Form) -> League:
    """Create a league of people, pairs or teams."""
    values = {name: form[name] for name in ("name", "kind", "about")}
    return leagues.make(asked.club.pk, asked.by, **values, **asked.how)


@act("leagues", request_serializers.ChangeLeague, find=find_league)
def change(asked: Asked, form: Form) -> Act:
    """Change the name or description of a league."""
    return leagues.change(asked.row.pk, asked.by, name=form["name"], about=form["about"], **asked.how)


@act("leagues", find=find_league)
def archive(asked: Asked, form: Form) -> Act:
    """Archive a league."""
    return leagues.archive(asked.row.pk, asked.by, **asked.how)


@act("leagues", find=find_league)
def bring_back(asked: Asked, form: Form) -> Act:
    """Restore an archived league."""
    return leagues.bring_back(asked.row.pk, asked.by, **asked.how)


@act("leagues", request_serializers.AskClub, find=find_league)
def ask_club(asked: Asked, form: Form) -> LeagueClub:
    """Invite another club to take part."""
    return leagues.ask_club(asked.row.pk, asked.by, club=form["asked"], **asked.how)


def guest_of(club: Club, league: str, guest: int) -> LeagueClub:
    """Another club's part in a league. Raises `Http404`."""
    found = LeagueClub.objects.filter(league=league_of(club, league), pk=guest).first()
    if found is None:
        raise Http404(gettext("This club is not in the league."))
    return found


@act("leagues", find=guest_of)
def part_with_club(asked: Asked, form: Form) -> Act:
    """End another club’s part in a league."""
    return leagues.part_with_club(asked.row.pk, asked.by, **asked.how)


# Teams


@look(response_serializers.Teams, name="clubs_teams_list")
def all_teams(request: Request, club: str, league: str) -> Response:
    """The teams of a league, including former ones."""
    row = league_of(access.open_club(club), league)
    found = Team.objects.filter(league=row).select_related("club")
    return answer(request, response_serializers.Teams, {"teams": [_team(one) for one in found]})


def _team(row: Team) -> dict[str, Any]:
    names = ("number", "name", "venue", "left_at")
    return {**{name: getattr(row, name) for name in names}, "club": row.club.slug}


@look(response_serializers.WholeTeam, name="clubs_teams_retrieve")
def team(request: Request, club: str, league: str, number: int) -> Response:
    """A team with its roster."""
    row = find_team(access.open_club(club), league, number)
    roster = [
        {"id": one.pk, "membership": one.membership_id, "name": str(one.membership), "role": one.role}
        for one in team_entries.roster(row)
    ]
    return answer(request, response_serializers.WholeTeam, {**_team(row), "roster": roster})


def find_team(club: Club, league: str, number: int) -> Team:
    """A team of a league by its number. Raises `Http404`."""
    return team_of(league_of(club, league), number)


def _may_add(by: User, league: League) -> None:
    if not any(access.may(by, club, "leagues") for club in leagues.clubs_of(league)):
        raise NotAllowed("not_your_part", gettext("Only organisers of a club in this league can add teams."))


@act("", request_serializers.NewTeam, find=find_league, allow=_may_add)
def add_team(asked: Asked, form: Form) -> Team:
    """Add a team to a league. Another club’s organisers add their own teams."""
    values = {name: form[name] for name in ("members", "reserves", "name", "venue")}
    wanted = form.get("plays_for")
    club = leagues.clubs_of(asked.row).filter(slug=wanted).first() if wanted else None
    if wanted and club is None:
        raise Refused("no_such_club", gettext("This club is not in the league."), field="plays_for")
    return teams.add(asked.row.pk, asked.by, **values, club_id=club.pk if club else None, **asked.how)


@look_inside("", response_serializers.CouldJoin, name="clubs_could_join_list")
def could_join(request: Request, club: Club, league: str, number: int) -> Response:
    """People of a team’s club who are not in its roster, for who acts for the team: by their ids they are added."""
    row = find_team(club, league, number)
    permissions.check_acts_for(player(request), row)
    people = [{"membership": one.pk, "name": one.name} for one in teams.could_join(row).order_by("name", "pk")]
    return answer(request, response_serializers.CouldJoin, {"people": people})


@act("", request_serializers.ChangeTeam, find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def change_team(asked: Asked, form: Form) -> Act:
    """Give a team another name or home venue."""
    return teams.change(asked.row.pk, asked.by, name=form["name"], venue=form["venue"], **asked.how)


@act("", find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def leave(asked: Asked, form: Form) -> Act:
    """Remove a team from a league after its seasons."""
    return teams.leave(asked.row.pk, asked.by, **asked.how)


@act("", find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def come_back(asked: Asked, form: Form) -> Act:
    """Return a former team to the league."""
    return teams.come_back(asked.row.pk, asked.by, **asked.how)


@act("", request_serializers.NewTeamMember, find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def add_member(asked: Asked, form: Form) -> TeamMember:
    """Add a person of its club to a team’s roster."""
    return teams.add_member(asked.row.pk, asked.by, membership_id=form["membership"], role=form["role"], **asked.how)


def member_of(club: Club, league: str, number: int, member: int) -> TeamMember:
    """Somebody in a roster. Raises `Http404`."""
    found = TeamMember.objects.filter(team=find_team(club, league, number), pk=member).select_related(
        "team__league__club", "team__club"
    )
    one = found.first()
    if one is None:
        raise Http404(gettext("Nobody in this team has this number."))
    return one


def _acts_for(by: User, one: TeamMember) -> None:
    permissions.check_acts_for(by, one.team)


@act("", find=member_of, allow=_acts_for, scope="clubs_join")
def drop_member(asked: Asked, form: Form) -> Act:
    """Remove a person from a roster."""
    return teams.drop_member(asked.row.pk, asked.by, **asked.how)


@act("", request_serializers.ReplaceMember, find=member_of, allow=_acts_for, scope="clubs_join")
def replace_member(asked: Asked, form: Form) -> TeamMember:
    """Replace a player permanently."""
    return teams.replace_member(asked.row.pk, asked.by, membership_id=form["membership"], **asked.how)


@act("", request_serializers.TeamRole, find=member_of, allow=_acts_for, scope="clubs_join")
def member_role(asked: Asked, form: Form) -> Act:
    """Make a person captain, player or reserve."""
    return teams.set_role(asked.row.pk, asked.by, role=form["role"], **asked.how)
