"""A person's browsers: subscribed and told by web push (`web.channels.web_push`), and forgotten when they are gone."""

import logging
from collections.abc import Sequence

from django.conf import settings
from django.db.models import F
from django.shortcuts import resolve_url
from django.utils.translation import gettext, ngettext

from accounts.languages import language_of
from accounts.models import Notice, PushSubscription, User
from accounts.services.mail import KIND
from web.channels import web_push
from web.channels.interface import Failed, Message
from web.errors import Refused
from web.monitoring import counters

log = logging.getLogger(__name__)

MOST = 10
"""Browsers of a person that are told; the oldest goes when another comes."""
MOST_FAILURES = 10


def subscribe(user: User, *, endpoint: str, p256dh: str, auth: str) -> PushSubscription:
    """Subscribe this browser, for the person who signed in there last."""
    if not web_push.can_post_to(endpoint):
        raise Refused("push_endpoint", gettext("We cannot use the push service of this browser."))
    if not web_push.has_keys(p256dh, auth):
        raise Refused("push_keys", gettext("We cannot use the keys that this browser sent."))
    subscription, _ = PushSubscription.objects.update_or_create(
        endpoint=endpoint, defaults={"user": user, "p256dh": p256dh, "auth": auth, "failures": 0}
    )
    newest = user.push_subscriptions.order_by("-pk").values_list("pk", flat=True)[:MOST]
    user.push_subscriptions.exclude(pk__in=[*newest, subscription.pk]).delete()
    return subscription


def unsubscribe(user: User, endpoint: str) -> None:
    """Tell this browser no more. Twice does no harm."""
    user.push_subscriptions.filter(endpoint=endpoint).delete()


def send(user: User, notices: Sequence[Notice]) -> None:
    """Push these notifications to a person's browsers, in one message each. Trouble is logged, never raised."""
    if not user.notice_push:
        return
    with language_of(user):
        message = message_of(notices)
    for subscription in user.push_subscriptions.all():
        _send_to(subscription, message)


def message_of(notices: Sequence[Notice]) -> Message:
    """One message for all these notifications, with the path to open. The next one with its key replaces it."""
    if len(notices) == 1:
        only = notices[0]
        return Message(only.subject or only.key, KIND, only.title, only.body, only.url)
    count = len(notices)
    title = ngettext("%(count)s thing waits for you", "%(count)s things wait for you", count) % {"count": count}
    titles = [notice.title for notice in notices[:3]]
    text = "\n".join(titles) + ("\n…" if len(notices) > 3 else "")
    return Message("several", KIND, title, text, resolve_url(settings.LOGIN_REDIRECT_URL))


def _send_to(subscription: PushSubscription, message: Message) -> None:
    where = {name: getattr(subscription, name) for name in ("endpoint", "p256dh", "auth")}
    try:
        web_push.CHANNEL.deliver(message, where)
    except Failed as failed:
        log.warning("Push %s was not taken: %s", subscription.pk, failed.trouble)
        _note_failure(subscription, is_gone=failed.trouble == "gone")
    else:
        counters.count(counters.NOTICES, "push", "sent")
        if subscription.failures:
            PushSubscription.objects.filter(pk=subscription.pk).update(failures=0)


def _note_failure(subscription: PushSubscription, *, is_gone: bool) -> None:
    """Forget a browser that is gone, or that failed time after time."""
    counters.count(counters.NOTICES, "push", "gone" if is_gone else "failed")
    if is_gone or subscription.failures + 1 >= MOST_FAILURES:
        PushSubscription.objects.filter(pk=subscription.pk).delete()
    else:
        PushSubscription.objects.filter(pk=subscription.pk).update(failures=F("failures") + 1)
