"""Waiting work: how much, and since when."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, QuerySet


@dataclass(frozen=True)
class Waiting:
    """The number of waiting rows, and the time when the first was due."""

    count: int
    since: datetime | None

    def seconds(self, now: datetime) -> float:
        """Waiting time of the first; 0 if nothing waits."""
        return 0.0 if self.since is None else max(0.0, (now - self.since).total_seconds())


def waiting(rows: QuerySet[Any], due: str) -> Waiting:
    """The waiting rows; `due` is the field with their time. One query."""
    totals = rows.aggregate(count=Count("pk"), since=Min(due))
    return Waiting(totals["count"], totals["since"])
