"""News of tables for the apps above. Each is sent after commit."""

from django.dispatch import Signal

table_started = Signal()
"""A match began. Argument: `table_id`."""

table_over = Signal()
"""A match ended, played out, forfeited or abandoned. Argument: `table_id`."""
