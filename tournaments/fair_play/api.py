"""Doors to patterns that may be against fair play, for organisers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.base import player, read
from gameplay.api.tables import answer
from gameplay.fair_play.patterns import Marked
from tournaments.api import request_serializers, response_serializers
from tournaments.api.base import done, door, organised
from tournaments.fair_play import event_patterns, services


@door("GET", "events_organise", response_serializers.Findings, name="events_fair_play_retrieve")
def findings(request: Request, event: str) -> Response:
    """Patterns with figures, which accuse nobody, and the organisers’ remarks on each."""
    found = organised(request, event, "fair_play")
    return answer(request, response_serializers.Findings, told(event_patterns.listed(found, reader=player(request).pk)))


def told(found: Iterable[Marked]) -> dict[str, Any]:
    """Findings as programs read them."""
    return {"findings": [_finding(one) for one in found]}


def _finding(one: Marked) -> dict[str, Any]:
    names = ("key", "kind", "sentence", "reason", "cases", "out_of")
    return {
        **{name: getattr(one.finding, name) for name in names},
        "tables": [{"name": at.name, "url": at.url, "cases": at.cases} for at in one.finding.tables],
        "is_settled": one.is_settled,
        "remarks": [
            {"verdict": row.verdict, "note": row.note, "at": row.at, "by": str(row.by or "")} for row in one.remarks
        ],
    }


@door("POST", "events_organise", takes=request_serializers.NewRemark)
def remark(request: Request, event: str) -> Response:
    """Mark a finding as harmless or to be watched. Only organisers see the remark."""
    found = organised(request, event, "fair_play")
    form = read(request_serializers.NewRemark, request.data)
    said = {name: form[name] for name in ("finding", "verdict", "note")}
    return done(request, found, form, partial(services.remark, found.pk, player(request), **said))
