"""API views for leagues and their teams."""

from typing import Any

from django.conf import settings
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, inside_view, read_view, reader
from clubs.api.seasons import find_league, honours, season_line
from clubs.league import permissions
from clubs.models import Act, Club, Honour, League, LeagueClub, Season, Team, TeamMember
from clubs.public.league import league_of, team_of
from clubs.public.lookups import first_or_404
from clubs.services.leagues import leagues, team_entries, teams
from gameplay.api.base import player
from gameplay.api.tables import answer
from web.errors import NotAllowed, Refused

# Leagues


@read_view(response_serializers.Leagues, name="clubs_leagues_list")
def all_leagues(request: Request, club: str) -> Response:
    """The leagues that a club runs, and other clubs’ leagues in which it takes part."""
    this_club = access.open_club(club)
    leagues = League.objects.filter(club=this_club).select_related("club")
    agreed = LeagueClub.objects.filter(club=this_club).exclude(agreed_at=None).select_related("league__club")
    elsewhere = [guest.league for guest in agreed.order_by("league__name", "pk")]
    data = {
        "leagues": [_line(league) for league in leagues],
        "elsewhere": [{**_line(league), "club": league.club.slug} for league in elsewhere],
    }
    return answer(request, response_serializers.Leagues, data)


def _line(league: League) -> dict[str, Any]:
    names = ("slug", "name", "about", "kind", "is_archived")
    url = f"{settings.SITE_URL}{league.get_absolute_url()}"
    return {**{name: getattr(league, name) for name in names}, "url": url}


@read_view(response_serializers.WholeLeague, name="clubs_leagues_retrieve")
def league(request: Request, club: str, league: str) -> Response:
    """A league with its seasons and honours. Only organisers see drafts."""
    this_club = access.open_club(club)
    this_league = league_of(this_club, league)
    seasons = Season.objects.filter(league=this_league).select_related("league__club")
    if not access.may(reader(request), this_club, "leagues"):
        seasons = seasons.exclude(status=Season.Status.DRAFT)
    guests = LeagueClub.objects.filter(league=this_league).select_related("club")
    data = {
        **_line(this_league),
        "seasons": [season_line(season) for season in seasons],
        "honours": honours(Honour.objects.filter(season__league=this_league)),
        "clubs": [
            {
                "id": guest.pk,
                "club": guest.club.slug,
                "name": str(guest.club),
                "has_agreed": guest.agreed_at is not None,
            }
            for guest in guests
        ],
    }
    return answer(request, response_serializers.WholeLeague, data)


@act("leagues", request_serializers.NewLeague)
def make(action: Action, form: Form) -> League:
    """Create a league of people, pairs or teams."""
    values = {name: form[name] for name in ("name", "kind", "about")}
    return leagues.make(action.club.pk, action.by, **values, **action.how)


@act("leagues", request_serializers.ChangeLeague, find=find_league)
def change(action: Action, form: Form) -> Act:
    """Change the name or description of a league."""
    return leagues.change(action.row.pk, action.by, name=form["name"], about=form["about"], **action.how)


@act("leagues", find=find_league)
def archive(action: Action, form: Form) -> Act:
    """Archive a league."""
    return leagues.archive(action.row.pk, action.by, **action.how)


@act("leagues", find=find_league)
def restore(action: Action, form: Form) -> Act:
    """Restore an archived league."""
    return leagues.restore(action.row.pk, action.by, **action.how)


@act("leagues", request_serializers.AskClub, find=find_league)
def invite_club(action: Action, form: Form) -> LeagueClub:
    """Invite another club to take part."""
    return leagues.invite_club(action.row.pk, action.by, club=form["asked"], **action.how)


def guest_of(club: Club, league: str, guest: int) -> LeagueClub:
    """Another club's part in a league. Raises `Http404`."""
    return first_or_404(
        LeagueClub.objects.filter(league=league_of(club, league), pk=guest), gettext("This club is not in the league.")
    )


@act("leagues", find=guest_of)
def remove_club(action: Action, form: Form) -> Act:
    """End another club’s part in a league."""
    return leagues.remove_club(action.row.pk, action.by, **action.how)


# Teams


@read_view(response_serializers.Teams, name="clubs_teams_list")
def all_teams(request: Request, club: str, league: str) -> Response:
    """The teams of a league, including former ones."""
    this_league = league_of(access.open_club(club), league)
    teams = Team.objects.filter(league=this_league).select_related("club")
    return answer(request, response_serializers.Teams, {"teams": [_team(team) for team in teams]})


def _team(team: Team) -> dict[str, Any]:
    names = ("number", "name", "venue", "left_at")
    return {**{name: getattr(team, name) for name in names}, "club": team.club.slug}


@read_view(response_serializers.WholeTeam, name="clubs_teams_retrieve")
def team(request: Request, club: str, league: str, number: int) -> Response:
    """A team with its roster."""
    this_team = find_team(access.open_club(club), league, number)
    roster = [
        {"id": member.pk, "membership": member.membership_id, "name": str(member.membership), "role": member.role}
        for member in team_entries.roster(this_team)
    ]
    return answer(request, response_serializers.WholeTeam, {**_team(this_team), "roster": roster})


def find_team(club: Club, league: str, number: int) -> Team:
    """A team of a league by its number. Raises `Http404`."""
    return team_of(league_of(club, league), number)


def _may_add(by: User, league: League) -> None:
    if not any(access.may(by, club, "leagues") for club in leagues.clubs_of(league)):
        raise NotAllowed("not_your_part", gettext("Only organisers of a club in this league can add teams."))


@act("", request_serializers.NewTeam, find=find_league, allow=_may_add)
def add_team(action: Action, form: Form) -> Team:
    """Add a team to a league. Another club’s organisers add their own teams."""
    values = {name: form[name] for name in ("members", "reserves", "name", "venue")}
    slug = form.get("plays_for")
    club = leagues.clubs_of(action.row).filter(slug=slug).first() if slug else None
    if slug and club is None:
        raise Refused("no_such_club", gettext("This club is not in the league."), field="plays_for")
    return teams.add(action.row.pk, action.by, **values, club_id=club.pk if club else None, **action.how)


@inside_view("", response_serializers.CouldJoin, name="clubs_could_join_list")
def could_join(request: Request, club: Club, league: str, number: int) -> Response:
    """People of a team’s club who can be added to its roster, by their ids. For those who can act for the team."""
    team = find_team(club, league, number)
    permissions.check_acts_for(player(request), team)
    members = teams.possible_members(team).order_by("name", "pk")
    people = [{"membership": member.pk, "name": member.name} for member in members]
    return answer(request, response_serializers.CouldJoin, {"people": people})


@act("", request_serializers.ChangeTeam, find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def change_team(action: Action, form: Form) -> Act:
    """Give a team another name or home venue."""
    return teams.change(action.row.pk, action.by, name=form["name"], venue=form["venue"], **action.how)


@act("", find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def leave(action: Action, form: Form) -> Act:
    """Remove a team from a league after its seasons."""
    return teams.leave(action.row.pk, action.by, **action.how)


@act("", find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def rejoin(action: Action, form: Form) -> Act:
    """Return a former team to the league."""
    return teams.rejoin(action.row.pk, action.by, **action.how)


@act("", request_serializers.NewTeamMember, find=find_team, allow=permissions.check_acts_for, scope="clubs_join")
def add_member(action: Action, form: Form) -> TeamMember:
    """Add a person of its club to a team’s roster."""
    return teams.add_member(action.row.pk, action.by, membership_id=form["membership"], role=form["role"], **action.how)


def member_of(club: Club, league: str, number: int, member: int) -> TeamMember:
    """A member of a roster. Raises `Http404`."""
    members = TeamMember.objects.filter(team=find_team(club, league, number), pk=member).select_related(
        "team__league__club", "team__club"
    )
    return first_or_404(members, gettext("Nobody in this team has this number."))


def _acts_for(by: User, member: TeamMember) -> None:
    permissions.check_acts_for(by, member.team)


@act("", find=member_of, allow=_acts_for, scope="clubs_join")
def remove_member(action: Action, form: Form) -> Act:
    """Remove a person from a roster."""
    return teams.remove_member(action.row.pk, action.by, **action.how)


@act("", request_serializers.ReplaceMember, find=member_of, allow=_acts_for, scope="clubs_join")
def replace_member(action: Action, form: Form) -> TeamMember:
    """Replace a player permanently."""
    return teams.replace_member(action.row.pk, action.by, membership_id=form["membership"], **action.how)


@act("", request_serializers.TeamRole, find=member_of, allow=_acts_for, scope="clubs_join")
def member_role(action: Action, form: Form) -> Act:
    """Make a person captain, player or reserve."""
    return teams.set_role(action.row.pk, action.by, role=form["role"], **action.how)
