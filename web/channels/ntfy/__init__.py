"""ntfy: topics that phones subscribe to."""

import re
from dataclasses import replace

from django.utils.translation import gettext_lazy

from web.channels.interface import Channel, Message, Where
from web.channels.posting import in_limit, post_json

LIMIT = 4096
"""Bytes; a longer message becomes a file there."""
LONGEST_TITLE = 200
_TYPED = re.compile(r"(https://ntfy\.[\w.-]+(?::[0-9]+)?)/([\w-]{1,64})/?(?:\s+(tk_\w+))?", re.ASCII)


def read(typed: str) -> Where | None:
    match = _TYPED.fullmatch(typed)
    return {"server": match[1], "topic": match[2], "token": match[3] or ""} if match else None


def write(message: Message) -> str:
    return in_limit(message, LIMIT, lambda text: len(text.encode()))


def send(message: Message, where: Where) -> None:
    headers = {"Authorization": f"Bearer {where['token']}"} if where.get("token") else {}
    content = {
        "topic": where["topic"],
        "title": message.title[:LONGEST_TITLE],
        "message": write(replace(message, title="")),
        "click": message.url,
        "attach": message.picture,
    }
    post_json(f"{where['server']}/", {name: value for name, value in content.items() if value}, headers=headers)


CHANNEL = Channel(
    "ntfy",
    "ntfy",
    gettext_lazy(
        "The address of your topic, such as https://ntfy.sh/harbour-9xk2. If it needs a token: a space and the token."
    ),
    read,
    write,
    send,
)
