"""Where the rules of a table or an event come from: the version that was pinned, what changed since, and before."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext

from engine.play.rules import Rules
from gameplay.house_rules import rule_sources
from gameplay.house_rules.rule_changes import Changes, changes
from gameplay.house_rules.rule_sources import Kept

MOST_EARLIER = 10
"""Earlier versions that are told of, the latest first."""


class Step(NamedTuple):
    """A version, and what it changed of the one before."""

    kept: Kept
    changes: Changes


class Origin(NamedTuple):
    """The version that rules were taken from."""

    kept: Kept
    own: Changes
    """In what the rules differ from it all the same."""
    newest: Kept | None
    """The newest version, where that is another."""
    since: Changes
    """What changed from the pinned version to the newest."""
    earlier: list[Step]
    """This version and those before it, each with what it changed of the one before; the latest first."""

    @property
    def title(self) -> str:
        """Such as `Harbour rules, version 3`."""
        return self.kept.title if self.own.are_none else gettext("%(title)s, with changes") % {"title": self.kept.title}


def origin(ref: str, rules: Rules) -> Origin | None:
    """The version that `ref` pins, for rules that were taken from it; `None` where nobody keeps it (any more)."""
    found = rule_sources.versions(ref) if ref else []
    place = next((place for place, kept in enumerate(found) if kept.ref == ref), None)
    if place is None:
        return None
    kept, newest = found[place], found[-1]
    return Origin(
        kept,
        changes(kept.rules, rules),
        None if newest == kept else newest,
        changes(kept.rules, newest.rules),
        steps(found[: place + 1])[:MOST_EARLIER],
    )


def steps(found: list[Kept]) -> list[Step]:
    """What each version changed of the one before, the latest first; the first of all changed nothing and is left out."""
    return [Step(after, changes(before.rules, after.rules)) for before, after in pairwise(found)][::-1]
