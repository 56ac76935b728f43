"""The operator's page: the state of the site, stuck work, the buttons, the history."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import OperatorAct
from accounts.queries import member
from gameplay.models import Table
from operating import budget_use, checks, health, stored_data
from operating.access import operators_only
from operating.actions import ACTS, limit_subject, perform
from operating.checks import Item
from web.database import free_space
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
    if kind == "limit_end":
        return redirect("operating:budgets")
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
@require_http_methods(["GET", "HEAD", "POST"])
def budgets(request: HttpRequest) -> HttpResponse:
    """Budgets and those who use most of them; posted, change a limit."""
    fields = {name: (request.POST or request.GET).get(name, "")[:60] for name in ("budget", "kind", "who", "most")}
    if request.method != "POST":
        return _budgets(request, fields)
    try:
        line = perform("limit", limit_subject(**fields), by=member(request))
    except Refused as refused:
        return _budgets(request, fields, refused)
    messages.success(request, line.sentence)
    return redirect("operating:budgets")


@operators_only
@require_safe
def history(request: HttpRequest) -> HttpResponse:
    """Everything that operators did, newest first."""
    acts = Paginator(OperatorAct.objects.select_related("by"), 50).get_page(request.GET.get("page"))
    return render(request, "operating/history.html", {"page": acts})


@operators_only
@require_safe
def data(request: HttpRequest) -> HttpResponse:
    """What is stored and for how long, and what the daily clearing deleted."""
    context = {
        "stored": stored_data.by_rule(),
        "permanent": stored_data.permanent(),
        "size": stored_data.database_size(),
        "gives_back": free_space.gives_back(),
        "days": stored_data.days(),
    }
    return render(request, "operating/data.html", context)


def _budgets(request: HttpRequest, fields: dict[str, str], refusal: Refused | None = None) -> HttpResponse:
    context = {
        "budgets": budget_use.all_use(),
        "changed": budget_use.changed_limits(),
        "kinds": [(kind, gettext(words)) for kind, words in budget_use.EVERYONE.items()],
        "fields": fields,
        "refusal": refusal,
    }
    return render(request, "operating/budgets.html", context, status=refusal.status if refusal else 200)


def _page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    now = timezone.now()
    facts, sections = health.facts(now), checks.sections(now)
    waiting = [section.trouble for section in sections if section.count and section.trouble]
    context = {
        "facts": facts,
        "sections": sections,
        "troubles": [fact.trouble for fact in facts if fact.trouble] + waiting,
        "much_used": budget_use.much_used(),
        "history": OperatorAct.objects.select_related("by")[:NEWEST],
        "refusal": refusal,
    }
    return render(request, "operating/page.html", context, status=refusal.status if refusal else 200)
