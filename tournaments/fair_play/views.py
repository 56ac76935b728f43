"""Patterns that may be against fair play, for an event's organisers: each with figures, and what was said of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gameplay.fair_play.patterns import LONGEST_NOTE, Verdict
from tournaments.fair_play import event_patterns as findings
from tournaments.fair_play import services
from tournaments.models import Act, Tournament
from tournaments.views.organise import form_actions
from tournaments.views.organise.form_actions import Refusal, event_for, person


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def fair_play(request: HttpRequest, event: str) -> HttpResponse:
    """The findings, and the forms that say what is in them."""
    found = event_for(request, event, "fair_play")
    if request.method != "POST":
        return _show(request, found)
    asked = request.POST.get("finding", "")[:60]

    def do() -> Act:
        verdict, note = request.POST.get("verdict", ""), request.POST.get("note", "")
        return services.remark(
            found.pk, person(request), finding=asked, verdict=verdict, note=note, **form_actions.how(request)
        )

    to = reverse("tournaments:organise_fair_play", args=[found.slug])
    return form_actions.act(request, found, f"finding-{asked}", do, lambda refusal: _show(request, found, refusal), to)


def _show(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    shown = findings.listed(event, reader=person(request).pk)
    context = {
        "open": [one for one in shown if not one.is_settled],
        "settled": [one for one in shown if one.is_settled],
        "verdicts": Verdict.choices,
        "most": LONGEST_NOTE,
        "action": reverse("tournaments:organise_fair_play", args=[event.slug]),
    }
    return form_actions.page(request, event, "fair_play", context, refusal)


urls = [path("events/<slug:event>/organise/fair-play/", fair_play, name="organise_fair_play")]
