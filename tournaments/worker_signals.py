"""Wake the worker for an event.

The truth is in the database (`look_at`, the version that was rated, an email’s `due_at`); this only saves the time
until the next sweep. A broker that is down must not turn a saved action into an error.
"""

from functools import partial

from django.db import transaction

from tournaments.models import Letter, Tournament
from tournaments.signals import advance_due, letter_due, ratings_due


def advance_after_commit(tournament_id: int) -> None:
    """Queue the advancing of an event once this transaction is committed."""
    transaction.on_commit(partial(advance_due.send, sender=Tournament, tournament_id=tournament_id), robust=True)


def ratings_after_commit(tournament_id: int) -> None:
    """Queue the rating of an event once this transaction is committed."""
    transaction.on_commit(partial(ratings_due.send, sender=Tournament, tournament_id=tournament_id), robust=True)


def letter_after_commit(letter_id: int) -> None:
    """Queue an invitation email once this transaction is committed."""
    transaction.on_commit(partial(letter_due.send, sender=Letter, letter_id=letter_id), robust=True)
