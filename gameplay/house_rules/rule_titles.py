"""Titles of the rules of tables and events in a line: the house rules they were taken from, else the ruleset."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext

from engine.play.rule_sheet.sheet import sheet_title
from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_sources
from gameplay.house_rules.match_length import split, with_length_said
from gameplay.house_rules.rule_changes import changes
from gameplay.house_rules.rule_sources import RuleVersion
from gameplay.models import Table


class RulesTitle(NamedTuple):
    """Rules by the name of where they came from. The length of a match is no change of them."""

    title: str
    """Such as `Harbour rules, version 3, with changes`, without the length of a match."""
    rules: Rules
    base: Rules
    """The saved version or the published ruleset; the rules themselves if they came from neither."""
    is_house: bool
    """Whether they are house rules."""

    @property
    def title_with_length(self) -> str:
        """The title, with the length of a match if that is not as in the base: `Standard, two deals`."""
        return with_length_said(self.title, self.rules) if self.rules.length != self.base.length else self.title


def find_title(ref: str, rules: Rules) -> RulesTitle:
    """Rules with their names. `ref` is their origin, empty for none. One query if there is one."""
    return _title_of(ref, rules, rule_sources.find_all([ref]) if ref else {})


def title(ref: str, rules: Rules) -> str:
    """A title such as `Harbour rules, version 3`, or `Standard, two deals`."""
    return find_title(ref, rules).title_with_length


def of_tables(tables: Iterable[Table]) -> dict[int, str]:
    """The titles for tables of a list, by their ids: one query for each app with rules, none without house rules."""
    rows = list(tables)
    versions = rule_sources.find_all({table.rules_ref for table in rows if table.rules_ref})
    return {table.pk: _title_of(table.rules_ref, table.rules, versions).title_with_length for table in rows}


def _title_of(ref: str, rules: Rules, versions: Mapping[str, RuleVersion]) -> RulesTitle:
    version = versions.get(ref)
    if version is None:
        plain, _ = split(rules)
        base = Rules.preset(rules.name) if rules.name in PRESETS else rules
        return RulesTitle(sheet_title(plain), rules, base, bool(ref) or (rules.name in PRESETS and plain != base))
    plain, _ = split(rules, version.rules)
    is_same = version.rules == plain or changes(version.rules, plain).are_none
    title = version.title if is_same else gettext("%(title)s, with changes") % {"title": version.title}
    return RulesTitle(title, rules, version.rules, True)
