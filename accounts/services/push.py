"""Web push: messages to a person's browsers, by the services of those who make them.

A browser names the address to post to, so it must not lead into our own network: only https on the usual port of a
public host is taken, and `posting` connects to no address that is not public (`web.public_requests`).
"""

import base64
import json
import logging
from collections.abc import Sequence
from functools import cache

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.db.models import F
from django.shortcuts import resolve_url
from django.utils.translation import gettext, ngettext
from py_vapid import Vapid

from accounts.languages import language_of
from accounts.models import Notice, PushSubscription, User
from web.errors import Refused
from web.monitoring import counters
from web.public_addresses import parts_of

log = logging.getLogger(__name__)

MOST = 10
"""Browsers of a person that are told; the oldest goes when another comes."""
MOST_FAILURES = 10
_GONE = {404, 410}


def subscribe(user: User, *, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Subscribe this browser, for the person who signed in there last."""
    check_endpoint(endpoint)
    _check_key(p256dh, 65)
    _check_key(auth, 16)
    subscription, _ = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth, "failures": 0}
    )
    newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)[:MOST]
    user.push_subscriptions.exclude(pk__in=[*newest, subscription.pk]).delete()
    return subscription


def unsubscribe(user: User, endpoint: str) -> None:
    """Tell this browser no more. Twice does no harm."""
    user.push_subscriptions.filter(endpoint=endpoint).delete()


def check_endpoint(endpoint: str) -> None:
    """Refuse an address that is not https at a public host."""
    if parts_of(endpoint, ports={443}) is None:
        raise Refused("push_endpoint", gettext("We cannot use the push service of this browser."))


def public_key() -> str:
    """Our public key for subscribing, in URL-safe base64."""
    raw = _key().public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def send(user: User, notices: Sequence[Notice]) -> None:
    """Push these notifications to a person's browsers, in one message each. Trouble is logged, never raised."""
    if not user.notice_push:
        return
    with language_of(user):
        payload = json.dumps(message(notices))
    for subscription in user.push_subscriptions.all():
        _send_to(subscription, payload)


def message(notices: Sequence[Notice]) -> dict[str, str]:
    """The message for the service worker: a title, a text, the path to open."""
    if len(notices) == 1:
        only = notices[0]
        return {"title": only.title, "body": only.body, "url": only.url, "tag": only.subject or only.key}
    count = len(notices)
    titles = [notice.title for notice in notices[:3]]
    body = "\n".join(titles) + ("\n…" if len(notices) > 3 else "")
    return {
        "title": ngettext("%(count)s thing waits for you", "%(count)s things wait for you", count) % {"count": count},
        "body": body,
        "url": resolve_url(settings.LOGIN_REDIRECT_URL),
        "tag": "several",
    }


def _send_to(subscription: PushSubscription, payload: str) -> None:
    # It takes a tenth of the site's start to load, and only the worker ever needs it.
    from accounts.services import posting

    try:
        check_endpoint(subscription.endpoint)
        posting.post(subscription, payload, _key())
    except posting.WebPushException as error:
        _note_failure(subscription, error.response.status_code if error.response is not None else None)
    except Exception as error:
        log.warning("Push %s failed: %s", subscription.pk, type(error).__name__)
        _note_failure(subscription, None)
    else:
        counters.count(counters.NOTICES, "push", "sent")
        if subscription.failures:
            PushSubscription.objects.filter(pk=subscription.pk).update(failures=0)


def _note_failure(subscription: PushSubscription, status: int | None) -> None:
    """Forget a browser that is gone, or that failed time after time."""
    counters.count(counters.NOTICES, "push", "gone" if status in _GONE else "failed")
    if status in _GONE or subscription.failures + 1 >= MOST_FAILURES:
        PushSubscription.objects.filter(pk=subscription.pk).delete()
    else:
        PushSubscription.objects.filter(pk=subscription.pk).update(failures=F("failures") + 1)


@cache
def _key() -> Vapid:
    return Vapid.from_string(private_key=settings.VAPID_KEY)


def _check_key(value: str, size: int) -> None:
    try:
        raw = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    except ValueError:
        raw = b""
    if len(raw) != size:
        raise Refused("push_keys", gettext("We cannot use the keys that this browser sent."))
