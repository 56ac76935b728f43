"""When a person's clocks stand still: saying that it changed, so that running deadlines are set anew."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from accounts.signals import free_time_changed

FIELDS = frozenset({"time_zone", "quiet_from", "quiet_until", "weekend_days"})
"""What of a person, beside the absences, says when the clocks stand still."""


def tell(user: User) -> None:
    """Say so to the apps above, once what changed is committed."""
    transaction.on_commit(lambda: free_time_changed.send(sender=User, user=user), robust=True)
