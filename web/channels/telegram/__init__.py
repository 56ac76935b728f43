"""Telegram: a bot that is a member of a group or channel."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs

from django.utils.translation import gettext_lazy

from web.channels.interface import Channel, Message, Where
from web.channels.posting import in_limit, post_json

LIMIT = 4096
_BOT = r"([0-9]{5,20}:[\w-]{20,80})"
_CHAT = r"(@\w{3,40}|-?[0-9]{3,20})"
_TYPED = re.compile(rf"{_BOT}\s+{_CHAT}", re.ASCII)
_ADDRESS = re.compile(rf"https://api\.telegram\.org/bot{_BOT}/sendMessage", re.ASCII)


def read(typed: str) -> Where | None:
    match = _TYPED.fullmatch(typed)
    if match:
        return {"token": match[1], "chat": match[2]}
    base, _, query = typed.partition("?")
    address, chat = _ADDRESS.fullmatch(base), parse_qs(query).get("chat_id", [""])[0]
    return {"token": address[1], "chat": chat} if address and re.fullmatch(_CHAT, chat, re.ASCII) else None


def write(message: Message) -> str:
    return in_limit(message, LIMIT, lambda text: len(text.encode("utf-16-le")) // 2)


def send(message: Message, where: Where) -> None:
    url = f"{where.get('base', 'https://api.telegram.org')}/bot{where['token']}/sendMessage"
    content: dict[str, Any] = {"chat_id": where["chat"], "text": write(message)}
    if message.picture:
        # The caption of a photo is shorter than most results: the picture is the preview of its own address.
        content["link_preview_options"] = {"url": message.picture, "prefer_large_media": True}
    post_json(url, content, wait_of=_wait)


def _wait(content: Mapping[str, Any]) -> float | None:
    parameters = content.get("parameters")
    return parameters.get("retry_after") if isinstance(parameters, dict) else None


def public_name(where: Where) -> str:
    return where["chat"] if where["chat"].startswith("@") else ""


CHANNEL = Channel(
    "telegram",
    "Telegram",
    gettext_lazy(
        "Ask @BotFather for a bot and add it to your group. Paste its token, a space and the chat: 123456:ABC… @harbour"
    ),
    read,
    write,
    send,
    public_name,
)
