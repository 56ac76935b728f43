"""What clubs send to programs, for the schema: the news of `clubs.news_places`, as `web.channels.webhook` writes it."""

from rest_framework import serializers

from clubs.news_places import corrections
from clubs.news_places.kinds import KINDS, LETTER
from gameplay.api.webhooks import signed_webhook, words

NEWS = signed_webhook(
    "news",
    "News of a club, to the address of a place of the kind Webhook",
    kinds=[*KINDS, corrections.KIND, LETTER, "test"],
    data=words(
        "NewsWords", picture=serializers.URLField(required=False, help_text="A PNG of the same, for everyone to fetch.")
    ),
    place="place",
)
