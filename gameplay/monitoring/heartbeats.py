"""Heartbeats of the site's processes: each reports every few seconds, and saves its counts to the database."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Max
from django.db.models.functions import Now

from gameplay.models import Process, Tally
from web.monitoring.counters import Key

SILENCE = timedelta(minutes=1)
"""Processes report every fifteen seconds, and the clock wakes the worker for deadlines as often: silence of this length
means that they are gone.
"""


def tell(key: str, role: str, streams: int, counts: Mapping[Key, float], lanes: Iterable[str] = ()) -> None:
    """Save a heartbeat and add the counts of a process. Either both are saved or neither."""
    with transaction.atomic():
        Process.objects.bulk_create(
            [Process(key=key, role=role, at=Now(), streams=streams, lanes=" ".join(lanes))],
            update_conflicts=True,
            unique_fields=["key"],
            update_fields=["at", "streams"],
        )
        _add(counts)


def last_told() -> dict[str, datetime]:
    """The last report of each role that recently had a process."""
    return dict(Process.objects.values_list("role").annotate(Max("at")))


def there() -> list[tuple[str, int]]:
    """Role and live connections of each process that is there."""
    return list(Process.objects.filter(at__gte=Now() - SILENCE).values_list("role", "streams"))


def workers_by_lane() -> dict[str, int]:
    """The number of workers that are there for each lane."""
    rows = Process.objects.filter(role=Process.Role.WORKER, at__gte=Now() - SILENCE).values_list("lanes", flat=True)
    counts = Counter(lane for lanes in rows for lane in lanes.split())
    return {lane: counts[lane] for lane in settings.LANES}


def lanes_without_worker() -> list[str]:
    """The lanes whose tasks nobody does at present."""
    return [lane for lane, workers in workers_by_lane().items() if not workers]


def is_there(role: str) -> bool:
    """Whether a process of this role has reported recently."""
    return Process.objects.filter(role=role, at__gte=Now() - SILENCE).exists()


def counts() -> dict[Key, float]:
    """The counts of all processes since the first start."""
    rows = Tally.objects.values_list("measure", "labels", "part", "value")
    return {(measure, tuple(json.loads(labels)), part): value for measure, labels, part, value in rows}


def _add(counts: Mapping[Key, float]) -> None:
    # In one order, so that two processes do not wait for each other.
    rows = sorted((name, json.dumps(labels), part, value) for (name, labels, part), value in counts.items())
    with connection.cursor() as cursor:
        for start in range(0, len(rows), 200):
            some = rows[start : start + 200]
            places = ", ".join(["(%s, %s, %s, %s)"] * len(some))
            cursor.execute(f"{_ADD[0]} {places} {_ADD[1]}", [value for values in some for value in values])


_ADD = (
    "INSERT INTO gameplay_tally (measure, labels, part, value) VALUES",
    "ON CONFLICT (measure, labels, part) DO UPDATE SET value = gameplay_tally.value + excluded.value",
)
