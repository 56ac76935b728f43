"""The published ruleset that rules are nearest to, with a line for each difference and each contradiction."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.play.rule_sheet.sheet import Difference, compare_sheets, sheet_title
from engine.play.rules import Contradiction, Rules, every_contradiction
from engine.play.rulesets import PRESETS
from engine.words import say, say_several


class Fit(NamedTuple):
    """How rules fit to the published rulesets."""

    rules: Rules
    nearest: Rules
    differences: tuple[Difference, ...]
    contradictions: tuple[Contradiction, ...]

    @property
    def is_published(self) -> bool:
        """Whether the rule sheet says the same as that of the nearest ruleset."""
        return not self.differences

    @property
    def summary(self) -> str:
        """The nearest ruleset and the number of differences, in a sentence."""
        title = sheet_title(self.nearest)
        if self.is_published:
            return say("Exactly as %(title)s.", title=title)
        return say_several(
            "The nearest published ruleset is %(title)s, with %(count)s difference.",
            "The nearest published ruleset is %(title)s, with %(count)s differences.",
            len(self.differences),
            title=title,
        )


def fit_rules(rules: Rules) -> Fit:
    """Compare rules with the nearest published ruleset. The rules may be a draft with contradictions."""
    nearest = find_nearest(rules)
    return Fit(rules, nearest, state_differences(nearest, rules), tuple(every_contradiction(rules)))


def find_nearest(rules: Rules) -> Rules:
    """The published ruleset with the fewest other options; of equal ones the one these rules started from, or the
    first."""
    presets = [Rules.preset(name) for name in PRESETS]
    return min(presets, key=lambda preset: (len(rules.differences(preset)), preset.name != rules.name))


def state_differences(was: Rules, now: Rules) -> tuple[Difference, ...]:
    """The sentences that state what differs. Others that follow from the same options are left out."""
    compared = compare_sheets(was, now)
    stated = {option for difference in compared for option in difference.stated}
    return tuple(each for each in compared if each.stated or not stated.issuperset(each.options))


def fit_to_json(fit: Fit) -> dict[str, Any]:
    """The comparison as JSON. Its `rules` can be read back."""
    return {
        "nearest": fit.nearest.name,
        "title": fit.nearest.title,
        "summary": fit.summary,
        "rules": {"base": fit.nearest.name, "set": fit.rules.changes_from(fit.nearest)},
        "differences": [
            {"options": list(each.options), "line": each.line, "was": each.was, "now": each.now}
            for each in fit.differences
        ],
        "contradictions": [{"options": list(clash.options), "sentence": clash.text} for clash in fit.contradictions],
    }
