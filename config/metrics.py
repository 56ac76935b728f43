"""/metrics: counters of all processes and current gauges, for Prometheus.

The processes save their counts to the database every few seconds, so that any one of them answers for all, however
many there are and wherever they run; gauges are read on request. Both cost a bounded number of queries.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.notice_places import sending as notice_sending
from accounts.services import notices
from clubs.coming import letters as coming_letters
from clubs.news_places import changes as news_changes
from clubs.news_places import sending as news_sending
from clubs.services.members import member_invitations
from clubs.services.publications import newsletter_sending
from config.celery import app
from gameplay.models import Process
from gameplay.monitoring import backlog, heartbeats
from gameplay.services import invitations
from tournaments.services.entries import invitation_emails
from web.monitoring.backlog import Waiting
from web.monitoring.counters import BOUNDS, MEASURES, SUM, Key, Measure
from web.server import asgi

if TYPE_CHECKING:  # the library loads with the first request
    from prometheus_client import Metric

log = logging.getLogger(__name__)

QUEUES: dict[str, Callable[[], Waiting]] = {
    "notices": notices.waiting_to_be_sent,
    "own_places": notice_sending.OUTBOX.waiting,
    "bots": backlog.bots_to_move,
    "reminders": backlog.reminders_to_send,
    "table_invitations": invitations.QUEUE.waiting,
    "event_invitations": invitation_emails.QUEUE.waiting,
    "club_invitations": member_invitations.QUEUE.waiting,
    "newsletters": newsletter_sending.QUEUE.waiting,
    "questions": coming_letters.QUEUE.waiting,
    "news_changes": news_changes.changes_waiting,
    "news": news_sending.OUTBOX.waiting,
}
"""Work that waits in the database for a worker."""


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """All metrics, for readers with the token; 404 for others."""
    expected, carried = f"Bearer {settings.METRICS_TOKEN}", request.headers.get("Authorization", "")
    if not settings.METRICS_TOKEN or not constant_time_compare(carried, expected):
        raise Http404
    # It takes a hundredth of the site's start to load, which the first page need not wait for.
    from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

    registry = CollectorRegistry()
    registry.register(_Collector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


class _Collector:
    def collect(self) -> Iterator[Metric]:
        yield from _counters(heartbeats.counts())
        yield from _gauges()


def _counters(counts: Mapping[Key, float]) -> Iterator[Metric]:
    """The counters; those without a count have no value."""
    for measure in MEASURES:
        values = {(labels, part): value for (name, labels, part), value in counts.items() if name == measure.name}
        yield _durations(measure, values) if measure.is_duration else _counter(measure, values)


def _counter(measure: Measure, values: Mapping[tuple[tuple[str, ...], str], float]) -> Metric:
    # Loaded late, as in `metrics`.
    from prometheus_client.core import CounterMetricFamily

    family = CounterMetricFamily(f"foothold_{measure.name}", measure.help, labels=measure.labels)
    if not measure.labels:
        values = {((), ""): 0.0, **values}
    for (labels, _), value in sorted(values.items()):
        family.add_metric(labels, value)
    return family


def _durations(measure: Measure, values: Mapping[tuple[tuple[str, ...], str], float]) -> Metric:
    # Loaded late, as in `metrics`.
    from prometheus_client.core import HistogramMetricFamily

    family = HistogramMetricFamily(f"foothold_{measure.name}", measure.help, labels=measure.labels)
    bounds = [*map(str, BOUNDS), "+Inf"]
    for labels in sorted({labels for labels, _ in values}):
        up_to = accumulate(values.get((labels, bound), 0.0) for bound in bounds)
        family.add_metric(labels, list(zip(bounds, up_to, strict=True)), values.get((labels, SUM), 0.0))
    return family


def _gauges() -> Iterator[Metric]:
    """The gauges now."""
    now = timezone.now()
    waiting = {name: queue() for name, queue in QUEUES.items()}
    overdue = backlog.overdue()
    yield _gauge(
        "queue_length", "Rows in the database that are due.", {n: w.count for n, w in waiting.items()}, "queue"
    )
    ages = {name: queue.seconds(now) for name, queue in waiting.items()}
    yield _gauge("queue_age_seconds", "How long the first of them has waited.", ages, "queue")
    yield _gauge("overdue_tables", "Tables whose deadline has passed.", {"": overdue.count})
    yield _gauge("overdue_seconds", "How long ago the first of their deadlines was.", {"": overdue.seconds(now)})
    failed = notices.failed_before()
    yield _gauge("notices_failed", "Notices that the mail server did not take, to be tried again.", {"": failed})
    beats = {beat.name: beat.at for beat in backlog.heartbeats()}
    ages = {name: max(0.0, (now - at).total_seconds()) for name, at in {**heartbeats.last_told(), **beats}.items()}
    yield _gauge("heartbeat_age_seconds", "When a role told last, or a periodic task last ran.", ages, "of")
    there = heartbeats.there()
    roles = {str(role): sum(each == role for each, _ in there) for role in Process.Role}
    yield _gauge("processes", "Processes that told within the last minute.", roles, "role")
    yield _gauge("lane_workers", "Workers that told within the last minute.", heartbeats.workers_by_lane(), "lane")
    streams = sum(streams for _, streams in there)
    yield _gauge("live_connections", "Open streams of live events.", {"": streams})
    yield _gauge(
        "body_bytes",
        "Bytes of requests that the answering process has not yet read to their end.",
        {"": asgi.in_flight()},
    )
    yield _gauge("broker_messages", "Messages that wait in the broker; no value while it is away.", _messages(), "lane")


def _gauge(name: str, help_text: str, values: Mapping[str, float], label: str = "") -> Metric:
    # Loaded late, as in `metrics`.
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(f"foothold_{name}", help_text, labels=[label] if label else [])
    for value_of, value in sorted(values.items()):
        family.add_metric([value_of] if label else [], value)
    return family


def _messages() -> dict[str, float]:
    """Messages that wait in the broker, by lane; nothing if it does not answer."""
    try:
        with app.connection_for_read(connect_timeout=1) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=2)
            return {lane: _waiting_in(connection, lane) for lane in settings.LANES}
    except Exception as error:
        log.warning("The broker does not say how many messages wait: %s", type(error).__name__)
        return {}


def _waiting_in(connection: Any, queue: str) -> float:
    # A channel of its own: a broker closes one that asks for a queue that nobody has used yet.
    channel = connection.channel()
    try:
        return float(channel.queue_declare(queue, passive=True).message_count)
    except connection.channel_errors:
        return 0
    finally:
        channel.close()
