"""What the rules of a table or an event are called in a line: the house rules that they were taken from, else the ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext

from engine.play.rule_sheet.sheet import sheet_title
from engine.play.rules import Rules
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_changes import changes
from gameplay.house_rules.rule_sources import Kept
from gameplay.models import Table


def title(ref: str, rules: Rules) -> str:
    """Such as `Harbour rules, version 3`, or `Standard`. `ref` says where the rules are from, empty for nowhere."""
    return _title(ref, rules, rule_sources.named([ref]) if ref else {})


def of_tables(tables: Iterable[Table]) -> dict[int, str]:
    """The same for tables of a list, by their ids: one query for each app that keeps rules, none without house rules."""
    rows = list(tables)
    kept = rule_sources.named({row.rules_ref for row in rows if row.rules_ref})
    return {row.pk: _title(row.rules_ref, row.rules, kept) for row in rows}


def _title(ref: str, rules: Rules, kept: Mapping[str, Kept]) -> str:
    found = kept.get(ref)
    if found is None:
        return sheet_title(rules)
    is_same = found.rules == rules or changes(found.rules, rules).are_none
    return found.title if is_same else gettext("%(title)s, with changes") % {"title": found.title}
