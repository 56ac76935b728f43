"""Clubs: lists, settings and history."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import A_PAGE, MOST, ClubActing, ClubKeyed, text
from clubs.models import Club
from gameplay.api.base import Input


class WhichClubs(Input):
    which = serializers.ChoiceField(["listed", "mine"], default="listed")
    name = serializers.CharField(required=False, max_length=80, help_text="Part of the name.")
    words = serializers.CharField(
        required=False, max_length=80, help_text="Part of name, line, venue or address, as on the page."
    )
    after = serializers.IntegerField(default=0, min_value=0, max_value=MOST, help_text="How many you have.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class WhichClubActs(Input):
    by = serializers.CharField(required=False, max_length=60, help_text="Part of the name of the person who did it.")
    before = serializers.IntegerField(
        required=False, min_value=1, max_value=2**53, help_text="The last id you have. Newest first."
    )
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class ClubSettings(Input):
    """The club’s settings. Fields left out stay as they are."""

    name = serializers.CharField(required=False, max_length=80)
    line = text(160, required=False)
    about = text(4000, required=False)
    venue = text(200, required=False)
    time_zone = serializers.CharField(required=False, max_length=64)
    colour = serializers.ChoiceField(Club.Colour.choices, required=False)
    crest = serializers.ChoiceField(Club.Crest.choices, required=False)
    joining = serializers.ChoiceField(Club.Joining.choices, required=False)
    is_listed = serializers.BooleanField(required=False)
    has_directory = serializers.BooleanField(required=False)
    takes_guests = serializers.BooleanField(
        required=False, help_text="Whether strangers can say on its public page that they would like to come."
    )


class NewClub(ClubSettings, ClubKeyed):
    name = serializers.CharField(max_length=80)
    slug = text(50, default="", help_text="The address you want. By default it follows from the name.")


class ChangeClub(ClubSettings, ClubActing):
    """Changes of a club's settings."""


class WhichNewest(Input):
    limit = serializers.IntegerField(default=20, min_value=1, max_value=A_PAGE)


class WhichClubEvents(Input):
    before = serializers.SlugField(required=False, max_length=60, help_text="The slug of the last one that you have.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)
