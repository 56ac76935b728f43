"""Matches of leagues."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import ClubActing, number, numbers, text


class ArrangeMatch(ClubActing):
    starts_at = serializers.DateTimeField()
    venue = text(200, default="", help_text="The place, if not the home side’s.")
    is_online = serializers.BooleanField(default=None, allow_null=True, help_text="Leave out to keep it.")


class SetMatch(ArrangeMatch):
    starts_at = serializers.DateTimeField(allow_null=True, help_text="`null`: as in its matchday.")
    deadline_at = serializers.DateTimeField(default=None, allow_null=True)


class ProposeDate(ArrangeMatch):
    team = number(help_text="The number of the team that proposes.")
    words = text(300, default="")


class CounterDate(ArrangeMatch):
    words = text(300, default="")


class DeclineDate(ClubActing):
    answer = text(300, default="")


class FieldMembers(ClubActing):
    team = number(help_text="The number of the team.")
    members = numbers(help_text="Ids of people of its club. Empty for its usual players.")
