"""Whether the terms of a stage, or of one of its rounds, are fixed by play."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext

from tournaments.models import Pairing, Stage
from tournaments.plan import KNOWN_BEFOREHAND, Plan
from tournaments.round_names import round_name
from tournaments.terms import FINALS
from web.errors import Refused

_CALLED = Q(table__isnull=False) | Q(opened_at__isnull=False) | Q(begun_at__isnull=False) | Q(result__isnull=False)


def has_last_begun(stage: Stage, plan: Plan) -> bool:
    """Whether a table of the last round was made or called, so that its terms stay as they are. One query."""
    last = Q(round__name__in=FINALS) if plan.is_knockout else Q(round__number=plan.rounds)
    return plan.has_last_round and Pairing.objects.filter(_CALLED & last, round__stage=stage).exists()


def begun_rounds(stage: Stage) -> set[str]:
    """Names, as stored, of the rounds of which a table was made or called. One query."""
    return set(Pairing.objects.filter(_CALLED, round__stage=stage).values_list("round__name", flat=True))


def check_last_open(stage: Stage, plan: Plan) -> None:
    """Raise `Refused` if a table of the last round was made."""
    if has_last_begun(stage, plan):
        raise Refused("has_begun", gettext("Players were called to the last round, so its terms stay as they are."))


def check_last_seats(stage: Stage, before: Plan, now: Plan) -> None:
    """Raise `Refused` if a plan changes the tables of a last round that was drawn with the others."""
    is_drawn = stage.status != Stage.Status.WAITING and before.format in KNOWN_BEFOREHAND
    if is_drawn and before.final_terms.seats != now.final_terms.seats:
        words = gettext(
            "All rounds of %(stage)s are drawn, so the entries at a table of its last round stay as they are."
        )
        raise Refused("has_begun", words % {"stage": stage})


def check_rounds_open(stage: Stage, before: Plan, now: Plan) -> None:
    """Raise `Refused` if a plan changes the terms of a round of which a table was made."""
    names = {name for name, _ in (*before.round_terms, *now.round_terms)}
    changed = {name for name in names if before.terms_of(name) != now.terms_of(name)}
    for name in sorted(changed & begun_rounds(stage)) if changed else ():
        words = gettext("%(round)s: players were called, so these terms stay as they are.")
        raise Refused("has_begun", words % {"round": round_name(name)})


def check_undo(stage: Stage, was: Mapping[str, Any]) -> None:
    """Raise `Refused` if setting back a plan would change terms on which tables were made."""
    if "plan_json" not in was:
        return
    before, now = Plan.read(was["plan_json"]), Plan.read(stage.plan_json)
    if before.own_terms != now.own_terms and stage.status != Stage.Status.WAITING:
        raise Refused("in_play", gettext("%(stage)s has started, so its terms stay as they are.") % {"stage": stage})
    if before.final_terms != now.final_terms:
        check_last_open(stage, now)
        check_last_seats(stage, before, now)
    check_rounds_open(stage, before, now)
