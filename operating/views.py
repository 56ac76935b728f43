"""The operator's page: the state of the site, stuck work, the buttons, the history."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from accounts.models import OperatorAct
from accounts.queries import member
from gameplay.models import Table
from operating import checks, health
from operating.access import operators_only
from operating.actions import ACTS, perform
from operating.checks import Item
from web.errors import Refused

NEWEST = 10
"""Acts on the page itself; the others are a page of their own."""


@operators_only
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The state of the site, with all problems."""
    return _page(request)


@operators_only
@require_POST
def do(request: HttpRequest) -> HttpResponse:
    """Press a button. If it cannot be undone, ask for confirmation first."""
    kind, subject = request.POST.get("act", ""), request.POST.get("subject", "")
    act, is_of_table = ACTS.get(kind), request.POST.get("from") == "table"
    if act is not None and act.warning and request.POST.get("sure") != "yes":
        context = {"act": act, "kind": kind, "subject": subject, "is_of_table": is_of_table}
        return render(request, "operating/confirm.html", context)
    try:
        line = perform(kind, subject, by=member(request))
    except Refused as refused:
        return _page(request, refused)
    messages.success(request, line.sentence)
    if kind == "check" or (is_of_table and line.subject.startswith("table:")):
        return redirect("operating:table", table=int(subject))
    return redirect("operating:page")


@operators_only
@require_safe
def find(request: HttpRequest) -> HttpResponse:
    """Find a table by its number or address, and redirect to its page."""
    text = request.GET.get("table", "").strip().rstrip("/").rpartition("/")[2][:20]
    is_number = text.isascii() and text.isdecimal()
    rows = Table.objects.filter(pk=int(text)) if is_number and len(text) < 19 else Table.objects.filter(slug=text)
    table = rows.only("pk").first()
    if table is None:
        return _page(request, Refused("no_table", gettext("Table not found. Check its number or address.")))
    return redirect("operating:table", table=table.pk)


@operators_only
@require_safe
def table(request: HttpRequest, table: int) -> HttpResponse:
    """A table: its state without cards, its history, and every button that may help."""
    row = get_object_or_404(Table.objects.defer("snapshot", "rules_json"), pk=table)
    acts = OperatorAct.objects.filter(subject=f"table:{row.pk}").select_related("by")[:NEWEST]
    checked = next((act for act in acts if act.kind in ("check", "rebuild")), None)
    wrong = checked.after.get("wrong", []) if checked else []
    item = Item(str(row.pk), str(row), "", None, checks.acts_at(row, timezone.now(), is_wrong=bool(wrong)), row.pk)
    context = {"table": row, "item": item, "checked": checked, "wrong": wrong, "history": acts}
    return render(request, "operating/table.html", context)


@operators_only
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Everything that operators did, newest first."""
    acts = Paginator(OperatorAct.objects.select_related("by"), 50).get_page(request.GET.get("page"))
    return render(request, "operating/history.html", {"page": acts})


def _page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    now = timezone.now()
    facts, sections = health.facts(now), checks.sections(now)
    waiting = [section.trouble for section in sections if section.count and section.trouble]
    context = {
        "facts": facts,
        "sections": sections,
        "troubles": [fact.trouble for fact in facts if fact.trouble] + waiting,
        "history": OperatorAct.objects.select_related("by")[:NEWEST],
        "refusal": refusal,
    }
    return render(request, "operating/page.html", context, status=refusal.status if refusal else 200)
