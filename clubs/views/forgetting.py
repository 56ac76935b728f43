"""Forgetting a person without an account, after a preview."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.display_names import FORMER
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Membership
from clubs.organiser.traces import traces_of
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from clubs.services.members import forgetting
from web.errors import Refused


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest, club: str, membership: int) -> HttpResponse:
    """Forget a person without an account; shows what changes first."""
    visit = page_context.visit_for(request, club, "members")
    names = Membership.objects.filter(club=visit.club, pk=membership, user=None).select_related("club")
    member = first_or_404(names.exclude(name=FORMER), gettext("Nobody in this club has this number."))
    if request.method != "POST":
        return _page(request, visit, member)

    def do() -> Act:
        if request.POST.get("sure") != "yes":
            raise Refused("not_sure", gettext("Tick the box to forget %(name)s.") % {"name": member}, field="sure")
        return forgetting.forget(member.pk, form_actions.person(request), **form_actions.how(request))

    to = reverse("clubs:people", args=[visit.club.slug])
    return form_actions.act(request, "sure", do, lambda refusal: _page(request, visit, member, refusal), to)


def _page(request: HttpRequest, visit: Visit, member: Membership, refusal: Refusal | None = None) -> HttpResponse:
    context = {"row": member, "traces": traces_of(member), "former": FORMER, "refusal": refusal}
    title = gettext("Forget %(name)s") % {"name": member}
    return page_context.page(request, visit, "clubs/members/forget.html", context, tab="desk", title=title)
