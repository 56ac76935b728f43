"""Places where a club’s news goes."""

from rest_framework import serializers

from clubs.api.request_serializers.acts import A_PAGE, ClubActing, ClubKeyed, number, text
from clubs.news_places.kinds import NAMES
from gameplay.api.base import Input
from web.channels.known import LONGEST

LONGEST_TOPIC = 40


def kinds() -> serializers.ListField:
    """Kinds of news."""
    return serializers.ListField(
        child=serializers.ChoiceField(NAMES), max_length=len(NAMES), help_text="The news that goes there."
    )


class NewPlace(ClubKeyed):
    address = serializers.CharField(
        max_length=LONGEST, help_text="As the channel gives it; see `help` of `channels` in `news-places/`."
    )
    name = text(60, default="")
    kinds = kinds()
    about = text(LONGEST_TOPIC, default="", help_text="One of `topics` in `news-places/`; empty for the whole club.")


class ChangePlace(ClubActing):
    name = text(60)
    kinds = kinds()
    about = text(LONGEST_TOPIC, required=False, help_text="As for a new place. Left out: stays.")


class PausePlace(ClubActing):
    is_paused = serializers.BooleanField(default=True)


class PlaceAddress(ClubKeyed):
    address = serializers.CharField(max_length=LONGEST, help_text="As for a new place.")


class WhichDeliveries(Input):
    place = number(required=False, help_text="The id of a place. Left out: all.")
    before = number(required=False, help_text="The last id you have. Newest first.")
    limit = serializers.IntegerField(default=50, min_value=1, max_value=A_PAGE)


class WhichNewsText(Input):
    kind = serializers.ChoiceField(NAMES, default="standings")
