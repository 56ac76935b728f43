"""Imports and exports."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, Text, Whole, Yes
from gameplay.api.base import Output


class LastTaken(Output):
    """The last export of the club."""

    at = At()
    by = Text()


class CorrectedSeason(Output):
    """An imported season with results corrected since then."""

    league = Text()
    season = Text()
    name = Text()


class DataState(Output):
    """The state of a club’s data."""

    last_taken = LastTaken(allow_null=True)
    corrected = CorrectedSeason(many=True, help_text="Seasons that `rank-anew/` would change.")


class LineProblem(Output):
    """A problem with a file."""

    line = Whole(help_text="0 if it concerns the whole file.")
    sentence = Text()


class PastRow(Output):
    """A team in the standings of the preview."""

    place = Text()
    name = Text()
    is_new = Yes(help_text="Whether the team is new to the league.")
    played = Whole()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    difference = Whole(help_text="Of card points.")
    points = Text()


class PastTable(Output):
    """The standings of a division in the preview."""

    division = Text()
    rows = PastRow(many=True)


class PastSeasonTables(Output):
    """A season in the preview."""

    season = Text()
    tables = PastTable(many=True)


class PastOutlook(Output):
    """The preview of an import. Empty if there are problems."""

    can_bring = Yes()
    lines = Whole(help_text="Lines with content, without the titles.")
    encoding = Text()
    unknown = serializers.ListField(child=Text(), help_text="Titles of unused columns.")
    is_ambiguous = Yes(help_text="Whether dates are ambiguous. Choose with `dates`.")
    problems = LineProblem(many=True)
    seasons = PastSeasonTables(many=True)
    matches = Whole()
    known = serializers.ListField(child=Text(), help_text="Teams that are already in the league.")
    new = serializers.ListField(child=Text())
    people = serializers.ListField(child=Text(), help_text="Names that would be added to the club’s list.")
    doubtful = serializers.ListField(
        child=Text(), help_text="Names that several people in the club have. They stay names without a member."
    )
