"""Pages to tell members: who is still to be told by slip, text message or WhatsApp, and the slips on paper."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act
from clubs.personal_messages import services
from clubs.personal_messages.next_matches import running
from clubs.personal_messages.page import Telling
from clubs.personal_messages.topics import topic_of, topics
from clubs.public import page_context
from clubs.public.page_context import Visit
from web.errors import Refused
from web.sent_numbers import read_ids


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tell(request: HttpRequest, club: str) -> HttpResponse:
    """Everyone whom an organiser tells something, by the way that they like."""
    visit = page_context.visit_for(request, club, "members")
    if request.method != "POST":
        return _page(request, visit)
    key, wish = request.POST.get("topic", "")[:60], request.POST.get("act", "")
    to = f"{reverse('clubs:tell', args=[visit.club.slug])}?{urlencode({'topic': key})}"
    return form_actions.act(
        request,
        wish or "done",
        lambda: _do(request, visit, key, wish),
        lambda refusal: _page(request, visit, refusal),
        to,
    )


def _do(request: HttpRequest, visit: Visit, key: str, wish: str) -> Act:
    person, how = form_actions.person(request), form_actions.how(request)
    members = read_ids(request.POST.getlist("membership")[:3000], digits=18)
    if wish == "done":
        return services.mark_told(visit.club.pk, person, key=key, members=members, **how)
    if wish == "undone" and members:
        return services.mark_untold(visit.club.pk, person, key=key, member=members[0], **how)
    raise Refused("no_act", gettext("Choose an action."))


def _page(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    context = {**_context(request, visit), "refusal": refusal}
    return page_context.page(
        request, visit, "clubs/personal_messages/tell.html", context, tab="desk", title=gettext("Tell members")
    )


def _context(request: HttpRequest, visit: Visit) -> dict[str, Any]:
    every = topics(visit.club, timezone.now())
    topic = topic_of(every, (request.POST.get("topic") or request.GET.get("topic", ""))[:60])
    return {"topics": every, "topic": topic, "telling": Telling(topic) if topic else None}


@never_cache
@require_safe
def slips(request: HttpRequest, club: str) -> HttpResponse:
    """The slips of everyone who is still to be told by one, on A4."""
    visit = page_context.visit_for(request, club, "members")
    context = _context(request, visit)
    everyone: Telling | None = context["telling"]
    context["slips"] = everyone.printed(running(visit.club, timezone.now())) if everyone else []
    return page_context.page(
        request, visit, "clubs/personal_messages/slips.html", context, tab="desk", title=gettext("Printed slips")
    )
