"""The rule sheets of an event: one, and others for stages and last rounds with rules of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from tournaments import terms
from tournaments.models import Stage, Tournament
from tournaments.plan import Plan
from tournaments.round_names import round_name
from tournaments.terms import Terms
from web.text import in_sentence


@dataclass(frozen=True)
class RuleSheet:
    """The rules of some matches, and which."""

    number: int
    title: str
    terms: Terms


def sheets(event: Tournament, stages: Sequence[Stage]) -> tuple[RuleSheet, ...]:
    """The rule sheets of an event, its own first, without repeating one."""
    rule_sheets: list[RuleSheet] = []
    for title, each in _all(event, stages):
        if all(each.rules != other.terms.rules for other in rule_sheets):
            rule_sheets.append(RuleSheet(len(rule_sheets) + 1, title, each))
    return tuple(rule_sheets)


def _all(event: Tournament, stages: Sequence[Stage]) -> Iterator[tuple[str, Terms]]:
    yield gettext("Event"), terms.of_event(event)
    for stage in stages:
        plan = Plan.read(stage.plan_json)
        yield stage.name, terms.resolve(event, plan)
        for round_name_, _ in plan.round_terms:
            name = round_name(round_name_)
            title = f"{stage.name}, {in_sentence(name)}" if len(stages) > 1 else name
            yield title, terms.resolve(event, plan, terms.Part(round_name=round_name_))
        last = gettext("final") if plan.is_knockout else gettext("last round")
        name = f"{stage.name}, {last}" if len(stages) > 1 else last[:1].upper() + last[1:]
        yield name, terms.resolve(event, plan, terms.LAST)
