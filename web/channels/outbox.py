"""An outbox: each message for a place is sent once, tried again with growing gaps, and then its place rests.

A message is claimed before it is sent. If its worker dies in between, or no answer comes, nobody knows if it arrived:
it is sent again only where the other side knows it again.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Model, QuerySet
from django.utils import timezone

from web.channels.interface import Failed, Message, Where
from web.channels.known import CHANNELS
from web.channels.retries import SENDING_TIME, next_step, send_each
from web.channels.troubles import Then
from web.monitoring import counters
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)

AT_ONCE = 200


@dataclass(frozen=True)
class Outbox:
    """The messages of a model with a `message_key`, `place`, `status`, `trouble`, `attempts`, `due_at` and `sent_at`."""

    model: type[Model]
    related: tuple[str, ...]
    """What is loaded with a message."""
    prepare: Callable[[Any], tuple[Message, Where] | None]
    """A message and where it goes; `None` deletes it, unless it was settled. Raises `Failed`."""
    awake: Callable[[Any, datetime], datetime]
    """The first moment, not before this one, at which a message does not disturb its readers."""
    let_rest: Callable[[Any, str], None]
    """Pause a place because of a trouble, and tell people."""
    can_wait: Callable[[Any], bool] = lambda row: True
    """Whether a message that is late waits until its readers are awake."""
    after: Callable[[Any], None] = lambda row: None
    """What follows a message that was taken."""

    def send_of(self, place_id: int) -> None:
        """Send what is due for one place. Safe to run twice and at once."""
        send_each(self.due().filter(place=place_id), self.send)

    def send_due(self) -> None:
        """Send everything that is due, such as after a lost task or a dead worker."""
        send_each(self.due()[:AT_ONCE], self.send)

    def send(self, pk: int) -> bool:
        """Send one message if it is due; whether it was taken. Safe to run twice and at once."""
        row = self.due().select_related(*self.related).filter(pk=pk).first()
        if row is None or self._postpone(row):
            return False
        self._note_broken_off(row)
        claimed = self._claim(pk)
        return claimed is not None and self._send(claimed)

    def due(self, now: datetime | None = None) -> QuerySet[Any]:
        """The messages that are due and not sent yet, in order."""
        return self.model._default_manager.filter(due_at__lte=now or timezone.now()).order_by("due_at", "pk")

    def waiting(self) -> Waiting:
        """How many are due, and since when."""
        return waiting(self.due().order_by(), "due_at")

    def late(self) -> QuerySet[Any]:
        """Messages that should have been sent a while ago."""
        return self.due(timezone.now() - SENDING_TIME).order_by()

    def settle(self, row: Any, status: str, trouble: str = "") -> bool:
        """Note how a message that is being sent ended; whether it still was."""
        sent_at = timezone.now() if status == "sent" else None
        return self.change(row, status=status, trouble=trouble, due_at=None, sent_at=sent_at)

    def change(self, row: Any, **values: object) -> bool:
        """Change a message that is being sent; whether it still was, in the same attempt."""
        return bool(self._being_sent(row).update(**values))

    def _being_sent(self, row: Any) -> QuerySet[Any]:
        return self.model._default_manager.filter(pk=row.pk, status="sending", attempts=row.attempts)

    def _postpone(self, row: Any) -> bool:
        """Let a message that is late wait until its readers are awake; whether it does."""
        now = timezone.now()
        if row.status != "waiting" or not self.can_wait(row) or (then := self.awake(row, now)) == now:
            return False
        return bool(self.due().order_by().filter(pk=row.pk, status="waiting").update(due_at=then))

    def _note_broken_off(self, row: Any) -> None:
        """Count a sending that never came to its end as a failure, at the time when it began."""
        if row.status == "sending":
            self._fail(row, Failed("broke_off"), row.due_at - SENDING_TIME)

    def _claim(self, pk: int) -> Any | None:
        """A message that nobody else sends now; `None` if somebody does, or its place has just been removed."""
        until = timezone.now() + SENDING_TIME
        due = self.due().order_by().filter(pk=pk)
        if not due.update(status="sending", due_at=until, attempts=F("attempts") + 1):
            return None
        return self.model._default_manager.select_related(*self.related).filter(pk=pk).first()

    def _send(self, row: Any) -> bool:
        channel = row.place.channel
        try:
            prepared = self.prepare(row)
            if prepared is None:
                self._being_sent(row).delete()
                return False
            CHANNELS[channel].deliver(*prepared)
        except Failed as failed:
            self._fail(row, failed, timezone.now())
            return False
        counters.count(counters.NOTICES, channel, "sent")
        self.settle(row, "sent")
        self.after(row)
        return True

    def _fail(self, row: Any, failed: Failed, at: datetime) -> None:
        """Note a trouble at a time: tried again later, left to people, or its place rests."""
        place, trouble = row.place, failed.trouble
        log.warning("%s was not taken by %s: %s", row.message_key, place.channel, trouble)
        counters.count(counters.NOTICES, place.channel, "failed")
        then, pause = next_step(CHANNELS.get(place.channel), failed, row.attempts)
        if then is Then.ASK:
            self.settle(row, "unsure", trouble)
        elif then is Then.AGAIN:
            self.change(row, status="waiting", trouble=trouble, due_at=self.awake(row, at + pause))
        elif self.settle(row, "failed", trouble):
            self.let_rest(place, trouble)
