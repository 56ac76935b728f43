"""Rights to act for a team: any player of a pair, the captain of a team, and organisers of the clubs."""

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from accounts.models import User
from clubs import access
from clubs.access import Player
from clubs.models import League, Team, TeamMember
from gameplay.access import is_member
from web.errors import NotAllowed

Role = TeamMember.Role


def acts_for(player: Player, team: Team) -> bool:
    """Whether the player acts for the team: the person, either of a pair, the captain of a team."""
    return _acting(player).filter(team=team).exists()


def is_captain(membership_id: int, team: Team) -> bool:
    """Whether this member of the club acts for the team, with or without an account."""
    return _captains().filter(team=team, membership=membership_id).exists()


def teams_of(player: Player, league: League) -> set[int]:
    """Ids of the league's teams that the player acts for. One query."""
    return set(_acting(player).filter(team__league=league).values_list("team_id", flat=True))


def runs(player: Player, league: League) -> bool:
    """Whether the player may run the league."""
    return access.may(player, league.club, "leagues")


def may_act_for(player: Player, team: Team) -> bool:
    """Whether the player may act for the team, also as an organiser of the league's club or of the team's own."""
    if acts_for(player, team) or runs(player, team.league):
        return True
    return team.club_id != team.league.club_id and access.may(player, team.club, "rosters")


def check_acts_for(player: Player, team: Team) -> None:
    """Raise `NotAllowed` unless the player may act for the team."""
    if not may_act_for(player, team):
        words = (
            gettext("Only the captain of %(team)s or an organiser can do that.")
            if team.league.kind == League.Kind.TEAM
            else gettext("Only a player of %(team)s or an organiser can do that.")
        )
        raise NotAllowed("not_yours", words % {"team": team})


def people_of(team: Team) -> list[User]:
    """Everyone of the roster with an account, the captain first, for notifications of the team."""
    here = TeamMember.objects.filter(team=team, left_at=None, membership__user__is_active=True)
    users = [member.membership.user for member in here.select_related("membership__user")]
    return [user for user in users if user is not None]


def _captains() -> QuerySet[TeamMember]:
    """The captains of teams, and everyone of a pair."""
    is_player = Q(role=Role.PLAYER) & ~Q(team__league__kind=League.Kind.TEAM)
    return TeamMember.objects.filter(Q(role=Role.CAPTAIN) | is_player, left_at=None, membership__left_at=None)


def _acting(player: Player) -> QuerySet[TeamMember]:
    if not is_member(player):
        return TeamMember.objects.none()
    return _captains().filter(membership__user__pk=player.pk or 0)
