"""Webhooks for programs, signed as Standard Webhooks has it (https://www.standardwebhooks.com)."""

import base64
import hashlib
import hmac
import json
import re
import secrets
import time

from django.utils.translation import gettext_lazy

from web.channels.interface import Channel, Message, Where
from web.channels.posting import in_limit
from web.channels.posting import send as send_to
from web.public_addresses import parts_of

LIMIT = 16000
PREFIX = "whsec_"


def read(typed: str) -> Where | None:
    """Any address by https; each gets a secret of its own."""
    if parts_of(typed) is None or re.search(r"\s", typed):
        return None
    return {"url": typed, "secret": new_secret()}


def new_secret() -> str:
    """A secret by which a program checks what it gets."""
    return PREFIX + base64.b64encode(secrets.token_bytes(24)).decode()


def write(message: Message) -> str:
    return in_limit(message, LIMIT)


def send(message: Message, where: Where) -> None:
    at = int(time.time())
    data = {"title": message.title, "text": message.text, "url": message.url, "words": write(message)}
    if message.picture:
        data["picture"] = message.picture
    body = json.dumps({"type": message.kind, "timestamp": at, "data": data}).encode()
    signed = {
        "webhook-id": message.key,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(where["secret"], message.key, at, body),
    }
    send_to("POST", where["url"], body, headers=signed)


def signature(secret: str, key: str, at: int, body: bytes) -> str:
    """`v1,` and the HMAC (SHA-256) of id, time and body, in base64."""
    signer = base64.b64decode(secret.removeprefix(PREFIX))
    content = f"{key}.{at}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(signer, content, hashlib.sha256).digest()).decode()


CHANNEL = Channel(
    "webhook",
    "Webhook",
    gettext_lazy("Any other address by https: a program there gets JSON, signed with a secret that you see once."),
    read,
    write,
    send,
    knows_again=True,
)
