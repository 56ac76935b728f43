"""Next matches of a reader who plays in a club’s leagues."""

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from clubs.access import Player
from clubs.league import fixtures
from clubs.models import Club, Season, TeamMember
from clubs.public.fixtures import MatchRow, match_rows
from gameplay.access import is_member
from tournaments.models import Pairing

MOST = 3


def next_matches(player: Player, club: Club) -> list[MatchRow]:
    """The next matches of a player’s teams in the leagues that the club runs or takes part in, by time."""
    if not is_member(player):
        return []
    memberships = TeamMember.objects.filter(membership__user__pk=player.pk or 0, membership__left_at=None, left_at=None)
    teams = memberships.filter(Q(team__club=club) | Q(team__league__club=club)).values("team")
    is_mine = Q(places__entry__season_entry__team__in=teams) | Q(places__entry__season_event_entry__team__in=teams)
    running = Q(round__stage__tournament__division__season__status=Season.Status.RUNNING) | Q(
        round__stage__tournament__season_event__season__status=Season.Status.RUNNING
    )
    open_ones = (Pairing.Status.READY, Pairing.Status.PLAYING, Pairing.Status.REPORTED, Pairing.Status.DISPUTED)
    rows = Pairing.objects.filter(is_mine, running, status__in=open_ones).distinct()
    by_time = rows.annotate(at=Coalesce("starts_at", "deadline_at", "round__deadline_at"))
    matches = [fixtures.match(pairing.pk) for pairing in by_time.order_by(F("at").asc(nulls_last=True), "pk")[:MOST]]
    return match_rows([match for match in matches if match is not None], {})
