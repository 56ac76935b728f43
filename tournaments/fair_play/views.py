"""Pages of fair-play findings for an event’s organisers, with figures and remarks."""

from functools import partial

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from gameplay.fair_play.patterns import LONGEST_NOTE, Verdict
from tournaments.fair_play import event_patterns as findings
from tournaments.fair_play import services
from tournaments.models import Act, Tournament
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def fair_play(request: HttpRequest, event: str) -> HttpResponse:
    """The findings, with a form for a remark on each."""
    tournament = event_for(request, event, "fair_play")
    if request.method != "POST":
        return _show(request, tournament)
    key = request.POST.get("finding", "")[:60]

    def do() -> Act:
        verdict, note = request.POST.get("verdict", ""), request.POST.get("note", "")
        return services.remark(
            tournament.pk, person(request), finding=key, verdict=verdict, note=note, **form_actions.how(request)
        )

    to = reverse("tournaments:organise_fair_play", args=[tournament.slug])
    return form_actions.act(request, tournament, f"finding-{key}", do, partial(_show, request, tournament), to)


def _show(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    reviewed = findings.list_findings(event, reader=person(request).pk)
    context = {
        "open": [each for each in reviewed if not each.is_settled],
        "settled": [each for each in reviewed if each.is_settled],
        "verdicts": Verdict.choices,
        "most": LONGEST_NOTE,
        "action": reverse("tournaments:organise_fair_play", args=[event.slug]),
    }
    return form_actions.page(request, event, "fair_play", context, refusal)


urls = [path("events/<slug:event>/organise/fair-play/", fair_play, name="organise_fair_play")]
