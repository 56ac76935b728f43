"""Titles of the rules of tables and events in a line: the house rules they were taken from, else the ruleset."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext

from engine.play.rule_sheet.sheet import sheet_title
from engine.play.rules import Rules
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_changes import changes
from gameplay.house_rules.rule_sources import RuleVersion
from gameplay.models import Table


def title(ref: str, rules: Rules) -> str:
    """A title such as `Harbour rules, version 3`, or `Standard`. `ref` is the origin of the rules, empty for none."""
    return _title(ref, rules, rule_sources.find_all([ref]) if ref else {})


def of_tables(tables: Iterable[Table]) -> dict[int, str]:
    """The titles for tables of a list, by their ids: one query for each app with rules, none without house rules."""
    rows = list(tables)
    versions = rule_sources.find_all({table.rules_ref for table in rows if table.rules_ref})
    return {table.pk: _title(table.rules_ref, table.rules, versions) for table in rows}


def _title(ref: str, rules: Rules, versions: Mapping[str, RuleVersion]) -> str:
    version = versions.get(ref)
    if version is None:
        return sheet_title(rules)
    is_same = version.rules == rules or changes(version.rules, rules).are_none
    return version.title if is_same else gettext("%(title)s, with changes") % {"title": version.title}
