"""Free time, in which a person's clocks are paused: signals its changes, so that running deadlines are set again."""

from django.db import transaction

from accounts.models import User
from accounts.signals import free_time_changed

FIELDS = frozenset({"time_zone", "quiet_from", "quiet_until", "weekend_days"})
"""Fields of a person that, with the absences, pause the clocks."""


def announce_change(user: User) -> None:
    """Send the signal after commit, for the apps above."""
    transaction.on_commit(lambda: free_time_changed.send(sender=User, user=user), robust=True)
