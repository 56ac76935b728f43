"""Series and their standings."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import Text, Whole, Yes
from gameplay.api.base import Output


class SeriesLine(Output):
    """A series: how it counts."""

    slug = Text()
    name = Text()
    first_day = serializers.DateField()
    last_day = serializers.DateField(allow_null=True)
    measure = Text(help_text="What of each evening counts: `points`, `place` or `percent`.")
    way = Text(help_text="How evenings add up: `best`, `average` or `sum`.")
    number = Whole(help_text="How many evenings count (best), or are needed (average).")
    rule = Text(help_text="The same in a sentence.")


class SeriesList(Output):
    """The series of a club."""

    series = SeriesLine(many=True)


class SeriesEvening(Output):
    """An evening that counts."""

    id = Whole(help_text="The event’s id.")
    slug = Text(help_text="The event’s slug.")
    name = Text()
    day = serializers.DateField(help_text="By the club’s clock.")
    is_within = Yes(help_text="Whether it is between the days of the series.")
    is_counted = Yes()


class SeriesPerson(Output):
    """A person in the standings."""

    rank = Whole(allow_null=True, help_text="Shared where equal; null for people with too few evenings.")
    name = Text()
    total = serializers.FloatField()
    evenings = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="The figure of each evening; null where not played."
    )
    dropped = serializers.ListField(child=Whole(), help_text="The evenings that do not count, from 0.")


class WholeSeries(SeriesLine):
    """A series with its standings."""

    evenings = SeriesEvening(many=True)
    standings = SeriesPerson(many=True)


class SeriesChoice(Output):
    """Finished events of the club that could count."""

    evenings = SeriesEvening(many=True)
