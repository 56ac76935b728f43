"""Seasons, their standings, and previews of their next big actions."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import Day, Text, Whole, Yes
from clubs.api.response_serializers.leagues import HonourShape, SeasonLine
from clubs.api.response_serializers.matches import FixtureShape
from clubs.models import SeasonEvent
from gameplay.api.base import Output


class DivisionShape(Output):
    """A division of a season."""

    id = Whole()
    level = Whole(help_text="1 is the top one.")
    name = Text()
    size = Whole()
    event = Text(allow_null=True, help_text="The slug of its event, which also has rounds, results and standings.")
    teams = serializers.ListField(child=Whole(), help_text="Numbers of teams, in the order of the draw.")


class SeasonEventShape(Output):
    """A cup or a play-off."""

    id = Whole()
    kind = serializers.ChoiceField(SeasonEvent.Kind.choices)
    name = Text()
    border = Whole(allow_null=True)
    event = Text(help_text="The slug of its event.")


class DayOff(Output):
    """Days without play, for everyone or for one team."""

    id = Whole()
    first_day = Day()
    last_day = Day()
    team = Whole(allow_null=True)
    reason = Text()


class WholeSeason(SeasonLine):
    """A season with its divisions."""

    ruleset = Text()
    house_rules = Text(allow_null=True, help_text="The `ref` of its house rules version.")
    rules = serializers.DictField()
    plan = serializers.DictField()
    settings = serializers.DictField()
    days = Whole()
    play_days = Whole()
    plays_at = serializers.TimeField(allow_null=True)
    swaps_sides = Yes()
    up = serializers.ListField(child=Whole())
    down = serializers.ListField(child=Whole())
    divisions = DivisionShape(many=True)
    events = SeasonEventShape(many=True)
    days_off = DayOff(many=True)
    honours = HonourShape(many=True)


class TableRow(Output):
    """A team in a table."""

    place = Text()
    team = Whole()
    name = Text()
    played = Whole()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    scored = Whole()
    conceded = Whole()
    difference = Whole()
    points = Text()
    form = serializers.ListField(child=Text(), help_text="W, D or L, oldest first.")
    best = Whole(allow_null=True, help_text="The best place it can still reach.")
    worst = Whole(allow_null=True)
    ties = serializers.ListField(child=Text(), help_text="Letters of the sentences in `ties`.")
    note = Text()
    cuts = serializers.ListField(child=Text(), help_text="The text of the lines below this row.")


class TieShape(Output):
    """The reason why one of two tied neighbours is ahead."""

    letter = Text()
    sentence = Text()


class LeagueTable(Output):
    """The standings of a division."""

    division = Text()
    level = Whole()
    rows = TableRow(many=True)
    ties = TieShape(many=True)
    played = Whole()
    matches = Whole()
    is_over = Yes()


class LeagueTables(Output):
    """The standings of a season, top division first."""

    tables = LeagueTable(many=True)


class SeasonOutlook(Output):
    """The preview of the next big action, and its obstacles."""

    can_do = Yes()
    wrong = serializers.ListField(child=Text(), help_text="Obstacles, a sentence each.")
    notes = serializers.ListField(child=Text(), help_text="Warnings, a sentence each.")


# Previews


class PlannedMatch(Output):
    """A match in the preview of the draw."""

    home = Whole(help_text="The number of the team.")
    away = Whole()
    clashes = serializers.ListField(child=Text(), help_text="Reasons against its days, a sentence each.")


class PlannedDay(Output):
    """A matchday in the preview of the draw."""

    number = Whole()
    first_day = Day()
    last_day = Day()
    moved = Text(help_text="The reason why it is later than usual, or empty.")
    matches = PlannedMatch(many=True)
    byes = serializers.ListField(child=Whole())


class PlannedDivision(Output):
    """A division in the preview of the draw."""

    division = Text()
    level = Whole()
    teams = serializers.ListField(child=Whole(), help_text="Numbers of teams, in the order of the draw.")
    matchdays = PlannedDay(many=True)


class DrawOutlook(SeasonOutlook):
    """The preview of a season’s draw."""

    divisions = PlannedDivision(many=True)


class FinalRow(Output):
    """A team’s final place."""

    team = Whole()
    name = Text()
    place = Whole()
    is_shared = Yes()
    note = Text(help_text="`champion`, `promoted to Premier`; empty for none.")


class FinalTable(Output):
    """The final places of a division."""

    division = Text()
    level = Whole()
    rows = FinalRow(many=True)


class CloseOutlook(SeasonOutlook):
    """The preview of closing a season."""

    divisions = FinalTable(many=True)


class NextPlace(Output):
    """The next division of a team, and the reason."""

    team = Whole()
    name = Text()
    step = serializers.ChoiceField(["up", "down", "stays", "joins", "leaves"])
    why = Text()


class NextDivision(Output):
    """A division of the next season."""

    name = Text()
    size = Whole()
    teams = NextPlace(many=True)


class NextOutlook(SeasonOutlook):
    """The preview of the next season."""

    divisions = NextDivision(many=True)
    leaving = NextPlace(many=True)


class PlayoffCandidate(Output):
    """A team in a play-off by the current standings."""

    team = Whole()
    name = Text()
    division = Text()
    place = Whole()


class PlayoffBorder(Output):
    """A possible play-off."""

    border = Whole(help_text="0 for the championship, 1 between the top two divisions, and so on.")
    name = Text()
    candidates = PlayoffCandidate(many=True)


class PlayoffBorders(Output):
    """Possible play-offs and their teams."""

    borders = PlayoffBorder(many=True)


class DeskDivision(Output):
    """The progress of a division."""

    division = Text()
    level = Whole()
    left = Whole(help_text="Matches without a result.")
    matchday = Whole(allow_null=True, help_text="The one that is played now, or is next.")


class SeasonDesk(Output):
    """Tasks for an organiser in a season under way."""

    divisions = DeskDivision(many=True)
    disputed = FixtureShape(many=True, help_text="Results disputed by the other side.")
    reported = FixtureShape(many=True, help_text="Results that nobody has confirmed.")
    proposed = FixtureShape(many=True, help_text="Proposed times without an answer.")
    overdue = FixtureShape(many=True, help_text="Matches without a result after their deadline.")
    later = FixtureShape(many=True, help_text="Matches put off to a day after their matchday.")
    matchdays = serializers.ListField(child=Whole(), help_text="Matchdays that are not over in every division.")


class SeedLine(Output):
    """A team at its seed."""

    seed = Whole()
    team = Whole()
    name = Text()


class CupSeeds(Output):
    """The seeding order of teams in the preview."""

    seeds = SeedLine(many=True)
