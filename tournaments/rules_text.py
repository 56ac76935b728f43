"""Name of an event’s rules in one line."""

from django.utils.translation import gettext

from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from gameplay.house_rules import rule_titles
from tournaments.models import Tournament


def rules_title(event: Tournament) -> str:
    """Name such as `Harbour rules, version 3` or `Standard`: one query for house rules."""
    return rule_titles.title(str(event.terms.get("rules_ref", "")), event.rules)


def rules_phrase(event: Tournament) -> str:
    """The same within a sentence: `Harbour rules, version 3`, `Standard with house rules`, or `Standard rules`."""
    title = rules_title(event)
    return title if are_house_rules(event) else gettext("%(title)s rules") % {"title": title}


def are_house_rules(event: Tournament) -> bool:
    """Whether the rules are a version of house rules, or a changed preset."""
    rules = event.rules
    return bool(event.terms.get("rules_ref")) or (rules.name in PRESETS and rules != Rules.preset(rules.name))
