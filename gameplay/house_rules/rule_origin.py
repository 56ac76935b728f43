"""The origin of the rules of a table or an event: the pinned version, later changes, and earlier versions."""

from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext

from engine.play.rules import Rules
from gameplay.house_rules import rule_sources
from gameplay.house_rules.match_length import LENGTH
from gameplay.house_rules.rule_changes import Changes, changes
from gameplay.house_rules.rule_sources import RuleVersion

MOST_EARLIER = 10
"""Most earlier versions, the latest first."""


class Step(NamedTuple):
    """A version, with its changes from the one before."""

    version: RuleVersion
    changes: Changes


class Origin(NamedTuple):
    """The version that rules were taken from."""

    version: RuleVersion
    changes: Changes
    """Differences of the rules from it."""
    newest: RuleVersion | None
    """The newest version, if that is another."""
    since: Changes
    """Changes from the pinned version to the newest."""
    earlier: list[Step]
    """Steps to this version and earlier ones, each with its changes; the latest first."""

    @property
    def title(self) -> str:
        """Such as `Harbour rules, version 3`."""
        title = self.version.title
        is_same = all(change.name == LENGTH for change in self.changes.options)
        return title if is_same else gettext("%(title)s, with changes") % {"title": title}


def origin(ref: str, rules: Rules) -> Origin | None:
    """The version that `ref` pins, for rules taken from it; `None` if nobody keeps it (any more)."""
    versions = rule_sources.versions(ref) if ref else []
    place = next((place for place, version in enumerate(versions) if version.ref == ref), None)
    if place is None:
        return None
    version, newest = versions[place], versions[-1]
    return Origin(
        version,
        changes(version.rules, rules),
        None if newest == version else newest,
        changes(version.rules, newest.rules),
        steps(versions[: place + 1])[:MOST_EARLIER],
    )


def steps(versions: list[RuleVersion]) -> list[Step]:
    """The changes of each version from the one before, the latest first; the very first is left out."""
    return [Step(after, changes(before.rules, after.rules)) for before, after in pairwise(versions)][::-1]
