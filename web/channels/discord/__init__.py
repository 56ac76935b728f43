"""Discord: webhooks of a channel."""

import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.utils.translation import gettext_lazy

from web.channels.interface import Channel, Message, Where
from web.channels.posting import in_limit, post_json

LIMIT = 2000
_ADDRESS = re.compile(
    r"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/([0-9]+)/([\w-]+)(?:/slack|/github)?/?(?:\?\S*)?",
    re.ASCII,
)
_MARKS = re.compile(r"([\\*_~`|>#\[\]])|^(\s*)([-+]|[0-9]+\.)(?=\s)", re.MULTILINE)
_URL = re.compile(r"(https?://\S+)")


def read(typed: str) -> Where | None:
    match = _ADDRESS.fullmatch(typed)
    if match is None:
        return None
    thread = parse_qs(urlsplit(typed).query).get("thread_id", [""])[0]
    where = {"url": f"https://discord.com/api/webhooks/{match[1]}/{match[2]}"}
    return {**where, "thread": thread} if thread.isascii() and thread.isdecimal() else where


def plain(text: str) -> str:
    """Text whose signs are no marks of Discord; addresses stay as they are."""
    parts = _URL.split(text)
    return "".join(part if at % 2 else _MARKS.sub(_escaped, part) for at, part in enumerate(parts))


def _escaped(match: re.Match[str]) -> str:
    if match[1]:
        return f"\\{match[1]}"
    mark = match[3]
    return f"{match[2]}{mark[:-1]}\\{mark[-1]}"


def write(message: Message) -> str:
    return in_limit(message, LIMIT, lambda text: len(plain(text)) + len("<>"))


def send(message: Message, where: Where) -> None:
    # Names in it ping nobody.
    content: dict[str, Any] = {"content": plain(write(message)), "allowed_mentions": {"parse": []}}
    if message.picture:
        # An address in such brackets brings no picture of its own.
        if message.url:
            content["content"] = f"{content['content'].removesuffix(message.url)}<{message.url}>"
        content["embeds"] = [{"image": {"url": message.picture}}]
    thread = f"&thread_id={where['thread']}" if where.get("thread") else ""
    post_json(f"{where['url']}?wait=true{thread}", content)


CHANNEL = Channel(
    "discord",
    "Discord",
    gettext_lazy("In Discord: Edit Channel, Integrations, Webhooks, Copy Webhook URL."),
    read,
    write,
    send,
)
