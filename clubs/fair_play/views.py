"""Fair play at a club’s tables: findings and remarks, for its organisers."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.fair_play import club_patterns as findings
from clubs.fair_play import services
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act
from clubs.public import page_context
from gameplay.fair_play.patterns import LONGEST_NOTE, Verdict


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def fair_play(request: HttpRequest, club: str) -> HttpResponse:
    """The findings, each with the form for a remark."""
    visit = page_context.visit_for(request, club, "fair_play")
    if request.method != "POST":
        return _show(request, visit)
    finding = request.POST.get("finding", "")[:60]

    def do() -> Act:
        verdict, note = request.POST.get("verdict", ""), request.POST.get("note", "")
        person = form_actions.person(request)
        return services.remark(
            visit.club.pk, person, finding=finding, verdict=verdict, note=note, **form_actions.how(request)
        )

    to = reverse("clubs:fair_play", args=[visit.club.slug])
    return form_actions.act(request, f"finding-{finding}", do, lambda refusal: _show(request, visit, refusal), to)


def _show(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    marked = findings.marked_findings(visit.club, reader=form_actions.person(request).pk)
    context = {
        "open": [mark for mark in marked if not mark.is_settled],
        "settled": [mark for mark in marked if mark.is_settled],
        "verdicts": Verdict.choices,
        "most": LONGEST_NOTE,
        "action": reverse("clubs:fair_play", args=[visit.club.slug]),
        "refusal": refusal,
        "typed": request.POST if refusal else {},
    }
    return page_context.page(request, visit, "clubs/fair_play.html", context, tab="desk", title=gettext("Fair play"))
