"""House rules."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import ClubActing, text
from engine.play.rulesets import PRESETS
from gameplay.api.base import Input


class RulesGiven(ClubActing):
    """Rules: a published ruleset with options that differ."""

    ruleset = serializers.ChoiceField(list(PRESETS), default="standard")
    options = serializers.DictField(default=dict, help_text="Options that differ from the ruleset’s.")


class CopyRules(ClubActing):
    token = serializers.CharField(max_length=64, help_text="The token in the link to the shared rules.")
    name = text(60, default="")


class RulesLook(Input):
    ruleset = serializers.ChoiceField(list(PRESETS), default="standard")
    options = serializers.DictField(default=dict, help_text="Options that differ from the ruleset’s.")


class RulesText(Input):
    text = serializers.CharField(
        max_length=60_000,
        trim_whitespace=False,
        help_text="The JSON of a file of house rules, or a link to shared ones.",
    )
