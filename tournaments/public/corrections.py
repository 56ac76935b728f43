"""Results that were changed after they counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from tournaments.models import Result, Stage
from tournaments.public.matches import result_words
from tournaments.public.names import Entrant

MOST = 5
"""How many corrections a page tells of beside the draw; the match's own page tells of all."""


@dataclass(frozen=True)
class Correction:
    """A result that was changed: of which match, when, by whom, from what, and why."""

    name: str
    at: datetime
    by: str
    was: str
    reason: str


def corrected(stage: Stage) -> set[int]:
    """Ids of the pairings of a stage with a result that was changed after it had counted: one query."""
    return set(_replaced().filter(pairing__round__stage=stage).values_list("pairing", flat=True))


def corrected_among(pairings: Iterable[int]) -> set[int]:
    """Those of some pairings (ids) with such a result: one query."""
    return set(_replaced().filter(pairing__in=list(pairings)).values_list("pairing", flat=True))


def _replaced() -> QuerySet[Result]:
    counted = Q(status=Result.Status.REPLACED, confirmed_at__isnull=False)
    return Result.objects.filter(counted, pairing__result__isnull=False)


def told(stage: Stage, among: Collection[int], entrants: Mapping[int, Entrant]) -> list[Correction]:
    """The last corrections among some pairings (ids), the newest first: two queries, none where there are none."""
    if not among:
        return []
    rows = Result.objects.filter(pairing__round__stage=stage, status=Result.Status.CONFIRMED, pairing__in=among)
    newest = list(rows.select_related("pairing", "by").order_by("-at", "-pk")[:MOST])
    replaced = _replaced().filter(pairing__in=[one.pairing_id for one in newest]).order_by("pk")
    was = {one.pairing_id: one for one in replaced}
    return [
        Correction(
            one.pairing.name,
            one.at,
            str(one.by or gettext("the site")),
            result_words(was[one.pairing_id].lines, entrants),
            one.reason,
        )
        for one in newest
        if one.pairing_id in was
    ]
