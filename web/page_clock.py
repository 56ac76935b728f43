"""The clock of a page: the reader's, or that of the place where people meet."""

from datetime import tzinfo

from django.utils import timezone


def show(clock: tzinfo | None) -> None:
    """Show the times of the rest of this request by a clock; `None` keeps the reader's. The page names the zone."""
    if clock is not None:
        timezone.activate(clock)
