"""Counters: in the memory of this process, saved to the database from time to time and shown at /metrics.

A count is an addition under a lock. Labels take few values: names of routes and tasks, outcomes; never people,
tables or addresses.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock

BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Seconds: durations are counted by the first of these that they do not exceed."""
SUM = "sum"
"""The part of a duration's counts that holds all its seconds."""


@dataclass(frozen=True)
class Measure:
    """A counter and its labels; `is_duration` if it counts seconds."""

    name: str
    help: str
    labels: tuple[str, ...] = ()
    is_duration: bool = False


MOVES = Measure("moves", "Moves made at tables.", ("by",))
TURNS = Measure("turns", "Turns ended at tables.")
DEALS = Measure("deals_finished", "Deals played to their end.")
REQUESTS = Measure("requests", "Requests answered.", ("route", "method", "status"))
REQUEST_SECONDS = Measure("request_seconds", "Time until the answer to a request began.", ("route",), True)
TASKS = Measure("tasks", "Tasks run by workers.", ("task", "outcome"))
TASK_SECONDS = Measure("task_seconds", "Time that a task took.", ("task",), True)
NOTICES = Measure("notices", "Messages to people: e-mails to one, and pushes to one browser.", ("channel", "outcome"))
MEASURES = (MOVES, TURNS, DEALS, REQUESTS, REQUEST_SECONDS, TASKS, TASK_SECONDS, NOTICES)

Key = tuple[str, tuple[str, ...], str]
"""The name of a measure, its labels, and the part of a duration's counts: a bound, or `SUM`."""

_lock = Lock()
_counts: defaultdict[Key, float] = defaultdict(float)
_streams = 0


def count(measure: Measure, *labels: str, times: int = 1) -> None:
    """Count something that happened, once or so many times."""
    _add({(measure.name, labels, ""): times})


def took(measure: Measure, seconds: float, *labels: str) -> None:
    """Count how long something took."""
    _add({(measure.name, labels, bound_of(seconds)): 1, (measure.name, labels, SUM): seconds})


def bound_of(seconds: float) -> str:
    """The bound that a duration is counted by, as Prometheus writes it."""
    place = bisect_left(BOUNDS, seconds)
    return str(BOUNDS[place]) if place < len(BOUNDS) else "+Inf"


def take_counts() -> dict[Key, float]:
    """Take the counts since the last time, and reset them."""
    with _lock:
        counts = dict(_counts)
        _counts.clear()
    return counts


def return_counts(counts: Mapping[Key, float]) -> None:
    """Return counts that could not be saved, for the next time."""
    _add(counts)


def stream_opened() -> None:
    """Count a new live connection."""
    _change_streams(1)


def stream_closed() -> None:
    """Count the end of a live connection."""
    _change_streams(-1)


def streams() -> int:
    """The live connections that this process holds."""
    return _streams


def _add(counts: Mapping[Key, float]) -> None:
    with _lock:
        for key, times in counts.items():
            _counts[key] += times


def _change_streams(by: int) -> None:
    global _streams
    with _lock:
        _streams += by
