"""Matrix: rooms of an account of the club's own."""

import json
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext_lazy

from web.channels.interface import Channel, Message, Where
from web.channels.posting import in_limit
from web.channels.posting import send as send_to

LIMIT = 16000
PICTURE = "foothold.picture"
"""A field of our own: pictures that apps show by themselves must be on the server of the room."""
_HOST = r"[a-zA-Z0-9.-]+(?::[0-9]+)?"
_TYPED = re.compile(rf"(?:(https://{_HOST})/?\s+)?(![^\s:]+):({_HOST})\s+([\w~.=+/-]{{10,400}})", re.ASCII)


def read(typed: str) -> Where | None:
    match = _TYPED.fullmatch(typed)
    if match is None:
        return None
    return {"server": match[1] or f"https://{match[3]}", "room": f"{match[2]}:{match[3]}", "token": match[4]}


def write(message: Message) -> str:
    return in_limit(message, LIMIT)


def send(message: Message, where: Where) -> None:
    content = {"msgtype": "m.text", "body": write(message)}
    if message.picture:
        content[PICTURE] = message.picture
    room, key = quote(where["room"], safe=""), quote(message.key, safe="")
    send_to(
        "PUT",
        f"{where['server']}/_matrix/client/v3/rooms/{room}/send/m.room.message/{key}",
        json.dumps(content).encode(),
        headers={"Authorization": f"Bearer {where['token']}"},
        wait_of=_wait,
    )


def _wait(content: Mapping[str, Any]) -> float | None:
    milliseconds = content.get("retry_after_ms")
    return None if milliseconds is None else milliseconds / 1000


CHANNEL = Channel(
    "matrix",
    "Matrix",
    gettext_lazy(
        "Its server, the room’s ID and an access token, with spaces between: https://matrix.org !room:matrix.org syt_…"
    ),
    read,
    write,
    send,
    knows_again=True,
)
