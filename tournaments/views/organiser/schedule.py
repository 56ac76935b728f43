"""The forecast schedule of an event, next to the forms that plan it; updated with every change."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext

from engine.errors import BadInput
from engine.play.rules import Rules
from tournaments import plan_checks
from tournaments.forecast import Course, Pace, forecast, in_all
from tournaments.forms.stage import StageForm, add_plan_errors, plans_of
from tournaments.models import Tournament
from tournaments.plan import Plan
from tournaments.public import format_text
from web.errors import Refused
from web.text import duration


@dataclass
class Schedule:
    """The forecast of an event, or the problems of its plan."""

    courses: tuple[Course, ...] = ()
    wrong: list[str] = field(default_factory=list)
    entries: int = 0
    total: str = ""
    scorings: tuple[str, ...] = ()
    """How each stage scores, in sentences."""

    @property
    def parts(self) -> list[tuple[Course, str]]:
        """The stages, each with how it scores."""
        return list(zip(self.courses, self.scorings, strict=True))

    @property
    def is_there(self) -> bool:
        """Whether there is a schedule to show."""
        return bool(self.courses)


def schedule(event: Tournament | None, stages: Sequence[StageForm], entries: int | None, pace: Pace) -> Schedule:
    """The schedule of stages as filled in; problems also appear next to their fields."""
    wrong = [sentence for stage in stages if not stage.is_valid() for sentence in problems(stage)]
    if wrong or event is None:
        return Schedule(wrong=list(dict.fromkeys(wrong)))

    def wrong_with(plans: Sequence[Plan]) -> list[str]:
        return plan_checks.plan_problems(event, plans, entries)

    if contradictions := add_plan_errors(stages, wrong_with):
        return Schedule(wrong=contradictions)
    try:
        plans = plans_of(stages)
    except Refused as refusal:
        return Schedule(wrong=[refusal.sentence])
    return of_plans(plans, entries, pace)


def of_plans(
    plans: Sequence[tuple[str, Plan]], entries: int | None, pace: Pace, *, has_matchdays: bool = False
) -> Schedule:
    """The schedule of planned stages."""
    if entries is None:
        return Schedule()
    try:
        courses = forecast(plans, entries, pace, has_matchdays=has_matchdays)
    except BadInput as error:
        return Schedule(wrong=[error.sentence])
    total = in_all(courses)
    return Schedule(
        courses,
        [],
        entries,
        gettext("about %(time)s") % {"time": duration(total)} if total and len(courses) > 1 else "",
        tuple(format_text.scoring(plan) for _, plan in plans),
    )


def pace_of(rules: Rules | None, minutes: int | None = None, tables: int | None = None) -> Pace:
    """The pace on which the time depends."""
    return Pace(rules, minutes or 25, tables or 0)


def problems(form: forms.Form) -> list[str]:
    """The errors of a form, except for empty fields; those about a value alone with the label of its field."""
    sentences: list[str] = []
    for name, errors in form.errors.as_data().items():
        for error in errors:
            if error.code in ("min_value", "max_value", "invalid"):
                values = {"field": form[name].label, "sentence": error.messages[0]}
                sentences.append(gettext("%(field)s: %(sentence)s") % values)
            elif error.code != "required":
                sentences += error.messages
    return sentences


def wrong_fields(form: forms.Form) -> list[dict[str, Any]]:
    """Every visible field of a form with its errors: for their places on an open page."""
    fields = []
    for bound in form.visible_fields():
        errors = form.errors.as_data().get(bound.name, [])
        sentences = [sentence for error in errors if error.code != "required" for sentence in error.messages]
        fields.append({"id": bound.auto_id, "sentences": sentences})
    return fields
