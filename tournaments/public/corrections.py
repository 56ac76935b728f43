"""Final results that were changed."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from tournaments.models import Result, Stage
from tournaments.public.matches import result_words
from tournaments.public.names import Entrant

MOST = 5
"""Corrections listed next to the draw; the match's own page lists all."""


@dataclass(frozen=True)
class Correction:
    """A result that was changed: its match, time, author, former score and reason."""

    name: str
    at: datetime
    by: str
    was: str
    reason: str


def corrected(stage: Stage) -> set[int]:
    """Ids of the pairings of a stage whose final result was changed: one query."""
    return set(_replaced().filter(pairing__round__stage=stage).values_list("pairing", flat=True))


def corrected_among(pairings: Iterable[int]) -> set[int]:
    """Pairings (ids) among these with such a result: one query."""
    return set(_replaced().filter(pairing__in=list(pairings)).values_list("pairing", flat=True))


def _replaced() -> QuerySet[Result]:
    was_final = Q(status=Result.Status.REPLACED, confirmed_at__isnull=False)
    return Result.objects.filter(was_final, pairing__result__isnull=False)


def latest(stage: Stage, among: Collection[int], entrants: Mapping[int, Entrant]) -> list[Correction]:
    """The last corrections among some pairings (ids), newest first: two queries, none for no pairings."""
    if not among:
        return []
    rows = Result.objects.filter(pairing__round__stage=stage, status=Result.Status.CONFIRMED, pairing__in=among)
    newest = list(rows.select_related("pairing", "by").order_by("-at", "-pk")[:MOST])
    replaced = _replaced().filter(pairing__in=[result.pairing_id for result in newest]).order_by("pk")
    was = {result.pairing_id: result for result in replaced}
    return [
        Correction(
            result.pairing.name,
            result.at,
            str(result.by or gettext("the site")),
            result_words(was[result.pairing_id].lines, entrants),
            result.reason,
        )
        for result in newest
        if result.pairing_id in was
    ]
