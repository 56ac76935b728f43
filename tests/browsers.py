"""A browser that is subscribed to web push: its keys, and what it reads."""

import base64
import json

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_KEY = ec.generate_private_key(ec.SECP256R1())
_SECRET = b"sixteen bytes ok"


def _as_text(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


KEYS = {
    "p256dh": _as_text(_KEY.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)),
    "auth": _as_text(_SECRET),
}


def read(body):
    """The message that its service worker gets."""
    return json.loads(http_ece.decrypt(body, private_key=_KEY, auth_secret=_SECRET, version="aes128gcm"))
