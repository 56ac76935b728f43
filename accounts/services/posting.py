"""Web push: messages to push services, over connections that do not lead into our own network.

Its dependencies take long to load: import it only to send something.
"""

from email.utils import parseaddr

from django.conf import settings
from py_vapid import Vapid
from pywebpush import WebPushException as WebPushException
from pywebpush import webpush

from accounts.models import PushSubscription
from web.public_requests import public_session

TIMEOUT = 5.0
"""Seconds a push service has to take a message."""
KEPT = 24 * 3600
"""Seconds a push service keeps a message for a device that is off."""


def post(subscription: PushSubscription, payload: str, key: Vapid) -> None:
    """Send a browser a message, signed with our key. Raises `WebPushException` if its service does not take it."""
    with public_session() as session:
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
