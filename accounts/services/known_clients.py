"""Devices and networks that an account knows, because somebody signed in to it from there.

OWASP’s “device cookies”: wrong passwords from a known device or network are counted for it alone, and those of all
strangers together. So strangers lock out one another, and not the owner. Nobody signs in by being known.

A device has a cookie with a random token for each account, which is replaced at each sign-in and names no account. The
database has digests of the token, and of the network address, made for one account with the site’s key.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts import addresses
from accounts.models import KnownClient, User
from accounts.retention import KNOWN_FOR

COOKIE = f"{settings.COOKIE_PREFIX}known_device"
MOST_ACCOUNTS = 8
"""Accounts that know one device; one more makes the device forget the first."""
MOST = 20
"""Devices, and networks, that an account knows."""
_SIGNER = "accounts.known_clients"


@dataclass(frozen=True)
class Client:
    """Where a request comes from, as one account sees it."""

    network: str
    known: str
    """The digest of the known device or network; empty for strangers."""
    is_device: bool


def network_of(request: HttpRequest) -> str:
    """The network of a request; empty if it has none."""
    return addresses.network_of(addresses.address_of(request))


def recognise(request: HttpRequest, user: User | None) -> Client:
    """Whether the account knows the device or the network of this request; the same work without an account."""
    pk, network = user.pk if user is not None else 0, network_of(request)
    devices = [digest for token in _tokens(request) for digest in _digests(pk, token)]
    rows = _still_known().filter(user_id=pk, digest__in=[*devices, *_digests(pk, network)])
    kinds = {row.kind: row.digest for row in rows}
    known = kinds.get(KnownClient.Kind.DEVICE) or kinds.get(KnownClient.Kind.NETWORK) or ""
    return Client(network, known, KnownClient.Kind.DEVICE in kinds)


def remember(request: HttpRequest, user: User) -> None:
    """Make the device and the network of this request known to the account; `add_cookie` sends the new token."""
    if "REMOTE_ADDR" not in request.META:
        return
    tokens, fresh = _tokens(request), secrets.token_urlsafe(24)
    with transaction.atomic():
        devices = user.known_clients.filter(kind=KnownClient.Kind.DEVICE)
        for token in tokens:
            if devices.filter(digest__in=_digests(user.pk, token)).update(
                digest=_digests(user.pk, fresh)[0], last_at=timezone.now()
            ):
                tokens = [other for other in tokens if other != token]
                break
        else:
            _note(user, KnownClient.Kind.DEVICE, fresh)
        _note(user, KnownClient.Kind.NETWORK, network_of(request))
        for kind in KnownClient.Kind:
            rows = user.known_clients.filter(kind=kind)
            last = rows.order_by("-last_at", "-pk").values_list("pk", flat=True)[:MOST]
            rows.exclude(pk__in=list(last)).delete()
    request.known_device_tokens = [*tokens, fresh][-MOST_ACCOUNTS:]  # type: ignore[attr-defined]


def forget_others(request: HttpRequest, user: User) -> None:
    """Forget all that the account knows, but for the device and the network of this request."""
    with transaction.atomic():
        user.known_clients.all().delete()
        remember(request, user)


def add_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Send the cookie of a device that has just become known."""
    tokens = getattr(request, "known_device_tokens", None)
    if tokens is not None:
        response.set_cookie(
            COOKIE,
            Signer(salt=_SIGNER).sign_object(tokens),
            max_age=KNOWN_FOR[KnownClient.Kind.DEVICE],
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )


def _tokens(request: HttpRequest) -> list[str]:
    """The tokens of the request’s cookie; none if it is not ours."""
    fresh = getattr(request, "known_device_tokens", None)
    if fresh is not None:
        return list(fresh)
    try:
        tokens = Signer(salt=_SIGNER).unsign_object(request.COOKIES.get(COOKIE, ""))
    except (BadSignature, ValueError):
        return []
    return list(tokens)[:MOST_ACCOUNTS]


def _digests(pk: int, secret: str) -> list[str]:
    """Digests of a token or network for one account: by the site’s key first, then by its former ones."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [
        salted_hmac("accounts.known_clients", f"{pk}:{secret}", secret=key, algorithm="sha256").hexdigest()
        for key in keys
    ]


def _note(user: User, kind: KnownClient.Kind, secret: str) -> None:
    digest, now = _digests(user.pk, secret)[0], timezone.now()
    KnownClient.objects.update_or_create(user=user, digest=digest, defaults={"kind": kind, "last_at": now})


def _still_known() -> QuerySet[KnownClient]:
    now, fits = timezone.now(), Q()
    for kind, time in KNOWN_FOR.items():
        fits |= Q(kind=kind, last_at__gt=now - time)
    return KnownClient.objects.filter(fits)
