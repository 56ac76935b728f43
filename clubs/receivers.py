"""What clubs do about news of people."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.dispatch import receiver

from accounts.models import User
from accounts.signals import account_deleted


@receiver(account_deleted)
def forget(*, user: User, addresses: Collection[str] = (), **_: Any) -> None:
    """Take the name of somebody whose account is gone off clubs."""
    from clubs.services import forgetting

    forgetting.forget(user.pk, addresses)
