"""Doors to patterns at a club's tables that may be against fair play, for its organisers."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from clubs import fair_play
from clubs.api import given
from clubs.api.plumbing import Asked, Form, act, look_inside
from clubs.models import Act, Club
from clubs.services import fair_play as services
from gameplay.api.plumbing import player
from gameplay.api.tables import answer
from tournaments.api import shapes
from tournaments.api.fair_play import told


@look_inside("fair_play", shapes.Findings, name="clubs_fair_play_retrieve")
def findings(request: Request, club: Club) -> Response:
    """Patterns with figures, which accuse nobody, and the organisers’ remarks on each."""
    return answer(request, shapes.Findings, told(fair_play.listed(club, reader=player(request).pk)))


@act("fair_play", given.NewClubRemark, example={"finding": "device-3-8", "verdict": "nothing", "note": "A family."})
def remark(asked: Asked, form: Form) -> Act:
    """Mark a finding as harmless or to be watched. Only organisers see the remark."""
    said = {name: form[name] for name in ("finding", "verdict", "note")}
    return services.remark(asked.club.pk, asked.by, **said, **asked.how)
