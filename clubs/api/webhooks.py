"""What clubs send to programs, for the schema: the news of `clubs.news_places`, as `web.channels.webhook` writes it."""

from drf_spectacular.utils import OpenApiWebhook, extend_schema, inline_serializer
from rest_framework import serializers

from clubs.news_places import corrections
from clubs.news_places.kinds import KINDS, LETTER

_DATA = inline_serializer(
    "NewsWords",
    {
        "title": serializers.CharField(),
        "text": serializers.CharField(help_text="Lines, such as results and standings."),
        "url": serializers.URLField(help_text="The page with more."),
        "words": serializers.CharField(help_text="Title, lines and page as one text."),
        "picture": serializers.URLField(required=False, help_text="A PNG of the same, for everyone to fetch."),
    },
)
_MESSAGE = inline_serializer(
    "NewsMessage",
    {
        "type": serializers.ChoiceField([*KINDS, corrections.KIND, LETTER, "test"], help_text="More kinds may come."),
        "timestamp": serializers.IntegerField(help_text="Seconds since 1970, UTC."),
        "data": _DATA,
    },
)
NEWS = OpenApiWebhook(
    name="news",
    decorator=extend_schema(
        summary="News of a club, to the address of a place of the kind Webhook",
        description=(
            "Signed as Standard Webhooks has it, with the headers `webhook-id`, `webhook-timestamp` and"
            " `webhook-signature`: `v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, by the secret that was"
            " shown when the place was added. Any answer from 200 to 299 takes it. Without one it comes again after 6"
            " minutes, an hour and a day, with the same `webhook-id`. Redirects are not followed."
        ),
        request=_MESSAGE,
        responses={200: None},
    ),
)
