"""Statistics: records, totals of teams and people, progress of a division, two teams against each other."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import Text, Whole
from gameplay.api.base import Output


class RecordHolder(Output):
    """The holder of a record, and its match."""

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
    others = Whole(help_text="Number of other holders.")


class TallyShape(Output):
    """The totals of one side over its matches."""

    played = Whole()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    average = Whole(allow_null=True, help_text="Card points per match, rounded.")
    average_against = Whole(allow_null=True)
    highest = Whole(allow_null=True)
    deals_with_books = Whole(help_text="Deals with known books.")
    books = Whole(help_text="In those deals.")
    went_out_first = Whole(help_text="Number of those deals that it ended by going out.")


class TeamTally(TallyShape):
    """The totals of a team."""

    league = Text()
    team = Whole(help_text="Its number.")
    name = Text()
    longest_wins = Whole()
    longest_unbeaten = Whole()


class PersonTally(TallyShape):
    """The totals of a person, over all their sides."""

    membership = Whole(allow_null=True, help_text="`null` for former members.")
    name = Text()
    teams = Text()


class Statistics(Output):
    """Statistics of a set of matches."""

    matches = Whole()
    walkovers = Whole()
    deals = Whole(help_text="Known from score sheets and online tables.")
    records = RecordShape(many=True)
    teams = TeamTally(many=True)
    people = PersonTally(many=True)


class MatchdayAverage(Output):
    """The averages of a matchday."""

    matchday = Whole()
    matches = Whole()
    score = Whole(allow_null=True, help_text="Card points per side.")
    gap = Whole(allow_null=True, help_text="Card points between the two sides.")
    books = Text(help_text="Books per side and deal, such as `2.4`. Empty if none are known.")


class CourseLine(Output):
    """A team after each matchday."""

    team = Whole()
    name = Text()
    places = serializers.ListField(child=Whole())
    points = serializers.ListField(child=Text())


class DivisionCourse(Output):
    """The course of a division."""

    division = Text()
    level = Whole()
    matchdays = serializers.ListField(child=Whole())
    teams = CourseLine(many=True, help_text="In the order of the last matchday.")


class SeasonStatistics(Statistics):
    """Statistics of a season, matchday by matchday."""

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
    score = Text(help_text="From the side of the first team.")
    url = Text()


class MeetingsShape(Output):
    """Two teams against each other, from the side of the first."""

    sentence = Text()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    scored = Whole(help_text="Card points.")
    conceded = Whole()
    matches = MeetingShape(many=True, help_text="Newest first.")


class HeadToHead(Output):
    """Two teams against each other, and which teams can be compared."""

    teams = TeamMet(many=True)
    one = TeamMet(allow_null=True)
    other = TeamMet(allow_null=True)
    met = MeetingsShape(allow_null=True, help_text="`null` unless two different teams are asked for.")
