"""The stages of an event before they begin: adding, changing, removing."""

from __future__ import annotations

from typing import Any, Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments import plan_checks
from tournaments.models import Act, Round, Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.action_context import check_alive, event_of, made, stage_of
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import How, Record
from web.errors import Refused

STAGES = declare("stages", needs="prepare", undo=Rows())

LONGEST_NAME = 60
MOST_STAGES = 8
ALWAYS_OPEN = ("waits_for_go", "round_hours")
"""Choices that can be changed while a stage is under way."""
FIXED_AT_START = ("cut_tie",)
"""Choices of every stage that players must know before the event begins."""


def change_stage_plan(
    stage_id: int, by: User, *, plan: Plan | None = None, name: str | None = None, **how: Unpack[How]
) -> Act:
    """Plan a stage otherwise, or call it otherwise. Raises `Refused` for what play has fixed, or what cannot work."""

    def do(record: Record) -> str:
        stage = stage_of(record, stage_id)
        check_alive(record)
        was = stage.name
        values: dict[str, Any] = {}
        if name is not None:
            values["name"] = naming.clean(name, LONGEST_NAME)
        if plan is not None:
            _check_open(record.tournament, stage, plan)
            values["plan_json"] = plan.write()
            if plan.waits_for_go and stage.status == Stage.Status.RUNNING:
                values["go_round"] = max(stage.go_round, _last_open_round(stage))
            if stage.status == Stage.Status.WAITING and not plan.by_hand:
                for named in stage.entries.all():
                    record.delete(named)
        if not record.change(stage, **values):
            raise Refused("same", gettext("It is already planned like this."))
        _check_works(record.tournament)
        return gettext("%(stage)s was changed: %(name)s, %(format)s.") % {
            "stage": was,
            "name": stage.name,
            "format": Plan.read(stage.plan_json).title,
        }

    return perform(event_of(Stage, stage_id), do, STAGES, by=by, **how)


def add_stage(
    tournament_id: int, by: User, *, plan: Plan, name: str = "", at: int | None = None, **how: Unpack[How]
) -> Stage:
    """Add a stage, at the end or as number `at`. Raises `Refused` where that has begun, or cannot work."""

    def do(record: Record) -> str:
        check_alive(record)
        stages = list(Stage.objects.filter(tournament=record.tournament).order_by("number"))
        if len(stages) >= MOST_STAGES:
            raise Refused("too_many", gettext("An event has at most %(limit)s stages.") % {"limit": MOST_STAGES})
        number = len(stages) + 1 if at is None else max(1, min(at, len(stages) + 1))
        later = [one for one in stages if one.number >= number]
        if any(one.status != Stage.Status.WAITING for one in later):
            raise Refused("has_begun", gettext("A new stage must come after those that have started."))
        for one in reversed(later):
            record.change(one, number=one.number + 1)
        title = naming.clean(name or plan.title, LONGEST_NAME)
        record.create(Stage(tournament=record.tournament, number=number, name=title, plan_json=plan.write()))
        _check_works(record.tournament)
        return gettext("%(stage)s was added as stage %(number)s.") % {"stage": title, "number": number}

    return made(perform(tournament_id, do, STAGES, by=by, **how), Stage)


def remove_stage(stage_id: int, by: User, **how: Unpack[How]) -> Act:
    """Take a stage out that has not begun. Raises `Refused` for the only one."""

    def do(record: Record) -> str:
        stage = stage_of(record, stage_id)
        check_alive(record)
        if stage.status != Stage.Status.WAITING:
            raise Refused("has_begun", gettext("%(stage)s has already started.") % {"stage": stage})
        others = Stage.objects.filter(tournament=record.tournament).exclude(pk=stage.pk).order_by("number")
        if not others:
            raise Refused("last_stage", gettext("An event needs at least one stage."))
        if record.tournament.has_begun and not others.filter(number__gt=stage.number).exists() and _is_over(stage):
            raise Refused("has_begun", gettext("The event would be over without it."))
        number = stage.number
        for own in stage.entries.all():
            record.delete(own)
        record.delete(stage)
        for other in others.filter(number__gt=number):
            record.change(other, number=other.number - 1)
        _check_works(record.tournament)
        return gettext("%(stage)s was removed.") % {"stage": stage.name}

    return perform(event_of(Stage, stage_id), do, STAGES, by=by, **how)


def _last_open_round(stage: Stage) -> int:
    """The number of the last round of a stage that was opened: it and those before have had their go."""
    opened = stage.rounds.exclude(status=Round.Status.DRAWN).order_by("-number")
    return opened.values_list("number", flat=True).first() or 0


def _is_over(stage: Stage) -> bool:
    before = Stage.objects.filter(tournament=stage.tournament_id, number__lt=stage.number)
    return not before.exclude(status=Stage.Status.OVER).exists()


def _check_open(tournament: Tournament, stage: Stage, plan: Plan) -> None:
    """Raise where a changed plan touches what has begun."""
    old = Plan.read(stage.plan_json).write()
    changed = {name for name, value in plan.write().items() if old[name] != value}
    if stage.status != Stage.Status.WAITING and changed - set(ALWAYS_OPEN):
        raise Refused(
            "has_begun",
            gettext("%(stage)s has started. You can only change its hours and whether an organiser starts each round.")
            % {"stage": stage},
        )
    if tournament.has_begun and changed & set(FIXED_AT_START):
        raise Refused("has_begun", gettext("After the start you cannot change how a tie at the cut is decided."))


def _check_works(tournament: Tournament) -> None:
    """Raise where the stages cannot work; while an event is being prepared they may be at odds for a while."""
    if tournament.status == Tournament.Status.DRAFT:
        return
    if wrong := plan_checks.wrong_with(tournament, plan_checks.plans_of(tournament)):
        raise Refused("cannot_work", " ".join(wrong))
