"""The processes of the site: each tells every few seconds that it is there, and takes to the database what it counted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.db.models import Max
from django.db.models.functions import Now

from gameplay.models import Process, Tally
from web.monitoring.counters import Key

SILENCE = timedelta(minutes=1)
"""A process tells every fifteen seconds, and the clock wakes the worker for deadlines as often: what has been silent for so
long is gone."""
FORGOTTEN = timedelta(days=1)
"""Of a process that is gone, the row is deleted after this."""


def tell(key: str, role: str, streams: int, counts: Mapping[Key, float]) -> None:
    """A process is there; what it counted is added to what all of them did. Either both are kept or neither."""
    with transaction.atomic():
        Process.objects.bulk_create(
            [Process(key=key, role=role, at=Now(), streams=streams)],
            update_conflicts=True,
            unique_fields=["key"],
            update_fields=["at", "streams"],
        )
        _add(counts)


def last_told() -> dict[str, datetime]:
    """When a process of each role told last, of the roles that ever did lately."""
    return dict(Process.objects.values_list("role").annotate(Max("at")))


def there() -> list[tuple[str, int]]:
    """Role and live connections of each process that is there."""
    return list(Process.objects.filter(at__gte=Now() - SILENCE).values_list("role", "streams"))


def is_there(role: str) -> bool:
    """Whether a process of this role has told lately."""
    return Process.objects.filter(role=role, at__gte=Now() - SILENCE).exists()


def forget_gone() -> None:
    """Delete the rows of processes that are long gone."""
    Process.objects.filter(at__lt=Now() - FORGOTTEN).delete()


def counts() -> dict[Key, float]:
    """What all processes counted since the site began."""
    rows = Tally.objects.values_list("measure", "labels", "part", "value")
    return {(measure, tuple(json.loads(labels)), part): value for measure, labels, part, value in rows}


def _add(counts: Mapping[Key, float]) -> None:
    # In one order, so that two processes do not wait for each other.
    rows = sorted((name, json.dumps(labels), part, value) for (name, labels, part), value in counts.items())
    with connection.cursor() as cursor:
        for start in range(0, len(rows), 200):
            some = rows[start : start + 200]
            places = ", ".join(["(%s, %s, %s, %s)"] * len(some))
            cursor.execute(f"{_ADD[0]} {places} {_ADD[1]}", [value for row in some for value in row])


_ADD = (
    "INSERT INTO gameplay_tally (measure, labels, part, value) VALUES",
    "ON CONFLICT (measure, labels, part) DO UPDATE SET value = gameplay_tally.value + excluded.value",
)
