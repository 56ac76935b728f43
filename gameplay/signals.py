"""Signals of tables, for the apps above and for the queue. Each is sent after commit."""

from django.dispatch import Signal

table_started = Signal()
"""A match began. Argument: `table_id`."""

table_over = Signal()
"""A match ended, played out, forfeited or abandoned. Argument: `table_id`."""

bot_due = Signal()
"""A bot, or a standing order, is to move. Argument: `table_id`."""

invitation_due = Signal()
"""An email with an invitation is due. Argument: `invitation_id`."""

deadline_near = Signal()
"""A deadline of an evening passes soon. Argument: `seconds` until then."""

review_due = Signal()
"""The review of a deal is to be worked out. Argument: `review_id`."""
