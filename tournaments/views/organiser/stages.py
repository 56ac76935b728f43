"""The stages of an event: plan, add, remove and end them, choose the entries that go through."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from gameplay.house_rules.rule_sources import Offer
from tournaments import plan_checks, stage_standings
from tournaments.forms import terms
from tournaments.forms.stage import StageForm
from tournaments.lookups import stage_of
from tournaments.models import Act, Entry, Stage, Tournament
from tournaments.plan import Plan, standard
from tournaments.services.stages import fixed_terms, stage_decisions, stage_plans
from tournaments.stage_state import load
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, event_for, person
from tournaments.views.organiser.schedule import Schedule, of_plans, pace_of, problems, wrong_fields
from web.errors import Refused

USUAL = 16
"""Number of entries for the schedule if nobody knows how many there will be."""


@require_safe
def list_stages(request: HttpRequest, event: str) -> HttpResponse:
    """The stages with the schedule of all of them."""
    return show_stages(request, event_for(request, event))


def show_stages(request: HttpRequest, event: Tournament, refusal: Refusal | None = None) -> HttpResponse:
    """The list of stages."""
    rows = [(stage, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    context = {"rows": rows, "schedule": _planned_schedule(event)}
    return form_actions.page(request, event, "stages", context, refusal, tab="settings")


def _planned_schedule(event: Tournament) -> Schedule:
    plans = [(stage.name, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    return _forecast(event, plans)


def _forecast(event: Tournament, plans: Sequence[tuple[str, Plan]]) -> Schedule:
    entries = _entries(event)
    fits = of_plans(plans, entries or USUAL, pace_of(event.rules), has_matchdays=event.has_matchdays)
    return fits if entries or not fits.wrong else Schedule()


def _entries(event: Tournament) -> int | None:
    """The number of entries to plan for: the current ones, else the limit; `None` if unknown."""
    entered = event.entries.filter(status=Entry.Status.ENTERED).count()
    return entered if entered > 1 else event.entry_limit


@require_http_methods(["GET", "HEAD", "POST"])
def change(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Change the plan of a stage. A stage under way shows what can still be changed."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "prepare")
    stage_ = stage_of(tournament, stage)
    plan = Plan.read(stage_.plan_json)
    open_fields = None if stage_.status == Stage.Status.WAITING else _open_fields(stage_, plan)
    data = request.POST if request.method == "POST" else None
    form = StageForm(
        data,
        number=stage,
        title=stage_.name,
        plan=plan,
        open_fields=open_fields,
        offer=Offer(person(request)),
        setting=tournament.setting,
    )
    if data is None:
        return show_stage(request, tournament, stage_, form, _planned_schedule(tournament))
    fits = _schedule(tournament, form, stage_)
    if request.POST.get("do") == "look" or form.is_other_format:
        return show_stage(request, tournament, stage_, form, fits)
    if not form.is_valid():
        return show_stage(
            request, tournament, stage_, form, fits, Refusal("stage", gettext("Please correct the fields below."))
        )

    def do() -> Act:
        new = Plan.read(plan.write() | _changed_choices(form))
        args = form_actions.how(request, seen=True)
        return stage_plans.change_stage_plan(stage_.pk, person(request), plan=new, name=form.title(), **args)

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stage(request, tournament, stage_, form, fits, refusal)

    return form_actions.act(request, tournament, "stage", do, show, _list(tournament))


def _open_fields(stage: Stage, plan: Plan) -> tuple[str, ...]:
    """The fields that can still be changed during a stage: its times, and its last round until that starts."""
    last = () if fixed_terms.has_last_begun(stage, plan) else terms.names(terms.FINAL, plan.format)
    begun = fixed_terms.begun_rounds(stage)
    prefixes = [prefix for prefix in terms.round_prefixes(plan) if terms.round_at(plan, prefix)[0] not in begun]
    rounds = [name for prefix in prefixes for name in terms.names(prefix, plan.format)]
    return (*stage_plans.ALWAYS_OPEN, *last, *rounds)


def _changed_choices(form: StageForm) -> dict[str, Any]:
    """The choices of the form; those that it does not show stay as they are, unless the format changes."""
    written = {"round_terms": {}, "fixtures": []} | form.plan().write()
    if form.start.format != form.shown_format or form.is_other_format:
        return written
    names = {*form.main, *form.more, "format", *stage_plans.TERMS, *(["tiebreaks"] if form.is_ranked else [])}
    return {name: value for name, value in written.items() if name in names}


def _schedule(event: Tournament, form: StageForm, stage: Stage | None) -> Schedule:
    """The schedule of the event with one of its stages as in the form; problems appear next to its fields."""
    if not form.is_valid():
        return Schedule(wrong=problems(form))
    pairs = [(stage.name, Plan.read(stage.plan_json)) for stage in event.stages.all()]
    at = stage.number - 1 if stage is not None else len(pairs)
    pairs[at : at + 1] = [(form.title(), form.plan())]
    entries = _entries(event) if stage is None or stage.status == Stage.Status.WAITING else None

    def wrong_with(plan: Plan) -> list[str]:
        plans = [each for _, each in pairs]
        return plan_checks.plan_problems(event, [*plans[:at], plan, *plans[at + 1 :]], entries)

    wrong = wrong_with(form.plan())
    head = gettext("Stage %(number)s: ") % {"number": at + 1} if len(pairs) > 1 else ""
    for sentence in wrong:
        if sentence.startswith(head):
            text = sentence.removeprefix(head)
            form.add_problem(
                text, lambda plan: [problem.removeprefix(head) for problem in wrong_with(plan)], pairs[at][1]
            )
    return Schedule(wrong=wrong) if wrong else _forecast(event, pairs)


def show_stage(
    request: HttpRequest,
    event: Tournament,
    stage: Stage | None,
    form: StageForm,
    fits: Schedule,
    refusal: Refusal | None = None,
) -> HttpResponse:
    """The form of a stage, or of a new one, with the schedule next to it."""
    has_begun = stage is not None and stage.status != Stage.Status.WAITING
    context = {
        "stage": stage,
        "form": form,
        "schedule": fits,
        "has_begun": has_begun,
        "open_always": stage_plans.ALWAYS_OPEN,
    }
    is_ladder = stage is not None and Plan.read(stage.plan_json).format == "ladder"
    context["can_end"] = is_ladder and stage is not None and stage.status == Stage.Status.RUNNING and not stage.ended_at
    return form_actions.page(request, event, "stage", context, refusal, tab="settings")


@require_http_methods(["GET", "HEAD", "POST"])
def add(request: HttpRequest, event: str) -> HttpResponse:
    """Add a stage at the end."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "prepare")
    number = tournament.stages.count() + 1
    usual = standard("single_elimination", take=8) if number > 1 else standard("swiss")
    if request.method != "POST":
        form = StageForm(number=number, plan=usual, offer=Offer(person(request)), setting=tournament.setting)
        return show_stage(request, tournament, None, form, _planned_schedule(tournament))
    form = StageForm(request.POST, number=number, plan=usual, offer=Offer(person(request)), setting=tournament.setting)
    fits = _schedule(tournament, form, None)
    if request.POST.get("do") == "look" or form.is_other_format:
        return show_stage(request, tournament, None, form, fits)
    if not form.is_valid():
        return show_stage(
            request, tournament, None, form, fits, Refusal("stage", gettext("Please correct the fields below."))
        )

    def do() -> str:
        args = form_actions.how(request, seen=True)
        stage = stage_plans.add_stage(tournament.pk, person(request), plan=form.plan(), name=form.title(), **args)
        return gettext("%(stage)s was added.") % {"stage": stage}

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stage(request, tournament, None, form, fits, refusal)

    return form_actions.act(request, tournament, "stage", do, show, _list(tournament))


@require_POST
def preview_schedule(request: HttpRequest, event: str) -> HttpResponse:
    """The schedule with a stage as it is being filled in, and the errors next to its fields."""
    tournament = event_for(request, event)
    number = form_actions.number(request, "number") or 1
    stage = Stage.objects.filter(tournament=tournament, number=number).first()
    plan = Plan.read(stage.plan_json) if stage is not None else standard("single_elimination")
    form = StageForm(
        request.POST, number=min(number, 99), plan=plan, offer=Offer(person(request)), setting=tournament.setting
    )
    context = {
        "schedule": _schedule(tournament, form, stage),
        "stages": [form],
        "is_part": True,
        "wrong_fields": [] if form.is_other_format else wrong_fields(form),
    }
    return form_actions.page(request, tournament, "schedule_part", context)


@require_POST
def remove(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Remove a stage that has not started."""
    tournament = event_for(request, event, "prepare")
    stage_ = stage_of(tournament, stage)

    def do() -> Act:
        return stage_plans.remove_stage(stage_.pk, person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stages(request, tournament, refusal)

    return form_actions.act(request, tournament, f"stage-{stage}", do, show, _list(tournament))


@require_POST
def end(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """End a ladder: its order is final."""
    tournament = event_for(request, event, "play")
    stage_ = stage_of(tournament, stage)

    def do() -> Act:
        return stage_decisions.end_ladder(stage_.pk, by=person(request), **form_actions.how(request, seen=True))

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_stages(request, tournament, refusal)

    return form_actions.act(
        request, tournament, f"stage-{stage}", do, show, reverse("tournaments:organise", args=[event])
    )


# Entries that go through


@require_http_methods(["GET", "HEAD", "POST"])
def admit(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Choose the entries that go through to a stage, best first, by numbers."""
    tournament = event_for(request, event, "look" if request.method != "POST" else "play")
    stage_ = stage_of(tournament, stage)
    if request.method != "POST":
        return show_admit(request, tournament, stage_)

    def do() -> Act:
        ids = numbered_entries(request, tournament)
        return stage_decisions.choose_entries(
            stage_.pk, ids, by=person(request), **form_actions.how(request, seen=True)
        )

    def show(refusal: Refusal | None) -> HttpResponse:
        return show_admit(request, tournament, stage_, refusal)

    return form_actions.act(request, tournament, "admit", do, show, reverse("tournaments:organise", args=[event]))


def numbered_entries(request: HttpRequest, event: Tournament) -> list[int]:
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


def show_admit(request: HttpRequest, event: Tournament, stage: Stage, refusal: Refusal | None = None) -> HttpResponse:
    """The entries in the order of the stage before, with a number for each that goes through.

    Entries already chosen have their numbers; else the first that still take part are proposed.
    """
    before = Stage.objects.filter(tournament=event, number__lt=stage.number).order_by("-number").first()
    plan = Plan.read(stage.plan_json)
    if before is not None:
        before.tournament = event
    order = _ranked(before) if before is not None else [(entry, 0) for entry in event.entries.filter(status="entered")]
    still_in = [entry.pk for entry, _ in order if entry.status == Entry.Status.ENTERED]
    places = dict(stage.entries.values_list("entry_id", "position"))
    numbers = places or {pk: at for at, pk in enumerate(still_in[: plan.take or None], 1)}
    rows = []
    for entry, rank in order:
        typed = request.POST.get(f"place-{entry.pk}", "") if refusal else str(numbers.get(entry.pk, ""))
        rows.append({"entry": entry, "rank": rank, "typed": typed})
    context = {"stage": stage, "before": before, "rows": rows, "take": plan.take}
    return form_actions.page(request, event, "admit", context, refusal, tab="rounds")


def _ranked(before: Stage) -> Sequence[tuple[Entry, int]]:
    state = load(before)
    return [(state.entries[place.entry].entry, place.rank) for place in stage_standings.ranking(state)]


def _list(event: Tournament) -> str:
    return reverse("tournaments:organise_stages", args=[event.slug])


_BASE = "events/<slug:event>/organise/stages"
urls = [
    path(f"{_BASE}/", list_stages, name="organise_stages"),
    path(f"{_BASE}/new/", add, name="organise_add_stage"),
    path(f"{_BASE}/schedule/", preview_schedule, name="organise_schedule"),
    path(f"{_BASE}/<int:stage>/", change, name="organise_stage"),
    path(f"{_BASE}/<int:stage>/remove/", remove, name="organise_remove_stage"),
    path(f"{_BASE}/<int:stage>/end/", end, name="organise_end_ladder"),
    path(f"{_BASE}/<int:stage>/admit/", admit, name="organise_admit"),
]
