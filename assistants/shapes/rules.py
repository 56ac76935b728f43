"""Rules of a published ruleset, an event and a club."""

from assistants.site_api import Shape


class RulesetName(Shape):
    """A published ruleset."""

    name: str
    title: str


class RulesetList(Shape):
    """Published rulesets."""

    rulesets: list[RulesetName]


class Ruleset(RulesetName):
    """A ruleset with its rule sheet in Markdown."""

    sheet: str


class Section(Shape):
    """A part of a rule sheet."""

    title: str
    sentences: list[str]


class StageRules(Shape):
    """The format of a stage."""

    name: str
    sentences: list[str]


class EventRules(Shape):
    """The rule sheet of an event’s matches, and its scoring."""

    title: str
    sections: list[Section]
    matches: list[str]
    stages: list[StageRules]


class HouseRules(Shape):
    """House rules and the number of their newest version."""

    slug: str
    name: str
    newest: int


class HouseRulesList(Shape):
    """The house rules of a club."""

    rules: list[HouseRules]


class HouseRulesVersion(Shape):
    """A version of house rules with its rule sheet."""

    name: str
    sheet: list[Section]
