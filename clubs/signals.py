"""What is due in clubs, for the queue. Each is sent after commit."""

from django.dispatch import Signal

invitation_due = Signal()
"""A letter of invitation is to be sent. Argument: `letter_id`."""

newsletter_due = Signal()
"""Copies of a newsletter are to be sent. Argument: `newsletter_id`."""
