"""The schedule that an event would have, beside the forms that plan it; shown again with each thing that is filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.utils.translation import gettext

from engine.errors import BadInput
from engine.play.rules import Rules
from tournaments import plan_checks
from tournaments.forecast import Course, Pace, forecast, in_all
from tournaments.forms.rules import deals_of
from tournaments.forms.stage import StageForm, plans_of, say_what_cannot_work
from tournaments.models import Tournament
from tournaments.plan import Plan
from web.errors import Refused
from web.text import duration


@dataclass
class Schedule:
    """How an event would go, or why it cannot work."""

    courses: tuple[Course, ...] = ()
    wrong: list[str] = field(default_factory=list)
    entries: int = 0
    total: str = ""

    @property
    def is_there(self) -> bool:
        """Whether there is a schedule to show."""
        return bool(self.courses)


def schedule(event: Tournament | None, stages: Sequence[StageForm], entries: int | None, pace: Pace) -> Schedule:
    """The schedule of stages as they are filled in; what cannot work is said beside their fields as well."""
    wrong = [sentence for stage in stages if not stage.is_valid() for sentence in sentences(stage)]
    if wrong or event is None:
        return Schedule(wrong=list(dict.fromkeys(wrong)))

    def wrong_with(plans: Sequence[Plan]) -> list[str]:
        return plan_checks.wrong_with(event, plans, entries)

    if found := say_what_cannot_work(stages, wrong_with):
        return Schedule(wrong=found)
    try:
        named = plans_of(stages)
    except Refused as refusal:
        return Schedule(wrong=[refusal.sentence])
    return of_plans(named, entries, pace)


def of_plans(named: Sequence[tuple[str, Plan]], entries: int | None, pace: Pace) -> Schedule:
    """The schedule of stages that are planned."""
    if entries is None:
        return Schedule()
    try:
        courses = forecast(named, entries, pace)
    except BadInput as error:
        return Schedule(wrong=[error.sentence])
    total = in_all(courses)
    return Schedule(
        courses,
        [],
        entries,
        gettext("about %(time)s") % {"time": duration(total)} if total and len(courses) > 1 else "",
    )


def pace_of(rules: Rules | None, minutes: int | None = None, tables: int | None = None) -> Pace:
    """What the time depends on."""
    return Pace(deals_of(rules) if rules else 0, minutes or 25, tables or 0)


def sentences(form: forms.Form) -> list[str]:
    """What is wrong with the fields of a form, apart from those that are still empty."""
    found: list[str] = []
    for errors in form.errors.as_data().values():
        found += [sentence for error in errors if error.code != "required" for sentence in error.messages]
    return found


def wrong_fields(form: forms.Form) -> list[dict[str, Any]]:
    """Every field of a form that is shown, with what is wrong with it: for the places beside them on an open page."""
    found = []
    for one in form.visible_fields():
        errors = form.errors.as_data().get(one.name, [])
        said = [sentence for error in errors if error.code != "required" for sentence in error.messages]
        found.append({"id": one.auto_id, "sentences": said})
    return found
