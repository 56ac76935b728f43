"""What is due in events, for the queue. Each is sent after commit."""

from django.dispatch import Signal

advance_due = Signal()
"""Something was decided, and what follows from it is to be worked out. Argument: `tournament_id`."""

ratings_due = Signal()
"""Results of an event that has begun may have changed. Argument: `tournament_id`."""

letter_due = Signal()
"""A letter of invitation to an entry is to be sent. Argument: `letter_id`."""
