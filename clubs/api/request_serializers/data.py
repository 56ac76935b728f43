"""Imports and exports."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import LONGEST_TABLE, ClubActing, ClubKeyed, number, text
from clubs.imports.season import Order
from clubs.models import League
from engine.play.rulesets import PRESETS
from gameplay.api.base import Input


class PastSeasons(Input):
    """Past seasons from a spreadsheet, and details that the file does not have."""

    table = serializers.CharField(
        max_length=LONGEST_TABLE, trim_whitespace=False, help_text="CSV with a line for each match, as in `club-files`."
    )
    league = serializers.SlugField(required=False, max_length=50, help_text="Leave out for a new one.")
    league_name = text(80, default="", help_text="Of the new league.")
    kind = serializers.ChoiceField(League.Kind.choices, default=League.Kind.PAIR)
    ruleset = serializers.ChoiceField(list(PRESETS), default="standard")
    house_rules = number(required=False, help_text="The id of a version of the club’s house rules, used instead.")
    win = serializers.CharField(default="2", max_length=10, help_text="Match points.")
    draw = serializers.CharField(default="1", max_length=10)
    loss = serializers.CharField(default="0", max_length=10)
    dates = serializers.ChoiceField(
        [(order.value, order.name.lower()) for order in Order],
        default=Order.UNKNOWN.value,
        help_text="For ambiguous dates with slashes: `day` first or `month` first.",
    )
    divisions = serializers.ListField(
        child=serializers.CharField(max_length=60), default=list, max_length=20, help_text="Their names from the top."
    )
    adds_people = serializers.BooleanField(default=True, help_text="Whether unknown names join the club’s list.")


class BringSeasons(PastSeasons, ClubActing):
    """The fields of the import itself."""


class TakeClubAway(ClubKeyed):
    reason = text(200, required=False, help_text="Shown in the history.")


class BringClub(ClubKeyed):
    """An exported club, sent as a form with parts (`multipart/form-data`)."""

    file = serializers.FileField(help_text="As `take-away/` wrote it.")
    slug = text(50, default="", help_text="Its address here. By default its old one.")
    own_name = text(60, default="", help_text="Your name in the club’s member list. By default you are added to it.")
