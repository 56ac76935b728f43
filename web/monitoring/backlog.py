"""What waits to be done: how much, and since when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, QuerySet


@dataclass(frozen=True)
class Waiting:
    """How many rows wait, and when the first of them was due."""

    count: int
    since: datetime | None

    def seconds(self, now: datetime) -> float:
        """How long the first has waited; 0 where nothing waits."""
        return 0.0 if self.since is None else max(0.0, (now - self.since).total_seconds())


def waiting(rows: QuerySet[Any], due: str) -> Waiting:
    """Those of the rows whose field `due` says when they were to be done; one query."""
    found = rows.aggregate(count=Count("pk"), since=Min(due))
    return Waiting(found["count"], found["since"])
