"""Messages to programs, for the schema: as `web.channels.webhook` writes them."""

from typing import Any

from drf_spectacular.utils import OpenApiWebhook, extend_schema, inline_serializer
from rest_framework import serializers

from accounts.services.mail import KIND

_SIGNED = (
    "Signed as Standard Webhooks has it, with the headers `webhook-id`, `webhook-timestamp` and"
    " `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, by the secret that was"
    " shown when the {place} was added. Any answer from 200 to 299 takes it. Without one it comes again after 6"
    " minutes, an hour and a day, with the same `webhook-id`. Redirects are not followed."
)


def words(name: str, **more: Any) -> Any:
    """The words of a message, in a schema of this name."""
    fields = {
        "title": serializers.CharField(),
        "text": serializers.CharField(help_text="Lines, without the title."),
        "url": serializers.URLField(help_text="The page with more."),
        "words": serializers.CharField(help_text="Title, lines and page as one text."),
    }
    return inline_serializer(name, {**fields, **more})


def signed_webhook(name: str, summary: str, *, kinds: list[str], data: Any, place: str) -> OpenApiWebhook:
    """Signed messages of these kinds, to a place that people call so."""
    message = {
        "type": serializers.ChoiceField(kinds, help_text="More kinds may come."),
        "timestamp": serializers.IntegerField(help_text="Seconds since 1970, UTC."),
        "data": data,
    }
    described = extend_schema(
        summary=summary,
        description=_SIGNED.format(place=place),
        request=inline_serializer(f"{name.capitalize()}Message", message),
        responses={200: None},
    )
    return OpenApiWebhook(name=name, decorator=described)


NOTIFICATIONS = signed_webhook(
    "notifications",
    "Notifications of a person, to the address of a channel of the kind Webhook",
    kinds=[KIND, "test"],
    data=words("NotificationWords"),
    place="channel",
)
