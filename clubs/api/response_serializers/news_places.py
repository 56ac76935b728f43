"""Places where a club’s news goes. Nothing here has an address or a secret, except the answer that made the secret."""

from rest_framework import serializers

from clubs.api.response_serializers.acts import At, ClubDone, Text, Whole, Yes
from clubs.models import NewsDelivery
from clubs.news_places.kinds import NAMES
from gameplay.api.base import Output


class NewsPlaceShape(Output):
    """A place outside the site."""

    id = Whole()
    name = Text()
    channel = Text()
    ending = Text(help_text="The last signs of its address.")
    language = Text()
    kinds = serializers.ListField(child=serializers.ChoiceField(NAMES))
    about = Text(help_text="One of `topics`, empty for the whole club.")
    is_paused = Yes()
    has_failed = Yes(help_text="Paused because it failed.")
    has_secret = Yes(help_text="Messages there are signed.")


class NewsTopic(Output):
    """What a place can be about."""

    about = Text()
    name = Text()


class NewsKindShape(Output):
    """A kind of news."""

    kind = serializers.ChoiceField(NAMES)
    title = Text()
    when = Text()


class NewsChannel(Output):
    """A channel, and what to send as `address`."""

    channel = Text()
    title = Text()
    help = Text()


class NewsPlacesShape(Output):
    """The places of a club, and what can be chosen."""

    places = NewsPlaceShape(many=True)
    kinds = NewsKindShape(many=True)
    topics = NewsTopic(many=True)
    channels = NewsChannel(many=True)


class NewsDeliveryShape(Output):
    """A message to a place."""

    id = Whole()
    place = Whole()
    kind = Text(help_text="A kind of news, or `corrected`.")
    title = Text()
    status = serializers.ChoiceField(NewsDelivery.Status.choices)
    trouble = Text(help_text="Why it was not taken, in words; empty if it was.")
    attempts = Whole()
    created_at = At()
    due_at = At(allow_null=True, help_text="The next attempt. `null`: none, it can be sent again.")
    sent_at = At(allow_null=True)


class NewsDeliveries(Output):
    """Messages, newest first."""

    deliveries = NewsDeliveryShape(many=True)
    more = Yes()


class NewsText(Output):
    """The club’s last news of a kind as it is sent, to share by hand. Everything is empty if there is none."""

    kind = serializers.ChoiceField(NAMES)
    text = Text()
    whatsapp = Text(help_text="The link that opens WhatsApp with it.")
    picture = Text()


class PlaceDone(ClubDone):
    """The result of an action at a place, with the secret that it made."""

    secret = Text(allow_null=True, help_text="By which a program checks messages. Only here, and once.")
