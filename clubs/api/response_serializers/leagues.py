"""Leagues and their teams."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Day, Text, Whole, Yes
from clubs.models import League, Season, TeamMember
from gameplay.api.base import Output


class LeagueLine(Output):
    """A league of a club."""

    slug = Text()
    name = Text()
    about = Text()
    kind = serializers.ChoiceField(League.Kind.choices)
    is_archived = Yes()
    url = Text()


class LeagueElsewhere(LeagueLine):
    """A league of another club in which this one takes part."""

    club = Text(help_text="The slug of the club that runs it.")


class Leagues(Output):
    """The leagues of a club."""

    leagues = LeagueLine(many=True)
    elsewhere = LeagueElsewhere(many=True)


class SeasonLine(Output):
    """A season of a league."""

    id = Whole()
    slug = Text()
    number = Whole()
    name = Text()
    status = serializers.ChoiceField(Season.Status.choices)
    starts_on = Day(allow_null=True)
    closed_at = At(allow_null=True)
    url = Text()


class HonourShape(Output):
    """An honour of a team."""

    season = Text()
    team = Whole(help_text="Its number.")
    name = Text()
    title = Text()
    place = Whole()


class GuestClub(Output):
    """Another club in a league."""

    id = Whole()
    club = Text()
    name = Text()
    has_agreed = Yes()


class WholeLeague(LeagueLine):
    """A league with its seasons and honours."""

    seasons = SeasonLine(many=True)
    honours = HonourShape(many=True)
    clubs = GuestClub(many=True)


class TeamLine(Output):
    """A team of a league."""

    number = Whole()
    name = Text()
    club = Text(help_text="The slug of the club it plays for.")
    venue = Text()
    left_at = At(allow_null=True)


class Teams(Output):
    """The teams of a league."""

    teams = TeamLine(many=True)


class RosterLine(Output):
    """A person in a roster."""

    id = Whole(help_text="Of the place in the roster.")
    membership = Whole()
    name = Text()
    role = serializers.ChoiceField(TeamMember.Role.choices)


class WholeTeam(TeamLine):
    """A team with its roster."""

    roster = RosterLine(many=True)


class CouldJoinLine(Output):
    """A person who can join a team."""

    membership = Whole()
    name = Text()


class CouldJoin(Output):
    """People of a team’s club outside its roster."""

    people = CouldJoinLine(many=True)
