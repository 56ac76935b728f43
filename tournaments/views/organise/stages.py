"""The stages of an event: planned anew with the schedule beside, added, removed, ended; who goes on, named by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournaments import plan_checks, stage_standings
from tournaments.forms.stage import StageForm
from tournaments.lookups import stage_of
from tournaments.models import Act, Entry, Stage, Tournament
from tournaments.plan import Plan, standard
from tournaments.services.stages import stage_decisions, stage_plans
from tournaments.stage_state import load
from tournaments.views.organise import form_actions
from tournaments.views.organise.form_actions import Refusal, event_for, person
from tournaments.views.organise.schedule import Schedule, of_plans, pace_of, sentences, wrong_fields
from web.errors import Refused

USUAL = 16
"""Entries for which a schedule is shown where nobody knows how many there will be."""


@require_safe
def listed(request: HttpRequest, event: str) -> HttpResponse:
    """The stages with the schedule of all of them."""
    return show_stages(request, event_for(request, event))


def show_stages(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    """The list of stages."""
    rows = [(stage, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    context = {"rows": rows, "schedule": _planned(event)}
    return form_actions.page(request, event, "stages", context, refusal, tab="settings")


def _planned(event: Tournament) -> Schedule:
    named = [(stage.name, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    return _forecast(event, named)


def _forecast(event: Tournament, named: Sequence[tuple[str, Plan]]) -> Schedule:
    known = _entries(event)
    fits = of_plans(named, known or USUAL, pace_of(event.rules))
    return fits if known or not fits.wrong else Schedule()


def _entries(event: Tournament) -> int | None:
    """How many entries to plan for: those there are, else as many as there may be; `None` where nobody knows."""
    entered = event.entries.filter(status=Entry.Status.ENTERED).count()
    return entered if entered > 1 else event.entry_limit


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Plan a stage otherwise. A stage under way shows what can still be changed."""
    found = event_for(request, event, "look" if request.method != "POST" else "prepare")
    row = stage_of(found, stage)
    plan = Plan.read(row.plan_json)
    open_fields = None if row.status == Stage.Status.WAITING else stage_plans.ALWAYS_OPEN
    data = request.POST if request.method == "POST" else None
    form = StageForm(data, number=stage, title=row.name, plan=plan, open_fields=open_fields)
    if data is None:
        return show_stage(request, found, row, form, _planned(found))
    fits = _schedule(found, form, row)
    if request.POST.get("do") == "look" or form.is_other_format:
        return show_stage(request, found, row, form, fits)
    if not form.is_valid():
        return show_stage(
            request, found, row, form, fits, Refusal("stage", gettext("Please correct the fields below."))
        )

    def do() -> Act:
        new = Plan.read(plan.write() | _shown(form))
        asked = form_actions.how(request, seen=True)
        return stage_plans.change_stage_plan(row.pk, person(request), plan=new, name=form.title(), **asked)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stage(request, found, row, form, fits, refusal)

    return form_actions.act(request, found, "stage", do, show, _list(found))


def _shown(form: StageForm) -> dict[str, Any]:
    """The choices of the form; those that it does not show stay as they are, unless the format is another one."""
    written = form.plan().write()
    if form.start.format != form.shown_format or form.is_other_format:
        return written
    shown = {*form.main, *form.more, "format", *(["tiebreaks"] if form.is_ranked else [])}
    return {name: value for name, value in written.items() if name in shown}


def _schedule(event: Tournament, form: StageForm, row: Stage | None) -> Schedule:
    """The schedule of the event with one of its stages as the form has it; what is wrong is said beside its fields."""
    if not form.is_valid():
        return Schedule(wrong=sentences(form))
    named = [(stage.name, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    at = row.number - 1 if row is not None else len(named)
    named[at : at + 1] = [(form.title(), form.plan())]
    known = _entries(event) if row is None or row.status == Stage.Status.WAITING else None

    def wrong_with(plan: Plan) -> list[str]:
        plans = [own for _, own in named]
        return plan_checks.wrong_with(event, [*plans[:at], plan, *plans[at + 1 :]], known)

    found = wrong_with(form.plan())
    head = gettext("Stage %(number)s: ") % {"number": at + 1} if len(named) > 1 else ""
    for sentence in found:
        if sentence.startswith(head):
            own = sentence.removeprefix(head)
            form.say(own, lambda plan: [one.removeprefix(head) for one in wrong_with(plan)], named[at][1])
    return Schedule(wrong=found) if found else _forecast(event, named)


def show_stage(
    request: HttpRequest,
    event: Tournament,
    row: Stage | None,
    form: StageForm,
    fits: Schedule,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The form of a stage, or of one that is to be added, with the schedule beside it."""
    has_begun = row is not None and row.status != Stage.Status.WAITING
    context = {
        "stage": row,
        "form": form,
        "schedule": fits,
        "has_begun": has_begun,
        "open_always": stage_plans.ALWAYS_OPEN,
    }
    is_ladder = row is not None and Plan.read(row.plan_json).format == "ladder"
    context["can_end"] = is_ladder and row is not None and row.status == Stage.Status.RUNNING and not row.ended_at
    return form_actions.page(request, event, "stage", context, refusal, tab="settings")


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, event: str) -> HttpResponse:
    """Add a stage after those there are."""
    found = event_for(request, event, "look" if request.method != "POST" else "prepare")
    number = found.stages.count() + 1
    usual = standard("single_elimination", take=8) if number > 1 else standard("swiss")
    if request.method != "POST":
        form = StageForm(number=number, plan=usual)
        return show_stage(request, found, None, form, _planned(found))
    form = StageForm(request.POST, number=number, plan=usual)
    fits = _schedule(found, form, None)
    if request.POST.get("do") == "look" or form.is_other_format:
        return show_stage(request, found, None, form, fits)
    if not form.is_valid():
        return show_stage(
            request, found, None, form, fits, Refusal("stage", gettext("Please correct the fields below."))
        )

    def do() -> str:
        asked = form_actions.how(request, seen=True)
        made = stage_plans.add_stage(found.pk, person(request), plan=form.plan(), name=form.title(), **asked)
        return gettext("%(stage)s was added.") % {"stage": made}

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stage(request, found, None, form, fits, refusal)

    return form_actions.act(request, found, "stage", do, show, _list(found))


@require_POST
def look(request: HttpRequest, event: str) -> HttpResponse:
    """The schedule with a stage as it is being filled in, and what is wrong beside its fields."""
    found = event_for(request, event)
    number = form_actions.number(request, "number") or 1
    row = Stage.objects.filter(tournament=found, number=number).first()
    plan = Plan.read(row.plan_json) if row is not None else standard("single_elimination")
    form = StageForm(request.POST, number=min(number, 99), plan=plan)
    context = {
        "schedule": _schedule(found, form, row),
        "stages": [form],
        "is_part": True,
        "wrong_fields": [] if form.is_other_format else wrong_fields(form),
    }
    return form_actions.page(request, found, "schedule_part", context)


@require_POST
def remove(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Take a stage out that has not begun."""
    found = event_for(request, event, "prepare")
    row = stage_of(found, stage)

    def do() -> Act:
        return stage_plans.remove_stage(row.pk, person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stages(request, found, refusal)

    return form_actions.act(request, found, f"stage-{stage}", do, show, _list(found))


@require_POST
def end(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """End a ladder: its order is final."""
    found = event_for(request, event, "play")
    row = stage_of(found, stage)

    def do() -> Act:
        return stage_decisions.end_ladder(row.pk, by=person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stages(request, found, refusal)

    return form_actions.act(
        request, found, f"stage-{stage}", do, show, reverse("tournaments:organise", args=[found.slug])
    )


# Who goes on


@require_http_methods(["GET", "HEAD", "POST"])
def admit(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Name who goes on to a stage, the best first, by numbers."""
    found = event_for(request, event, "look" if request.method != "POST" else "play")
    row = stage_of(found, stage)
    if request.method != "POST":
        return show_admit(request, found, row)

    def do() -> Act:
        return stage_decisions.admit(
            row.pk, _named(request, found), by=person(request), **form_actions.how(request, seen=True)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_admit(request, found, row, refusal)

    return form_actions.act(request, found, "admit", do, show, reverse("tournaments:organise", args=[found.slug]))


def _named(request: HttpRequest, event: Tournament) -> list[int]:
    """The entries (ids) that have a number, in its order."""
    numbers: dict[int, int] = {}
    for pk in event.entries.values_list("pk", flat=True):
        at, typed = form_actions.number(request, f"place-{pk}"), request.POST.get(f"place-{pk}", "").strip()
        if typed and not at:
            raise Refused(
                "bad_order", gettext("Enter a number from 1 upwards, not “%(typed)s”.") % {"typed": typed[:20]}
            )
        if at:
            numbers[pk] = at
    if len(set(numbers.values())) < len(numbers):
        raise Refused("bad_order", gettext("Two entries have the same number."))
    return sorted(numbers, key=numbers.__getitem__)


def show_admit(request: HttpRequest, event: Tournament, row: Stage, refusal: Refusal | None = None) -> HttpResponse:
    """The entries in the order in which the stage before has them, with a number for each who goes on.

    Those that are named already have their numbers; else the first that still take part are proposed.
    """
    before = Stage.objects.filter(tournament=event, number__lt=row.number).order_by("-number").first()
    plan = Plan.read(row.plan_json)
    if before is not None:
        before.tournament = event
    order = _ranked(before) if before is not None else [(entry, 0) for entry in event.entries.filter(status="entered")]
    still_in = [entry.pk for entry, _ in order if entry.status == Entry.Status.ENTERED]
    named = dict(row.entries.values_list("entry_id", "position"))
    numbers = named or {pk: at for at, pk in enumerate(still_in[: plan.take or None], 1)}
    rows = []
    for entry, rank in order:
        typed = request.POST.get(f"place-{entry.pk}", "") if refusal else str(numbers.get(entry.pk, ""))
        rows.append({"entry": entry, "rank": rank, "typed": typed})
    context = {"stage": row, "before": before, "rows": rows, "take": plan.take}
    return form_actions.page(request, event, "admit", context, refusal, tab="rounds")


def _ranked(before: Stage) -> Sequence[tuple[Entry, int]]:
    state = load(before)
    return [(state.entries[one.entry].entry, one.rank) for one in stage_standings.ranking(state)]


def _list(event: Tournament) -> str:
    return reverse("tournaments:organise_stages", args=[event.slug])


_BASE = "events/<slug:event>/organise/stages"
urls = [
    path(f"{_BASE}/", listed, name="organise_stages"),
    path(f"{_BASE}/new/", add, name="organise_add_stage"),
    path(f"{_BASE}/schedule/", look, name="organise_schedule"),
    path(f"{_BASE}/<int:stage>/", change, name="organise_stage"),
    path(f"{_BASE}/<int:stage>/remove/", remove, name="organise_remove_stage"),
    path(f"{_BASE}/<int:stage>/end/", end, name="organise_end_ladder"),
    path(f"{_BASE}/<int:stage>/admit/", admit, name="organise_admit"),
]
