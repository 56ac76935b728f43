"""Unsafe settings: the messages of `manage.py check`, with remedies.

Settings that cannot work, or would make processes disagree, are errors of every check. Dangers only to a site that
others can reach are reported by `check --deploy`: a private site needs no mail server.
"""

import base64
import binascii
import ipaddress
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register

LEAST_KEY = 50
"""Characters of a secret key that nobody guesses, as Django counts."""
ORDER_OF_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""A private key of web push is a number from 1 to this less one."""
LOCAL_CACHES = ("locmem", "filebased", "dummy")
SILENT_MAIL = ("console", "filebased", "locmem", "dummy")
"""Parts of the names of Django's backends that reach no other process, and nobody's mailbox."""


@dataclass(frozen=True)
class Danger:
    """A danger: its id, a sentence about it, one about its remedy, and whether it is there."""

    id: str
    """`E001` is an error, `W001` a warning."""
    sentence: str
    mend: str
    is_there: Callable[[], bool]

    def message(self) -> CheckMessage:
        kind = Error if self.id.startswith("E") else Warning
        return kind(self.sentence, hint=self.mend, id=f"foothold.{self.id}")


def is_local() -> bool:
    """Whether only this machine can ask for the site."""
    host = urlsplit(settings.SITE_URL).hostname or ""
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


def is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def has_odd_address() -> bool:
    """Whether SITE_URL is anything but `https://host` or `http://host:port`."""
    try:
        parts = urlsplit(settings.SITE_URL)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return True
    plain = f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{'' if port is None else f':{port}'}"
    is_odd = parts.scheme not in ("http", "https") or not host or "*" in host or host.startswith(".")
    return is_odd or settings.SITE_URL.lower() != plain


def is_no_key_of_push() -> bool:
    key = settings.VAPID_KEY
    try:
        raw = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    except (ValueError, binascii.Error):
        return True
    return len(raw) != 32 or not 0 < int.from_bytes(raw) < ORDER_OF_P256


def is_mail_sent() -> bool:
    return not any(f".{name}." in settings.EMAIL_BACKEND for name in SILENT_MAIL)


def is_mail_open() -> bool:
    """Whether the mail server's password travels unprotected to another machine."""
    host = settings.EMAIL_HOST or ""
    is_here = host in ("", "localhost") or is_loopback(host)
    is_protected = settings.EMAIL_USE_TLS or settings.EMAIL_USE_SSL
    return is_mail_sent() and bool(settings.EMAIL_HOST_PASSWORD) and not is_here and not is_protected


def is_cache_local() -> bool:
    return any(f".{name}." in settings.CACHES["default"]["BACKEND"] for name in LOCAL_CACHES)


def is_log_loud() -> bool:
    logs: dict[str, Any] = settings.LOGGING
    return bool(logs["root"]["level"] == "DEBUG")


ALWAYS: Sequence[Danger] = (
    Danger(
        "E001",
        "The site runs on several machines, but its database is a file on one of them.",
        "Set DATABASE_URL to a PostgreSQL that all machines reach: postgres://user:password@host:port/name.",
        lambda: settings.SEVERAL_MACHINES and settings.DATABASES["default"]["ENGINE"].endswith("sqlite3"),
    ),
    Danger(
        "E002",
        "The site runs on several machines, but its queue is on one of them.",
        "Set CELERY_BROKER_URL to a Redis or a RabbitMQ that all machines reach: redis://… or amqp://….",
        lambda: settings.SEVERAL_MACHINES and settings.CELERY_BROKER_URL.startswith(("fsx:", "memory:", "filesystem:")),
    ),
    Danger(
        "E003",
        "Several page processes each have a cache of their own, so each counts sign-in attempts separately.",
        "Set CACHE_URL to a Redis that all processes reach: redis://host:port/1.",
        lambda: settings.SEVERAL_PROCESSES and is_cache_local(),
    ),
    Danger(
        "E004",
        "Each of several machines creates a SECRET_KEY of its own, so sessions and links work on one only.",
        "Set the same SECRET_KEY on all machines: the output of one `openssl rand -hex 32`.",
        lambda: settings.SEVERAL_MACHINES and "SECRET_KEY" in settings.UNSAID,
    ),
    Danger(
        "E005",
        "Each of several machines creates a VAPID_KEY of its own, so browsers get no push messages.",
        "Set the same VAPID_KEY on all machines: `openssl rand -base64 32 | tr '+/' '-_' | tr -d '='` makes one.",
        lambda: settings.SEVERAL_MACHINES and "VAPID_KEY" in settings.UNSAID,
    ),
    Danger(
        "E006",
        "VAPID_KEY is not a valid key, so no push message can be sent.",
        "Use 32 random bytes in URL-safe base64: `openssl rand -base64 32 | tr '+/' '-_' | tr -d '='` makes them.",
        is_no_key_of_push,
    ),
    Danger(
        "E007",
        "SITE_URL is not a site address, so the site answers no host name, or any.",
        "Use only scheme and host name, such as https://foothold.example.",
        has_odd_address,
    ),
)
DEPLOYED: Sequence[Danger] = (
    Danger(
        "E008",
        "DEBUG is on, and others can reach the site. Its error pages show code, settings and hidden cards.",
        "Remove DEBUG.",
        lambda: settings.DEBUG and not is_local(),
    ),
    Danger(
        "E009",
        "bin/serve creates the demo, and others can reach the site. The demo's passwords are public.",
        "Set DEMO to no, and delete the accounts it created.",
        lambda: settings.IS_DEMO and not is_local(),
    ),
    Danger(
        "E010",
        "SECRET_KEY can be guessed. Anyone who has it can sign in as anyone.",
        "Set SECRET_KEY to the output of `openssl rand -hex 32`. Everyone must then sign in again.",
        lambda: len(settings.SECRET_KEY) < LEAST_KEY or len(set(settings.SECRET_KEY)) < 5,
    ),
    Danger(
        "W001",
        "SITE_URL is not https, and others can reach the site. Passwords and cards can be read in transit.",
        "Put a TLS proxy in front, and set SITE_URL to https://…. Cookies, redirects and HSTS follow from it.",
        lambda: not settings.IS_HTTPS and not is_local(),
    ),
    Danger(
        "W002",
        "Email is printed and not sent, so nobody gets sign-in links or reminders.",
        "Set EMAIL_URL to a mail server: smtp+tls://user:password@host:587.",
        lambda: not is_mail_sent(),
    ),
    Danger(
        "W003",
        "Emails come from an invented address, and mail servers can treat them as forged.",
        "Set EMAIL_FROM to an address that the server of EMAIL_URL can send for.",
        lambda: is_mail_sent() and "EMAIL_FROM" in settings.UNSAID,
    ),
    Danger(
        "W004",
        "The password of the mail server can be read in transit.",
        "Start EMAIL_URL with smtp+tls:// (port 587) or smtp+ssl:// (port 465).",
        is_mail_open,
    ),
    Danger(
        "W005",
        "X-Forwarded-For and X-Forwarded-Proto are trusted, but PROXY_COUNT is not set.",
        "Set PROXY_COUNT to the number of your proxies, usually 1. Allow access to the web server only through them.",
        lambda: settings.PROXY_COUNT > 0 and "PROXY_COUNT" in settings.UNSAID,
    ),
    Danger(
        "W006",
        "At this LOG_LEVEL libraries log everything they send and receive, including tokens and addresses.",
        "Set LOG_LEVEL to INFO or WARNING.",
        is_log_loud,
    ),
)


@register(Tags.security)
def always(app_configs: object, **options: Any) -> list[CheckMessage]:
    """Problems of any site."""
    return messages(ALWAYS)


@register(Tags.security, deploy=True)
def deployed(app_configs: object, **options: Any) -> list[CheckMessage]:
    """Dangers of a site that others can reach."""
    return messages(DEPLOYED)


def messages(dangers: Iterable[Danger]) -> list[CheckMessage]:
    return [danger.message() for danger in dangers if danger.is_there()]
