"""API views for fair play in a club, for its organisers."""

from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api import request_serializers
from clubs.api.base import Action, Form, act, inside_view
from clubs.fair_play import club_patterns, services
from clubs.models import Act, Club
from gameplay.api.base import player
from gameplay.api.tables import answer
from tournaments.api import response_serializers
from tournaments.fair_play.api import findings_data


@inside_view("fair_play", response_serializers.Findings, name="clubs_fair_play_retrieve")
def findings(request: Request, club: Club) -> Response:
    """Patterns with figures, which accuse nobody, and the organisers’ remarks on each."""
    findings = club_patterns.marked_findings(club, reader=player(request).pk)
    return answer(request, response_serializers.Findings, findings_data(findings))


@act(
    "fair_play",
    request_serializers.NewClubRemark,
    example={"finding": "device-3-8", "verdict": "nothing", "note": "A family."},
)
def remark(action: Action, form: Form) -> Act:
    """Mark a finding as harmless or to be watched. Only organisers see the remark."""
    values = {name: form[name] for name in ("finding", "verdict", "note")}
    return services.remark(action.club.pk, action.by, **values, **action.how)
