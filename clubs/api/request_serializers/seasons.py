"""Seasons, prepared and run."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import ClubActing, number, numbers, text
from clubs.services.seasons.cup_seeds import WAYS
from clubs.services.seasons.next_season import UNDERSIZED
from engine.play.rulesets import PRESETS
from gameplay.api.base import Input


class NewDivision(Input):
    name = serializers.CharField(max_length=60)
    size = serializers.IntegerField(min_value=2, max_value=100)


class SeasonFields(Input):
    """The season’s settings. Fields left out stay as they are, or have the usual value."""

    name = serializers.CharField(required=False, max_length=60)
    starts_on = serializers.DateField(required=False)
    ruleset = serializers.ChoiceField(list(PRESETS), required=False)
    house_rules = number(required=False, help_text="The id of a version of the club’s house rules.")
    plan = serializers.DictField(required=False, help_text="legs, scoring, win, draw, loss, tiebreaks, …")
    settings = serializers.DictField(required=False, help_text="setting, terms, no_show, confirm_hours, is_rated, …")
    days = serializers.IntegerField(required=False, min_value=1, max_value=366, help_text="Between matchdays.")
    play_days = serializers.IntegerField(required=False, min_value=1, max_value=366)
    plays_at = serializers.TimeField(required=False, allow_null=True)
    swaps_sides = serializers.BooleanField(required=False)
    up = serializers.ListField(child=serializers.IntegerField(min_value=0, max_value=50), required=False, max_length=50)
    down = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=50), required=False, max_length=50
    )


class NewSeason(SeasonFields, ClubActing):
    name = serializers.CharField(max_length=60)
    starts_on = serializers.DateField()
    divisions = NewDivision(many=True, min_length=1, max_length=50)  # type: ignore[call-arg]


class ChangeSeason(SeasonFields, ClubActing):
    """Changes of a season."""


class DivisionGiven(NewDivision):
    id = number(required=False, allow_null=True, help_text="Of an existing division. Leave out for a new one.")


class SeasonDivisions(ClubActing):
    divisions = DivisionGiven(many=True, min_length=1, max_length=50)  # type: ignore[call-arg]


class Placed(Input):
    division = number(help_text="Its id.")
    teams = numbers(help_text="Numbers of teams, in the order of the draw.")


class SeasonPlaces(ClubActing):
    divisions = Placed(many=True, min_length=1, max_length=50)  # type: ignore[call-arg]


class DaysOff(ClubActing):
    first_day = serializers.DateField()
    last_day = serializers.DateField()
    team = number(required=False, help_text="The number of the team that is away. Leave out for everyone.")


class Matchday(ClubActing):
    number = number()
    first_day = serializers.DateField()


class NewCup(ClubActing):
    name = serializers.CharField(max_length=60)
    teams = numbers(min_length=2, help_text="Numbers of teams, the first seed first.")
    is_double = serializers.BooleanField(default=False, help_text="Only a second defeat ends a team’s cup.")
    third_place = serializers.BooleanField(default=False)
    round_days = serializers.IntegerField(default=14, min_value=1, max_value=366)
    seeding = serializers.ChoiceField(
        list(WAYS),
        default="hand",
        help_text="By hand in the order of `teams`, or by the current standings, the season before, rating or lot.",
    )


class CupLook(Input):
    teams = numbers(min_length=2, help_text="Numbers of teams.")
    seeding = serializers.ChoiceField(list(WAYS), default="table")


class NewPlayoff(ClubActing):
    border = serializers.IntegerField(
        min_value=0, max_value=50, help_text="0 for the championship, 1 between the top two divisions, and so on."
    )
    name = text(60, default="")
    teams = numbers(default=list, help_text="Numbers of teams. By default the teams that follow from the standings.")
    third_place = serializers.BooleanField(default=False)
    round_days = serializers.IntegerField(default=14, min_value=1, max_value=366)


class PutElsewhere(Input):
    team = number(help_text="Its number.")
    level = number(help_text="The level of its new division, 1 for the top one.")


class NextLook(Input):
    leaving = numbers(default=list, help_text="Numbers of teams that leave.")
    joining = numbers(default=list, help_text="Numbers of teams that join.")
    sizes = numbers(required=False, help_text="The number of teams in each division. By default as in the last season.")
    undersized = serializers.ChoiceField(
        list(UNDERSIZED), default="merge", help_text="How to treat a bottom division of fewer than three teams."
    )
    moves = PutElsewhere(  # type: ignore[call-arg]
        many=True, default=list, max_length=200, help_text="Teams that play in another division than the standings say."
    )


class NextSeason(NextLook, ClubActing):
    name = serializers.CharField(max_length=60)
    starts_on = serializers.DateField()
    ruleset = serializers.ChoiceField(list(PRESETS), required=False, help_text="Rules, if not as in the last season.")
    house_rules = number(required=False, help_text="The id of a version of the club’s house rules, used instead.")
    days = serializers.IntegerField(required=False, min_value=1, max_value=366, help_text="Between matchdays.")
    play_days = serializers.IntegerField(required=False, min_value=1, max_value=366)
    plays_at = serializers.TimeField(required=False, allow_null=True)


class WhichDivision(Input):
    division = number(required=False, help_text="The level of the division to follow. By default the top one.")


class WhichTeams(Input):
    one = number(required=False, help_text="The number of a team.")
    other = number(required=False)
