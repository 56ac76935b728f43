"""Name of an event’s rules in one line."""

from django.utils.translation import gettext

from gameplay.house_rules import rule_titles
from tournaments.models import Tournament


def rules_title(event: Tournament) -> str:
    """Name such as `Harbour rules, version 3` or `Standard`: one query for house rules."""
    return rule_titles.title(str(event.terms.get("rules_ref", "")), event.rules)


def rules_phrase(event: Tournament) -> str:
    """The same within a sentence: `Harbour rules, version 3`, or `Standard rules`."""
    title = rules_title(event)
    return title if event.terms.get("rules_ref") else gettext("%(title)s rules") % {"title": title}
