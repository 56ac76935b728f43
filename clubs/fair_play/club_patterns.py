"""Possible breaches of fair play in a club’s tables, leagues and events; see `gameplay.fair_play.patterns`."""

from django.db.models import Q

from clubs.models import Club, Remark
from gameplay.fair_play.patterns import Finding, Reviewed, of_looks, reviewed
from gameplay.models import Table
from tournaments.fair_play.event_patterns import of_partners
from tournaments.models import Pairing, RatedGame, Tournament


def of_club(club: Club) -> list[Finding]:
    """Findings at a club’s tables, without partners of one entry in their events: a fixed number of queries."""
    is_own = Q(audience=club.circle)
    matches = Pairing.objects.filter(round__stage__tournament__circle=club.circle, table__isnull=False)
    alone = Q(tournament__circle=club.circle, tournament__entry_kind=Tournament.Kind.PERSON)
    own_games = Q(kind=RatedGame.Kind.TABLE, source__in=Table.objects.filter(is_own).values("pk"))
    return [
        *of_looks(Table.objects.filter(is_own | Q(pk__in=matches.order_by().values("table")))),
        *of_partners(RatedGame.objects.filter(alone | own_games)),
    ]


def marked_findings(club: Club, *, reader: int) -> list[Reviewed]:
    """The findings of a club, as one of its organisers (the id of an account) can see them."""
    return reviewed(of_club(club), Remark.objects.filter(club=club).select_related("by"), reader=reader)
