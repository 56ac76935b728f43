"""API views for fair-play findings, for organisers."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.base import player, read
from gameplay.api.tables import answer
from gameplay.fair_play.patterns import Reviewed
from tournaments.api import request_serializers, response_serializers
from tournaments.api.base import do_act, door, organised
from tournaments.fair_play import event_patterns, services


@door("GET", "events_organise", response_serializers.Findings, name="events_fair_play_retrieve")
def findings(request: Request, event: str) -> Response:
    """Patterns with figures, which accuse nobody, and the organisers’ remarks on each."""
    tournament = organised(request, event, "fair_play")
    reviewed = event_patterns.list_findings(tournament, reader=player(request).pk)
    return answer(request, response_serializers.Findings, findings_data(reviewed))


def findings_data(reviewed: Iterable[Reviewed]) -> dict[str, Any]:
    """Findings in the form of the API."""
    return {"findings": [_finding(each) for each in reviewed]}


def _finding(reviewed: Reviewed) -> dict[str, Any]:
    names = ("key", "kind", "sentence", "reason", "cases", "out_of")
    return {
        **{name: getattr(reviewed.finding, name) for name in names},
        "tables": [{"name": at.name, "url": at.url, "cases": at.cases} for at in reviewed.finding.tables],
        "is_settled": reviewed.is_settled,
        "remarks": [
            {"verdict": each.verdict, "note": each.note, "at": each.at, "by": str(each.by or "")}
            for each in reviewed.remarks
        ],
    }


@door("POST", "events_organise", takes=request_serializers.NewRemark)
def remark(request: Request, event: str) -> Response:
    """Mark a finding as harmless or to be watched. Only organisers see the remark."""
    tournament = organised(request, event, "fair_play")
    form = read(request_serializers.NewRemark, request.data)
    values = {name: form[name] for name in ("finding", "verdict", "note")}
    return do_act(request, tournament, form, partial(services.remark, tournament.pk, player(request), **values))
