"""Signals of due work in events, for the queue. Each is sent after commit."""

from django.dispatch import Signal

advance_due = Signal()
"""A decision was made and its consequences must be worked out. Argument: `tournament_id`."""

ratings_due = Signal()
"""Results of an event that has begun may have changed. Argument: `tournament_id`."""

letter_due = Signal()
"""An invitation email must be sent. Argument: `letter_id`."""
