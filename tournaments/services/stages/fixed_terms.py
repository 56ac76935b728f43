"""Whether the terms of a stage, or of its last round, are fixed by play."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from tournaments.models import Pairing, Stage
from tournaments.plan import Plan
from tournaments.terms import FINALS
from web.errors import Refused


def has_last_begun(stage: Stage, plan: Plan) -> bool:
    """Whether a table of the last round was made or called, so that its terms stay as they are. One query."""
    called = Q(table__isnull=False) | Q(opened_at__isnull=False) | Q(begun_at__isnull=False) | Q(result__isnull=False)
    last = Q(round__name__in=FINALS) if plan.is_knockout else Q(round__number=plan.rounds)
    return plan.has_last_round and Pairing.objects.filter(called & last, round__stage=stage).exists()


def check_last_open(stage: Stage, plan: Plan) -> None:
    """Raise `Refused` if a table of the last round was made."""
    if has_last_begun(stage, plan):
        raise Refused("has_begun", gettext("Players were called to the last round, so its terms stay as they are."))


def check_undo(stage: Stage, was: Mapping[str, Any]) -> None:
    """Raise `Refused` if setting back a plan would change terms on which tables were made."""
    if "plan_json" not in was:
        return
    before, now = Plan.read(was["plan_json"]), Plan.read(stage.plan_json)
    if before.own_terms != now.own_terms and stage.status != Stage.Status.WAITING:
        raise Refused("in_play", gettext("%(stage)s has started, so its terms stay as they are.") % {"stage": stage})
    if before.final_terms != now.final_terms:
        check_last_open(stage, now)
