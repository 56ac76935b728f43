"""Patterns at a club's tables that may be against fair play, for its organisers, and what was said of them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.fair_play import club_patterns as findings
from clubs.fair_play import services
from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act
from clubs.public import page_context
from gameplay.fair_play.patterns import LONGEST_NOTE, Verdict


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fair_play(request: HttpRequest, club: str) -> HttpResponse:
    """The findings, and the forms that say what is in them."""
    seen = page_context.seen_for(request, club, "fair_play")
    if request.method != "POST":
        return _show(request, seen)
    asked = request.POST.get("finding", "")[:60]

    def do() -> Act:
        verdict, note = request.POST.get("verdict", ""), request.POST.get("note", "")
        person = acting.person(request)
        return services.remark(seen.club.pk, person, finding=asked, verdict=verdict, note=note, **acting.how(request))

    to = reverse("clubs:fair_play", args=[seen.club.slug])
    return acting.act(request, f"finding-{asked}", do, lambda refusal: _show(request, seen, refusal), to)


def _show(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    shown = findings.listed(seen.club, reader=acting.person(request).pk)
    context = {
        "open": [one for one in shown if not one.is_settled],
        "settled": [one for one in shown if one.is_settled],
        "verdicts": Verdict.choices,
        "most": LONGEST_NOTE,
        "action": reverse("clubs:fair_play", args=[seen.club.slug]),
        "refusal": refusal,
        "typed": request.POST if refusal else {},
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/fair_play.html", context, tab="desk", title=gettext("Fair play"), status=status
    )
