"""Requests and responses of a person's own channels."""

from typing import Any

from rest_framework import serializers

from accounts.notice_places.services import LONGEST_NAME
from accounts.notice_places.topics import TOPICS
from gameplay.api.base import Input, Output
from web.channels.known import LONGEST


def _topics(**options: Any) -> serializers.ListField:
    child = serializers.ChoiceField(list(TOPICS))
    return serializers.ListField(
        child=child, max_length=len(TOPICS), help_text="What goes there, at least one.", **options
    )


def _name(**options: Any) -> serializers.CharField:
    return serializers.CharField(max_length=LONGEST_NAME, allow_blank=True, help_text="Such as “Phone”.", **options)


class OwnChannel(Output):
    """A channel that your notifications go to."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="One of `kinds` in `channels/`.")
    name = serializers.CharField()
    ending = serializers.CharField(help_text="The last signs of its address.")
    topics = serializers.ListField(child=serializers.ChoiceField(list(TOPICS)))
    is_paused = serializers.BooleanField()
    has_failed = serializers.BooleanField(help_text="Paused because it failed.")
    has_secret = serializers.BooleanField(help_text="Messages there are signed.")
    trouble = serializers.CharField(help_text="Why the last message was not taken, in the list. Else empty.")


class OwnTopic(Output):
    """Notifications that can go there."""

    topic = serializers.CharField()
    title = serializers.CharField()
    example = serializers.CharField()


class ChannelKind(Output):
    """A kind of channel, and what to send as `address`."""

    kind = serializers.CharField()
    title = serializers.CharField()
    help = serializers.CharField()


class Channels(Output):
    """Your channels, and what can be chosen."""

    channels = OwnChannel(many=True)
    topics = OwnTopic(many=True)
    kinds = ChannelKind(many=True)


class ChannelDone(Output):
    """The channel as it is now."""

    channel = OwnChannel()
    secret = serializers.CharField(
        allow_null=True, help_text="By which a program checks messages. Only in the answer that made it."
    )


class NewChannel(Input):
    address = serializers.CharField(max_length=LONGEST, help_text="As the channel gives it; see `help` of `kinds`.")
    topics = _topics()
    name = _name(default="")


class ChangeChannel(Input):
    topics = _topics(required=False)
    name = _name(required=False)


class PauseChannel(Input):
    is_paused = serializers.BooleanField(default=True)
