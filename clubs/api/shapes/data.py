"""What is brought in and taken away."""

from __future__ import annotations

from rest_framework import serializers

from clubs.api.shapes.acts import At, Text, Whole, Yes
from gameplay.api.plumbing import Output


class LastTaken(Output):
    """When the club was last taken away as a file."""

    at = At()
    by = Text()


class CorrectedSeason(Output):
    """A season that was brought in, and whose results were corrected since."""

    league = Text()
    season = Text()
    name = Text()


class DataState(Output):
    """What the page of a club’s data says."""

    last_taken = LastTaken(allow_null=True)
    corrected = CorrectedSeason(many=True, help_text="Those that `rank-anew/` would change.")


class LineProblem(Output):
    """What is wrong with a file."""

    line = Whole(help_text="0 where it concerns the whole.")
    sentence = Text()


class PastRow(Output):
    """A team in a table as it would be."""

    place = Text()
    name = Text()
    is_new = Yes(help_text="Whether the league does not know the team yet.")
    played = Whole()
    won = Whole()
    drawn = Whole()
    lost = Whole()
    difference = Whole(help_text="Of card points.")
    points = Text()


class PastTable(Output):
    """The table of a division as it would be."""

    division = Text()
    rows = PastRow(many=True)


class PastSeasonTables(Output):
    """A season as it would be."""

    season = Text()
    tables = PastTable(many=True)


class PastOutlook(Output):
    """What bringing a file in would make; with problems, nothing."""

    can_bring = Yes()
    lines = Whole(help_text="Lines that hold something, the titles aside.")
    encoding = Text()
    unknown = serializers.ListField(child=Text(), help_text="Titles of columns that nothing is taken from.")
    is_ambiguous = Yes(help_text="Whether dates could be read in two ways: say which by `dates`.")
    problems = LineProblem(many=True)
    seasons = PastSeasonTables(many=True)
    matches = Whole()
    known = serializers.ListField(child=Text(), help_text="Teams that the league has already.")
    new = serializers.ListField(child=Text())
    people = serializers.ListField(child=Text(), help_text="Names that would be added to the club’s list.")
    doubtful = serializers.ListField(
        child=Text(), help_text="Names that several people of the club have: they are left as names."
    )
