"""Slack: incoming webhooks of a channel."""

import re
from typing import Any

from django.utils.translation import gettext_lazy

from web.channels.interface import Channel, Message, Where
from web.channels.posting import in_limit, post_json

LIMIT = 3000
_ADDRESS = re.compile(r"(https://hooks\.slack(?:-gov)?\.com/(?:services|workflows)/[\w/-]+)(?:\?\S*)?", re.ASCII)


def read(typed: str) -> Where | None:
    match = _ADDRESS.fullmatch(typed)
    return {"url": match[1]} if match else None


def plain(text: str) -> str:
    """Text with the three signs escaped that Slack reads."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def write(message: Message) -> str:
    return in_limit(message, LIMIT, lambda text: len(plain(text)))


def send(message: Message, where: Where) -> None:
    content: dict[str, Any] = {"text": plain(write(message)), "mrkdwn": False}
    if message.picture:
        picture = {"type": "image", "image_url": message.picture, "alt_text": message.title}
        content |= {"unfurl_links": False, "attachments": [{"blocks": [picture]}]}
    post_json(where["url"], content)


CHANNEL = Channel(
    "slack",
    "Slack",
    gettext_lazy("In Slack: create an app with incoming webhooks, add one to your channel and copy its URL."),
    read,
    write,
    send,
)
