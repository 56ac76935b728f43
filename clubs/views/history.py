"""Actions in a club with their authors and times, and undo."""

from dataclasses import dataclass

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act
from clubs.organiser import action_diff
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from clubs.services import history

A_PAGE = 50


@dataclass(frozen=True)
class HistoryRow:
    """An action in the history."""

    act: Act
    changed: action_diff.Diff
    undone_by: Act | None
    can_undo: bool


@never_cache
@require_safe
def acts(request: HttpRequest, club: str) -> HttpResponse:
    """The history, newest first."""
    return _show(request, page_context.visit_for(request, club, "history"))


def _show(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    by = " ".join(request.GET.get("by", "").split())[:60]
    acts = Act.objects.filter(club=visit.club).select_related("undone_by")
    if by:
        acts = acts.filter(name__icontains=by)
    page = Paginator(acts, A_PAGE).get_page(request.GET.get("page"))
    names = action_diff.names_of(page)
    rows = [_history_row(visit, act, action_diff.describe(act, names)) for act in page]
    context = {"page": page, "told": rows, "by": by, "refusal": refusal}
    return page_context.page(request, visit, "clubs/history.html", context, tab="desk", title=gettext("History"))


def _history_row(visit: page_context.Visit, act: Act, changed: action_diff.Diff) -> HistoryRow:
    undone_by = getattr(act, "undone_by", None)
    may = history.may_be_undone(act, may=visit.may, is_own=act.by_id == visit.player.pk)
    return HistoryRow(act, changed, undone_by, undone_by is None and may)


@require_POST
def undo(request: HttpRequest, club: str, act: int) -> HttpResponse:
    """Undo an action."""
    visit = page_context.visit_for(request, club, "history")
    action = first_or_404(Act.objects.filter(club=visit.club, pk=act), gettext("Action not found."))

    def do() -> Act:
        how = form_actions.how(request)
        return history.undo(
            action.pk, by=form_actions.person(request), request_key=how.get("request_key"), reason=how.get("reason", "")
        )

    to = reverse("clubs:history", args=[visit.club.slug])
    return form_actions.act(request, f"act-{action.pk}", do, lambda refusal: _show(request, visit, refusal), to)
