"""What was done in a club, by whom and when; and undoing it."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act
from clubs.organiser import action_diff
from clubs.public import page_context
from clubs.services import history

A_PAGE = 50


@dataclass(frozen=True)
class Told:
    """An act as the page tells it."""

    act: Act
    changed: action_diff.Told
    undone_by: Act | None
    can_undo: bool


@never_cache
@require_safe
def acts(request: HttpRequest, club: str) -> HttpResponse:
    """The history, the latest first."""
    return _show(request, page_context.seen_for(request, club, "history"))


def _show(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    by = " ".join(request.GET.get("by", "").split())[:60]
    found = Act.objects.filter(club=seen.club).select_related("undone_by")
    if by:
        found = found.filter(name__icontains=by)
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    names = action_diff.names_of(page)
    told = [_told(seen, one, action_diff.in_words(one, names)) for one in page]
    context = {"page": page, "told": told, "by": by, "refusal": refusal}
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/history.html", context, tab="desk", title=gettext("History"), status=status
    )


def _told(seen: page_context.Seen, act: Act, changed: action_diff.Told) -> Told:
    undone_by = getattr(act, "undone_by", None)
    may = history.may_be_undone(act, may=seen.may, is_own=act.by_id == seen.player.pk)
    return Told(act, changed, undone_by, undone_by is None and may)


@require_POST
def undo(request: HttpRequest, club: str, act: int) -> HttpResponse:
    """Set back what an act decided."""
    seen = page_context.seen_for(request, club, "history")
    row = Act.objects.filter(club=seen.club, pk=act).first()
    if row is None:
        raise Http404(gettext("Action not found."))

    def do() -> Act:
        asked = acting.how(request)
        return history.undo(
            row.pk,
            by=acting.person(request),
            request_key=asked.get("request_key"),
            reason=asked.get("reason", ""),
        )

    to = reverse("clubs:history", args=[seen.club.slug])
    return acting.act(request, f"act-{row.pk}", do, lambda refusal: _show(request, seen, refusal), to)
