"""Web push: browsers that people subscribed, by the services of those who make them.

A browser names the address to post to, so it must not lead into our own network: only https on the usual port of a
public host is taken, and no connection is made to an address that is not public (`web.public_requests`).
"""

import base64
import json
import time
from bisect import bisect_right
from email.utils import parseaddr
from functools import cache
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid

from web.channels.interface import Channel, Failed, Message, Where, read_nothing
from web.channels.posting import send as send_to
from web.public_addresses import parts_of

LIMIT = 3993
"""Bytes of a message: services take 4096 of it encrypted (RFC 8030, 7.2; RFC 8291, 4)."""
LONGEST_TITLE = 200
STORED = 24 * 3600
"""Seconds a service stores a message for a device that is off."""
SIGNED = 12 * 3600
"""Seconds for which the signature of a message is good."""
GONE = frozenset({404, 410})
"""Answers that say that a browser is no longer subscribed; other refusals are about us."""


def can_post_to(endpoint: str) -> bool:
    """Whether an address is by https at a public host."""
    return parts_of(endpoint, ports={443}) is not None


def has_keys(p256dh: str, auth: str) -> bool:
    """Whether these are the keys of a browser: a point on the curve P-256, and 16 bytes."""
    return _size(p256dh) == 65 and _size(auth) == 16


def _size(value: str) -> int:
    try:
        return len(base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)))
    except ValueError:
        return 0


def public_key() -> str:
    """Our public key for subscribing, in URL-safe base64."""
    raw = _key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


@cache
def _key() -> Vapid:
    return Vapid.from_string(private_key=settings.VAPID_KEY)


def write(message: Message) -> str:
    """Title and text; the address opens with a click."""
    return "\n\n".join(filter(None, (message.title[:LONGEST_TITLE], _body(message))))


def _body(message: Message) -> str:
    """The text, cut so that the whole content keeps to the limit."""
    text = message.text
    if len(_content(message, text)) <= LIMIT:
        return text
    fitting = bisect_right(range(len(text)), LIMIT, key=lambda size: len(_content(message, f"{text[:size]}…")))
    return f"{text[: max(fitting - 1, 0)]}…"


def _content(message: Message, body: str) -> bytes:
    """What the service worker reads. The key of a message is its tag: the next one with the same replaces it."""
    content = {"title": message.title[:LONGEST_TITLE], "body": body, "url": message.url, "tag": message.key}
    return json.dumps(content, ensure_ascii=False).encode()


def send(message: Message, where: Where) -> None:
    """Send a message to a browser, encrypted for it. `where` has its `endpoint`, `p256dh` and `auth`."""
    # It takes a tenth of the site's start to load, and only the worker ever needs it.
    from pywebpush import WebPusher

    if not can_post_to(where["endpoint"]):
        raise Failed("not_reached")
    browser = {"endpoint": where["endpoint"], "keys": {"p256dh": where["p256dh"], "auth": where["auth"]}}
    content = WebPusher(browser).encode(_content(message, _body(message)))["body"]
    send_to("POST", where["endpoint"], content, headers=_headers(where["endpoint"]), gone=GONE)


def _headers(endpoint: str) -> dict[str, str]:
    """The headers of a message, signed with our key for the service at this address (RFC 8292)."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + SIGNED,
        "sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}",
    }
    return {
        "Authorization": _key().sign(claims)["Authorization"],
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(STORED),
    }


CHANNEL = Channel("web_push", "Web push", "", read_nothing, write, send)
