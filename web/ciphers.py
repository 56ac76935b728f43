"""Secrets as they are stored: a copy of the database alone does not give them away."""

import base64
from hashlib import sha256

from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes


def cipher(purpose: bytes) -> MultiFernet:
    """Encrypts with SECRET_KEY, for one purpose, and still decrypts with its fallbacks."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(sha256(purpose + force_bytes(key)).digest())) for key in keys])
