"""Web push: messages to push services, over connections that do not lead into our own network.

Nothing is sent to an address that is not public, regardless of the name that resolved to it, and no redirect is
followed. Its dependencies take long to load: import it only to send something.
"""

import ipaddress
import socket
from email.utils import parseaddr
from typing import Any

import requests
from django.conf import settings
from py_vapid import Vapid
from pywebpush import WebPushException as WebPushException
from pywebpush import webpush
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPSConnection
from urllib3.connectionpool import HTTPSConnectionPool
from urllib3.exceptions import NewConnectionError

from accounts.models import PushSubscription

TIMEOUT = 5.0
"""Seconds a push service has to take a message."""
KEPT = 24 * 3600
"""Seconds a push service keeps a message for a device that is off."""


def post(subscription: PushSubscription, payload: str, key: Vapid) -> None:
    """Send a browser a message, signed with our key. Raises `WebPushException` if its service does not take it."""
    with _public_session() as session:
        webpush(
            {"endpoint": subscription.endpoint, "keys": {"p256dh": subscription.p256dh, "auth": subscription.auth}},
            payload,
            vapid_private_key=key,
            vapid_claims={"sub": _contact()},
            ttl=KEPT,
            timeout=TIMEOUT,
            requests_session=session,
        )


def _contact() -> str:
    """The contact for push services."""
    return f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"


class _PublicConnection(HTTPSConnection):
    """Hangs up before sending anything if the other end is not public, regardless of the name."""

    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn()
        if not ipaddress.ip_address(connected.getpeername()[0].partition("%")[0]).is_global:
            connected.close()
            raise NewConnectionError(self, "not a public address")
        return connected


class _PublicPool(HTTPSConnectionPool):
    ConnectionCls = _PublicConnection


class _PublicAdapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"https": _PublicPool}


class _PublicSession(requests.Session):
    def request(self, *args: Any, **kwargs: Any) -> requests.Response:
        return super().request(*args, **{**kwargs, "allow_redirects": False})


def _public_session() -> requests.Session:
    session = _PublicSession()
    session.trust_env = False
    session.mount("https://", _PublicAdapter())
    return session
