"""Receivers of signals about signing in and out, and about two-step sign-in."""

import logging
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed, password_changed, password_reset, password_set
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed, authenticator_reset, authenticator_used
from allauth.socialaccount.signals import social_account_added, social_account_removed
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts import guests, sign_in_limits, tasks, time_zones
from accounts.models import PushSubscription, User
from accounts.services import free_time, known_clients
from accounts.sessions import PUSH_KEY, SIGNED_IN_AT
from accounts.signals import notice_delivery_due
from web.task_queue import queue

log = logging.getLogger(__name__)


@receiver(user_logged_in)
def take_over_guest(sender: Any, request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    """Keep the matches played before signing up or in, and set a time zone that was never chosen."""
    if request is None or not hasattr(request, "session"):
        return
    guests.adopt(request, user)
    known_clients.remember(request, user)
    request.session[SIGNED_IN_AT] = timezone.now().isoformat()
    if user.time_zone_is_guess and time_zones.COOKIE in request.COOKIES and time_zones.guess(request) != user.time_zone:
        user.time_zone = time_zones.guess(request)
        user.save(update_fields=["time_zone"])
        free_time.announce_change(user)


@receiver(email_confirmed)
def write_again(sender: Any, email_address: EmailAddress, **kwargs: Any) -> None:
    """Resume email to an address that was confirmed."""
    stopped = User.objects.filter(pk=email_address.user_id, mail_stopped_at__isnull=False)
    stopped.update(mail_stopped_at=None, mail_stopped_for="")


@receiver([password_changed, password_set, password_reset])
def forget_other_clients(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Know this device alone after a change of password: another one may be in other hands."""
    known_clients.forget_others(request, user)
    sign_in_limits.forget_wrong_passwords(user)


@receiver(user_logged_out)
def leave_device(sender: Any, request: HttpRequest | None, user: User | None, **kwargs: Any) -> None:
    """No more push messages to a browser that one has signed out of: others may use it."""
    session = getattr(request, "session", None)
    if session is not None and user is not None and PUSH_KEY in session:
        PushSubscription.objects.filter(pk=session[PUSH_KEY], user=user).delete()


@receiver(
    [authenticator_added, authenticator_removed, authenticator_reset, social_account_added, social_account_removed]
)
def renew_session(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    """Give the session another key once its person can do more by it, or less: the old one is worth nothing then."""
    before = request.session.session_key
    request.session.cycle_key()
    UserSession.objects.filter(session_key=before).update(session_key=request.session.session_key)


@receiver(authenticator_used)
def email_recovery_code_use(sender: Any, user: User, authenticator: Authenticator, **kwargs: Any) -> None:
    """Email that a recovery code was used, because someone else may have found it."""
    if authenticator.type == Authenticator.Type.RECOVERY_CODES:
        authenticator.refresh_from_db()
        codes_left = len(authenticator.wrap().get_unused_codes())
        get_adapter().send_notification_mail("mfa/email/recovery_code_used", user, {"left": codes_left})


@receiver(notice_delivery_due)
def wake_place(*, place_id: int, **_: Any) -> None:
    """Queue the sending of notifications to a place; if the broker is down, the sweeper finds them."""
    queue(log, "notifications for place %s", place_id, tasks.send_to_place)
