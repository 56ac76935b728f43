"""Matches being played at online tables, as far as those tables are public."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser
from django.db.models import JSONField, OuterRef, Subquery

from gameplay.access import may_watch
from gameplay.models import Deal, Table
from gameplay.turn_list import deal_words
from tournaments.models import Tournament

NOBODY = AnonymousUser()


@dataclass(frozen=True)
class Live:
    """An online table at which a match is being played. Both are empty if the table is not public."""

    deal: str = ""
    """`deal 3 of 4`."""
    totals: tuple[int, ...] = ()
    """Card points by side after the finished deals."""


Playing = Mapping[int, Live]
"""Matches being played, by id of the pairing."""


def playing(tournament: Tournament) -> Playing:
    """The matches of an event being played online, in one query; none unless the event is under way."""
    if tournament.status != Tournament.Status.RUNNING:
        return {}
    over = Deal.objects.filter(table=OuterRef("pk"), ended_at__isnull=False).order_by("-number")
    tables = Table.objects.running().filter(pairing__round__stage__tournament=tournament, move_count__gt=0)
    with_totals = tables.annotate(totals=Subquery(over.values("result__totals")[:1], output_field=JSONField()))
    rows = with_totals.defer("snapshot").select_related("pairing").order_by("pk")
    return {table.pairing.pk: _live(table, vars(table)["totals"]) for table in rows}


def _live(table: Table, totals: list[int] | None) -> Live:
    if not may_watch(NOBODY, table):
        return Live()
    return Live(deal_words(table), tuple(totals or [0] * table.teams))


def stamp(tournament: Tournament, now: Playing) -> str:
    """A short text that changes with everything that the pages of an event show."""
    digest = hashlib.sha256(repr(sorted((pk, live.deal, live.totals) for pk, live in now.items())).encode())
    return f"{tournament.version}-{digest.hexdigest()[:8]}"
