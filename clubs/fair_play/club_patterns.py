"""Patterns at a club's own tables and in its leagues and events that may be against fair play; see `gameplay.fair_play.patterns`."""

from __future__ import annotations

from django.db.models import Q

from clubs.models import Club, Remark
from gameplay.fair_play.patterns import Finding, Marked, marked, of_looks
from gameplay.models import Table
from tournaments.fair_play.event_patterns import of_partners
from tournaments.models import Pairing, RatedGame, Tournament


def of_club(club: Club) -> list[Finding]:
    """What is to be seen at the tables that belong to a club. A fixed number of queries.

    In events where partners enter together they are meant to play together.
    """
    own = Q(audience=club.circle)
    matches = Pairing.objects.filter(round__stage__tournament__circle=club.circle, table__isnull=False)
    alone = Q(tournament__circle=club.circle, tournament__entry_kind=Tournament.Kind.PERSON)
    made = Q(kind=RatedGame.Kind.TABLE, source__in=Table.objects.filter(own).values("pk"))
    return [
        *of_looks(Table.objects.filter(own | Q(pk__in=matches.order_by().values("table")))),
        *of_partners(RatedGame.objects.filter(alone | made)),
    ]


def listed(club: Club, *, reader: int) -> list[Marked]:
    """The findings of a club, as one of its organisers (the id of an account) may see them."""
    return marked(of_club(club), Remark.objects.filter(club=club).select_related("by"), reader=reader)
