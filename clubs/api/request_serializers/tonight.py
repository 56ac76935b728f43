"""Tonight: scores that are typed, people here, publishing."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import ClubKeyed, number
from gameplay.api.base import Input

MOST_TABLES = 200
MOST_SCORES = 200
MOST_ABSENT = 512


class TypedResult(Input):
    match = number(help_text="The id of the match.")
    scores = serializers.ListField(
        child=serializers.IntegerField(allow_null=True, min_value=-10_000_000, max_value=10_000_000),
        max_length=MOST_SCORES,
        help_text="Card points of each side in order, null for those to come; with several boards those of each in turn.",
    )
    version = serializers.IntegerField(
        default=0, min_value=0, help_text="The version you have seen, 0 for none. Both are shown if others typed since."
    )
    is_kept = serializers.BooleanField(default=False, help_text="Whether unusual scores are right.")


class TypedResults(Input):
    results = serializers.ListField(child=TypedResult(), min_length=1, max_length=MOST_TABLES)


class PublishTonight(ClubKeyed):
    """Publish every complete result."""


class PeopleHere(ClubKeyed):
    event = number(help_text="The id of the event.")
    absent = serializers.ListField(
        child=number(), max_length=MOST_ABSENT, help_text="Ids of entries that are not here."
    )
