"""House rules and their versions."""

from __future__ import annotations

from rest_framework import serializers

from clubs.api.shapes.acts import At, Text, Whole, Yes
from gameplay.api.plumbing import Output


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
    ruleset = Text(help_text="The published ruleset that it starts from.")
    note = Text()
    at = At()
    ref = Text(help_text="What tables name it by.")


class WholeHouseRules(HouseRulesLine):
    """House rules with all their versions."""

    versions = VersionLine(many=True)


class WholeVersion(VersionLine):
    """A version with its rules."""

    name = Text()
    club = Text()
    rules = serializers.DictField()
    shared = Text(help_text="The link by which it is shared.")


class RulesSheetSection(Output):
    """A part of a rule sheet."""

    title = Text()
    sentences = serializers.ListField(child=Text())


class RulesChange(Output):
    """An option that is not as it was."""

    name = Text()
    title = Text()
    was = Text()
    now = Text()


class RulesVersionPage(WholeVersion):
    """A version with what it says, and what is not as published or has changed since."""

    sheet = RulesSheetSection(many=True)
    changed = RulesChange(many=True, help_text="What is not as in the published ruleset.")
    since = RulesChange(many=True, help_text="What is otherwise in the newest version.")
    seasons = serializers.ListField(child=Text(), help_text="Seasons that are played by it; not behind a link.")


class RulesWrong(Output):
    """Why options cannot be."""

    sentence = Text()
    options = serializers.ListField(child=Text())


class RulesOutlook(Output):
    """Rules as they would be, or why they cannot be."""

    can_be = Yes()
    wrong = RulesWrong(many=True)
    sheet = RulesSheetSection(many=True)
    changed = RulesChange(many=True, help_text="What is not as in the published ruleset.")


class RulesRead(Output):
    """Rules that were read from a file or a link, as `make-rules/` takes them."""

    name = Text()
    about = Text()
    note = Text()
    ruleset = Text()
    options = serializers.DictField(help_text="Options that differ from the ruleset’s.")
