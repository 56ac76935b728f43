"""Leagues and their teams."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import ClubActing, number, numbers, text
from clubs.models import League, TeamMember

NEWCOMERS = [(role.value, role.label) for role in (TeamMember.Role.PLAYER, TeamMember.Role.RESERVE)]


class NewLeague(ClubActing):
    name = serializers.CharField(max_length=80)
    kind = serializers.ChoiceField(League.Kind.choices, default=League.Kind.PAIR)
    about = text(2000, default="")


class ChangeLeague(ClubActing):
    name = serializers.CharField(max_length=80)
    about = text(2000, default="")


class AskClub(ClubActing):
    asked = serializers.SlugField(max_length=50, help_text="The slug of the other club.")


class NewTeam(ClubActing):
    members = numbers(min_length=1, help_text="Ids of people of the club, the captain first.")
    reserves = numbers(default=list)
    name = text(80, default="", help_text="By default it has the names of its people.")
    venue = text(200, default="")
    plays_for = serializers.SlugField(required=False, max_length=50, help_text="The slug of its club, if another.")


class ChangeTeam(ClubActing):
    name = serializers.CharField(max_length=80)
    venue = text(200, default="")


class NewTeamMember(ClubActing):
    membership = number()
    role = serializers.ChoiceField(NEWCOMERS, default=TeamMember.Role.PLAYER)


class ReplaceMember(ClubActing):
    membership = number()


class TeamRole(ClubActing):
    role = serializers.ChoiceField(TeamMember.Role.choices)
