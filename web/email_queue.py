"""Emails that wait in rows of the database: each is claimed and sent once, and again if its worker dies in between."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone

from web.channels.retries import SENDING_TIME
from web.monitoring.backlog import Waiting, waiting

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class EmailQueue:
    """The emails of a model that are not sent, each due from a time on."""

    unsent: Callable[[], QuerySet[Any]]
    """Without a join: an update would then look its rows up first, and two at once would both claim an email."""
    kind: str
    """What one of them is, for the log."""
    at_once: int = 50
    """The most that are sent in one go."""
    field: str = "due_at"
    """The field with the time."""

    def due(self) -> QuerySet[Any]:
        """The emails that are due."""
        return self.unsent().filter(**{f"{self.field}__lte": Now()})

    def claim(self, pk: int) -> bool:
        """Whether an email is due, and nobody else sends it from now on. No transaction may wait for a mail server."""
        return bool(self.due().filter(pk=pk).update(**{self.field: timezone.now() + SENDING_TIME}))

    def send_due(self, send: Callable[[int], bool]) -> None:
        """Send what is due, such as after a lost task or a dead worker."""
        self.send_each(self.due().order_by(self.field, "pk")[: self.at_once], send)

    def send_each(self, due: QuerySet[Any], send: Callable[[int], bool]) -> None:
        """Send some of the emails. One that fails stops no other."""
        for pk in list(due.values_list("pk", flat=True)):
            try:
                send(pk)
            except Exception as error:
                log.error("%s %s could not be sent: %s", self.kind, pk, type(error).__name__)

    def waiting(self) -> Waiting:
        """How many are due, and since when."""
        return waiting(self.due(), self.field)
