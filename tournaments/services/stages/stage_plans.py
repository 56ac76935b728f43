"""Stages of an event before they start: add, change, remove."""

from dataclasses import fields
from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments import plan_checks
from tournaments.duplicate import fixed_boards
from tournaments.models import Act, Round, Stage, Tournament
from tournaments.plan import Plan
from tournaments.rules_text import stage_sentences
from tournaments.services.action_context import added_row, check_alive, event_of, stage_of
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from tournaments.services.stages.fixed_terms import check_last_open, check_last_seats, check_rounds_open
from web.errors import Refused

STAGES = declare("stages", needs="prepare", undo=Rows())

LONGEST_NAME = 60
MOST_STAGES = 8
ALWAYS_OPEN = ("waits_for_go", "round_minutes", "round_hours")
"""Choices that can be changed during a stage."""
TERMS = ("own_terms", "final_terms", "round_terms")
"""Choices of what is played differently."""
FIXED_AT_START = ("cut_tie",)
"""Choices that players must know before the event starts."""


def change_stage_plan(
    stage_id: int, by: User, *, plan: Plan | None = None, name: str | None = None, **how: Unpack[ActionRequest]
) -> Act:
    """Change the plan or name of a stage. Raises `Refused` for choices that play has fixed, or plans with problems."""

    def do(record: Record) -> str:
        stage = stage_of(record, stage_id)
        check_alive(record)
        was, before = stage.name, Plan.read(stage.plan_json)
        values: dict[str, Any] = {}
        if name is not None:
            values["name"] = naming.clean(name, LONGEST_NAME)
        if plan is not None:
            _check_open(record.tournament, stage, plan)
            values["plan_json"] = plan.write()
            if plan.waits_for_go and stage.status == Stage.Status.RUNNING:
                values["go_round"] = max(stage.go_round, _last_open_round(stage))
            if stage.status == Stage.Status.WAITING and not plan.by_hand:
                for entrant in stage.entries.all():
                    record.delete(entrant)
        with fixed_boards.keep(record.tournament):
            is_changed = record.change(stage, **values)
        if not is_changed:
            raise Refused("same", gettext("It is already planned like this."))
        _check_works(record.tournament)
        stage.tournament = record.tournament
        sentence = gettext("%(stage)s was changed: %(name)s, %(format)s.")
        values = {"stage": was, "name": stage.name, "format": Plan.read(stage.plan_json).title}
        return " ".join([sentence % values, *_terms_sentences(stage, before)])

    return perform(event_of(Stage, stage_id), do, STAGES, by=by, **how)


def add_stage(
    tournament_id: int, by: User, *, plan: Plan, name: str = "", at: int | None = None, **how: Unpack[ActionRequest]
) -> Stage:
    """Add a stage, at the end or as number `at`. Raises `Refused` if that has started, or the plan has problems."""

    def do(record: Record) -> str:
        check_alive(record)
        stages = list(Stage.objects.filter(tournament=record.tournament).order_by("number"))
        if len(stages) >= MOST_STAGES:
            raise Refused("too_many", gettext("An event has at most %(limit)s stages.") % {"limit": MOST_STAGES})
        number = len(stages) + 1 if at is None else max(1, min(at, len(stages) + 1))
        later = [moved for moved in stages if moved.number >= number]
        if any(moved.status != Stage.Status.WAITING for moved in later):
            raise Refused("has_begun", gettext("A new stage must come after those that have started."))
        for moved in reversed(later):
            record.change(moved, number=moved.number + 1)
        title = naming.clean(name or plan.title, LONGEST_NAME)
        record.create(Stage(tournament=record.tournament, number=number, name=title, plan_json=plan.write()))
        _check_works(record.tournament)
        return gettext("%(stage)s was added as stage %(number)s.") % {"stage": title, "number": number}

    return added_row(perform(tournament_id, do, STAGES, by=by, **how), Stage)


def remove_stage(stage_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a stage that has not started. Raises `Refused` for the only one."""

    def do(record: Record) -> str:
        stage = stage_of(record, stage_id)
        check_alive(record)
        if stage.status != Stage.Status.WAITING:
            raise Refused("has_begun", gettext("%(stage)s has already started.") % {"stage": stage})
        rest = Stage.objects.filter(tournament=record.tournament).exclude(pk=stage.pk).order_by("number")
        if not rest:
            raise Refused("last_stage", gettext("An event needs at least one stage."))
        if record.tournament.has_begun and not rest.filter(number__gt=stage.number).exists() and _is_over(stage):
            raise Refused("has_begun", gettext("The event would be over without it."))
        number = stage.number
        for entrant in stage.entries.all():
            record.delete(entrant)
        with fixed_boards.keep(record.tournament):
            record.delete(stage)
        for other in rest.filter(number__gt=number):
            record.change(other, number=other.number - 1)
        _check_works(record.tournament)
        return gettext("%(stage)s was removed.") % {"stage": stage.name}

    return perform(event_of(Stage, stage_id), do, STAGES, by=by, **how)


def _terms_sentences(stage: Stage, before: Plan) -> tuple[str, ...]:
    """What is played differently now, if that has changed."""
    plan = Plan.read(stage.plan_json)
    if all(getattr(plan, name) == getattr(before, name) for name in TERMS):
        return ()
    return stage_sentences(stage, plan) or (gettext("It is played like the rest of the event."),)


def _last_open_round(stage: Stage) -> int:
    """Number of the last opened round of a stage, which counts as started by an organiser."""
    opened = stage.rounds.exclude(status=Round.Status.DRAWN).order_by("-number")
    return opened.values_list("number", flat=True).first() or 0


def _is_over(stage: Stage) -> bool:
    before = Stage.objects.filter(tournament=stage.tournament_id, number__lt=stage.number)
    return not before.exclude(status=Stage.Status.OVER).exists()


def _check_open(tournament: Tournament, stage: Stage, plan: Plan) -> None:
    """Raise `Refused` if a plan changes choices that play has fixed."""
    before = Plan.read(stage.plan_json)
    changed = {field.name for field in fields(Plan) if getattr(plan, field.name) != getattr(before, field.name)}
    if stage.status != Stage.Status.WAITING and changed - {*ALWAYS_OPEN, "final_terms", "round_terms"}:
        raise Refused(
            "has_begun",
            gettext(
                "%(stage)s has started. You can only change its times, rounds that have not started, and whether an "
                "organiser starts each round."
            )
            % {"stage": stage},
        )
    if "final_terms" in changed:
        check_last_open(stage, before)
        check_last_seats(stage, before, plan)
    check_rounds_open(stage, before, plan)
    if tournament.has_begun and changed & set(FIXED_AT_START):
        raise Refused("has_begun", gettext("After the start you cannot change how a tie at the cut is decided."))


def _check_works(tournament: Tournament) -> None:
    """Raise `Refused` if the stages have problems, except in a draft."""
    if tournament.status == Tournament.Status.DRAFT:
        return
    if wrong := plan_checks.plan_problems(tournament, plan_checks.plans_of(tournament)):
        raise Refused("cannot_work", " ".join(wrong))
