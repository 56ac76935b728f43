"""Statistics: records, what teams and people did, how a division went, two teams against each other."""

from __future__ import annotations

from rest_framework import serializers

from clubs.api.shapes.acts import Text, Whole
from gameplay.api.plumbing import Output


class RecordHolder(Output):
    """Who holds a record, and where it was set."""

    team = Text()
    other = Text(help_text="The other team of the match; empty for a run.")
    score = Text()
    where = Text()
    url = Text(help_text="The page of the match.")


class RecordShape(Output):
    """A record."""

    title = Text()
    value = Text()
    holders = RecordHolder(many=True)
    others = Whole(help_text="How many more hold it.")


class TallyShape(Output):
    """What one side came to over its matches."""

    played = Whole()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    average = Whole(allow_null=True, help_text="Card points a match, rounded.")
    average_against = Whole(allow_null=True)
    highest = Whole(allow_null=True)
    deals_with_books = Whole(help_text="Deals of which books are known.")
    books = Whole(help_text="In those deals.")
    went_out_first = Whole(help_text="How many of those deals it ended by going out.")


class TeamTally(TallyShape):
    """What a team did."""

    league = Text()
    team = Whole(help_text="Its number.")
    name = Text()
    longest_wins = Whole()
    longest_unbeaten = Whole()


class PersonTally(TallyShape):
    """What somebody did, over the sides they played for."""

    membership = Whole(allow_null=True, help_text="`null` for who has left the club.")
    name = Text()
    teams = Text()


class Statistics(Output):
    """What some matches come to."""

    matches = Whole()
    walkovers = Whole()
    deals = Whole(help_text="Known from score sheets and online tables.")
    records = RecordShape(many=True)
    teams = TeamTally(many=True)
    people = PersonTally(many=True)


class MatchdayAverage(Output):
    """What the matches of a matchday were like."""

    matchday = Whole()
    matches = Whole()
    score = Whole(allow_null=True, help_text="Card points a side.")
    gap = Whole(allow_null=True, help_text="Card points between the two sides.")
    books = Text(help_text="Books a side and deal, such as `2.4`; empty where none are known.")


class CourseLine(Output):
    """A team after each matchday."""

    team = Whole()
    name = Text()
    places = serializers.ListField(child=Whole())
    points = serializers.ListField(child=Text())


class DivisionCourse(Output):
    """How a division went."""

    division = Text()
    level = Whole()
    matchdays = serializers.ListField(child=Whole())
    teams = CourseLine(many=True, help_text="In the order of the last matchday.")


class SeasonStatistics(Statistics):
    """The same of a season, matchday by matchday."""

    averages = MatchdayAverage(many=True)
    course = DivisionCourse(allow_null=True, help_text="`null` before the first result.")


class TeamMet(Output):
    """A team that can be compared."""

    team = Whole()
    name = Text()


class MeetingShape(Output):
    """A match of two teams."""

    id = Whole()
    where = Text()
    score = Text(help_text="As the first team has it.")
    url = Text()


class MeetingsShape(Output):
    """Two teams against each other, from the side of the first."""

    sentence = Text()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    scored = Whole(help_text="Card points.")
    conceded = Whole()
    matches = MeetingShape(many=True, help_text="The last first.")


class HeadToHead(Output):
    """Two teams against each other, and which teams can be compared."""

    teams = TeamMet(many=True)
    one = TeamMet(allow_null=True)
    other = TeamMet(allow_null=True)
    met = MeetingsShape(allow_null=True, help_text="`null` unless two different teams are asked for.")
