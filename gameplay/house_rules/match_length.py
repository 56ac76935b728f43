"""The length of a match: a term of a table, event, stage or round, and no house rule."""

from collections.abc import Mapping
from functools import lru_cache

from django.utils.translation import gettext, gettext_noop

from engine.play.rules import Rules
from engine.play.rulesets import PRESETS
from web.text import number, several

LENGTH = "length"
"""The option of a ruleset that says how many deals a match has."""
_DEALS = (
    *(gettext_noop("one deal"), gettext_noop("two deals"), gettext_noop("three deals"), gettext_noop("four deals")),
    *(gettext_noop("five deals"), gettext_noop("six deals"), gettext_noop("seven deals"), gettext_noop("eight deals")),
    *(gettext_noop("nine deals"), gettext_noop("ten deals"), gettext_noop("eleven deals")),
    gettext_noop("twelve deals"),
)


def with_length(rules: Rules, length: Mapping[str, int]) -> Rules:
    """A ruleset with this length of a match; its own if `length` is empty. Raises `BadInput` for an invalid one."""
    return _with_length(rules, tuple(length.items())) if length else rules


@lru_cache(maxsize=512)
def _with_length(rules: Rules, length: tuple[tuple[str, int], ...]) -> Rules:
    return Rules.make(rules, {LENGTH: dict(length)})


def length_of(rules: Rules) -> dict[str, int]:
    """The length of a match as the option of a ruleset: `{"deals": 4}` or `{"target": 10000}`."""
    return {rules.length.by: rules.length.number}


def split(rules: Rules, base: Rules | None = None) -> tuple[Rules, dict[str, int]]:
    """A ruleset with the length of its base, and its own length if that differs.

    The base is the published ruleset of its name, unless it came from another. Rules of another name have none.
    """
    base = base or (Rules.preset(rules.name) if rules.name in PRESETS else None)
    if base is None or base.length == rules.length:
        return rules, {}
    plain = with_length(rules, length_of(base))
    return (base if plain == base else plain), length_of(rules)


def deals_of(rules: Rules) -> int:
    """Number of deals of a match; 0 if it is played to a target."""
    return rules.length.number if rules.length.by == "deals" else 0


def length_text(rules: Rules) -> str:
    """The length of a match: `eight deals`, `24 deals`, `10,000 points`."""
    count = rules.length.number
    if rules.length.by == "target":
        return several(count, "point")
    return gettext(_DEALS[count - 1]) if count <= len(_DEALS) else several(count, "deal")


def with_length_said(title: str, rules: Rules) -> str:
    """A title of rules with the length of a match: `Standard, four deals`, `Standard, to 10,000 points`."""
    if rules.length.by == "target":
        points = number(rules.length.number)
        return gettext("%(title)s, to %(points)s points") % {"title": title, "points": points}
    return gettext("%(title)s, %(deals)s") % {"title": title, "deals": length_text(rules)}
