"""Sending what is due, and what follows a message that was not taken: it is sent again after growing gaps, then its
place rests."""

from collections.abc import Callable
from datetime import timedelta
from math import ceil
from time import monotonic
from typing import Any

from django.db.models import QuerySet

from web.channels.interface import Channel, Failed
from web.channels.troubles import Then, follows

GAPS = (timedelta(minutes=6), timedelta(hours=1), timedelta(days=1))
"""Pauses before a message is tried again; after the last one its place rests."""
LONGEST_WAIT = timedelta(days=1)
SENDING_TIME = timedelta(minutes=10)
"""Time after which a sending that broke off is looked at again."""
SLOW = 3.0
"""Seconds for one message, after which a place has had enough of a worker that sends other letters too."""


def send_each(due: QuerySet[Any], send: Callable[[int], bool]) -> None:
    """Send messages in order. A place that does not take one, or takes its time, gets the others in the next minute."""
    slow = set()
    for pk, place in list(due.values_list("pk", "place")):
        if place in slow:
            continue
        started = monotonic()
        send(pk)
        if monotonic() - started > SLOW or due.model._default_manager.filter(pk=pk).exclude(trouble="").exists():
            slow.add(place)


def next_step(channel: Channel | None, failed: Failed, attempts: int) -> tuple[Then, timedelta]:
    """What follows after so many attempts, and the pause before the next one: what the other side asks for counts too.

    A message of which nobody knows if it came is sent again only where the other side knows it again.
    """
    then = follows(failed.trouble)
    if then is Then.ASK and channel is not None and channel.knows_again:
        then = Then.AGAIN
    if then is not Then.AGAIN:
        return then, timedelta(0)
    if attempts > len(GAPS):
        return Then.END, timedelta(0)
    seconds = ceil(min(failed.after or 0, LONGEST_WAIT.total_seconds()))
    return then, max(GAPS[max(attempts, 1) - 1], timedelta(seconds=seconds))
