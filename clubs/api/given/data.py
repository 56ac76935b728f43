"""What is brought in and taken away."""

from __future__ import annotations

from rest_framework import serializers

from clubs.api.given.acts import LONGEST_TABLE, ClubActing, ClubKeyed, number, text
from clubs.imports.season import Order
from clubs.models import League
from engine.play.rulesets import PRESETS
from gameplay.api.plumbing import Input


class PastSeasons(Input):
    """Past seasons as a spreadsheet has them, and what the file does not say."""

    table = serializers.CharField(
        max_length=LONGEST_TABLE, trim_whitespace=False, help_text="CSV: a line for each match, as in `club-files`."
    )
    league = serializers.SlugField(required=False, max_length=50, help_text="Left out for a new one.")
    league_name = text(80, default="", help_text="Of the new league.")
    kind = serializers.ChoiceField(League.Kind.choices, default=League.Kind.PAIR)
    ruleset = serializers.ChoiceField(list(PRESETS), default="standard")
    house_rules = number(required=False, help_text="The id of a version of the club’s house rules, in their place.")
    win = serializers.CharField(default="2", max_length=10, help_text="Match points.")
    draw = serializers.CharField(default="1", max_length=10)
    loss = serializers.CharField(default="0", max_length=10)
    dates = serializers.ChoiceField(
        [(one.value, one.name.lower()) for one in Order],
        default=Order.UNKNOWN.value,
        help_text="How dates with slashes are meant: `day` first or `month` first, where that cannot be seen.",
    )
    divisions = serializers.ListField(
        child=serializers.CharField(max_length=60), default=list, max_length=20, help_text="Their names from the top."
    )
    adds_people = serializers.BooleanField(default=True, help_text="Whether unknown names join the club’s list.")


class BringSeasons(PastSeasons, ClubActing):
    """The same, to be done."""


class TakeClubAway(ClubKeyed):
    reason = text(200, required=False, help_text="It stands in the history.")


class BringClub(ClubKeyed):
    """The file of a club, sent as a form with parts (`multipart/form-data`)."""

    file = serializers.FileField(help_text="As `take-away/` wrote it.")
    slug = text(50, default="", help_text="Its address here, where not the one it had.")
    own_name = text(60, default="", help_text="What the club’s list calls you; without, you are added to it.")
