"""House rules and their versions."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from gameplay.api.base import Output


class HouseRulesLine(Output):
    """House rules in their newest version."""

    slug = Text()
    name = Text()
    about = Text()
    is_archived = Yes()
    newest = Whole(help_text="The number of the newest version.")


class HouseRulesList(Output):
    """The house rules of a club."""

    rules = HouseRulesLine(many=True)


class VersionLine(Output):
    """A version, which never changes."""

    id = Whole()
    number = Whole()
    ruleset = Text(help_text="The published ruleset it is based on.")
    note = Text()
    at = At()
    ref = Text(help_text="The reference that tables use.")


class WholeHouseRules(HouseRulesLine):
    """House rules with all their versions."""

    versions = VersionLine(many=True)


class WholeVersion(VersionLine):
    """A version with its rules."""

    name = Text()
    club = Text()
    rules = serializers.DictField()
    shared = Text(help_text="The link for sharing it.")


class RulesSheetSection(Output):
    """A part of a rule sheet."""

    title = Text()
    sentences = serializers.ListField(child=Text())


class RulesChange(Output):
    """A changed option."""

    name = Text()
    title = Text()
    was = Text()
    now = Text()


class RulesFit(Output):
    """The nearest published ruleset, and how the rules differ from it."""

    nearest = Text()
    summary = Text(help_text="The ruleset and the number of differences, in a sentence.")
    lines = serializers.ListField(child=Text(), help_text="A sentence for each difference.")


class RulesVersionPage(WholeVersion):
    """A version with its rule sheet, its differences from the published ruleset, and later changes."""

    sheet = RulesSheetSection(many=True)
    changed = RulesChange(many=True, help_text="Differences from the published ruleset.")
    fit = RulesFit()
    since = RulesChange(many=True, help_text="Differences in the newest version.")
    seasons = serializers.ListField(child=Text(), help_text="Seasons that use it. Not shown behind a link.")


class RulesWrong(Output):
    """The reason why options are impossible."""

    sentence = Text()
    options = serializers.ListField(child=Text())


class RulesOutlook(Output):
    """A preview of rules, or the reason why they are impossible."""

    can_be = Yes()
    wrong = RulesWrong(many=True)
    sheet = RulesSheetSection(many=True)
    changed = RulesChange(many=True, help_text="Differences from the published ruleset.")
    fit = RulesFit(
        allow_null=True, help_text="Also of rules that contradict each other; null if an option is unreadable."
    )


class RulesRead(Output):
    """Rules read from a file or a link, ready for `make-rules/`."""

    name = Text()
    about = Text()
    note = Text()
    ruleset = Text()
    options = serializers.DictField(help_text="Options that differ from the ruleset’s.")
