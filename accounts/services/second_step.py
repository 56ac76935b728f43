"""Two-step sign-in, turned off for people who have lost their second step."""

import logging

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.languages import as_read_by
from accounts.models import User
from accounts.services import notices

log = logging.getLogger(__name__)


def forget(user: User) -> int:
    """Remove the app, the passkeys and the recovery codes, end every session, and notify the person; returns how many.

    For operators who have checked the identity of the person. Does nothing if there are none.
    """
    with transaction.atomic():
        count: int = Authenticator.objects.filter(user=user).delete()[0]
        if not count:
            return 0
        for session in UserSession.objects.filter(user=user):
            session.end()
        now = timezone.now()
        with as_read_by(user):
            title = gettext("An operator turned off your two-step sign-in")
            body = gettext(
                "You now sign in with only your password or a code by email. If you did not ask for "
                "this, choose a new password at once and tell the operator."
            )
        notices.add(
            user,
            kind="second_step",
            key=f"second_step:{now.isoformat()}",
            subject="account",
            title=title,
            body=body,
            url=reverse("mfa_index"),
            due_at=now,
        )
    log.warning("An operator turned off two-step sign-in of person %s.", user.pk)
    return count
