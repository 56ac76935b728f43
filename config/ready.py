"""Readiness of this installation: the question of a load balancer or watcher before it trusts this process."""

import logging
from collections.abc import Callable

from django.db import connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from gameplay.models import Heartbeat, Process
from gameplay.monitoring import heartbeats
from gameplay.services.clocks import HEARTBEAT
from web.monitoring.health import reach_broker

log = logging.getLogger(__name__)


def database() -> bool:
    """Whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        return bool(cursor.fetchone())


def broker() -> bool:
    """Whether the broker takes a connection."""
    reach_broker()
    return True


def worker() -> bool:
    """Whether every lane has a worker."""
    lanes = heartbeats.lanes_without_worker()
    if lanes:
        log.warning("Not ready: no worker for %s.", ", ".join(lanes))
    return not lanes


def clock() -> bool:
    """Whether the clock queues tasks."""
    return heartbeats.is_there(Process.Role.CLOCK)


def deadlines() -> bool:
    """Whether a worker, woken by the clock, has recently looked for deadlines."""
    return Heartbeat.objects.filter(name=HEARTBEAT, at__gte=timezone.now() - heartbeats.SILENCE).exists()


CHECKS: dict[str, Callable[[], bool]] = {
    "database": database,
    "broker": broker,
    "worker": worker,
    "clock": clock,
    "deadlines": deadlines,
}


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 if everything answers, else 503: the answer of each part, and nothing else."""
    answers = {name: "ok" if _answers(name, check) else "no answer" for name, check in CHECKS.items()}
    return JsonResponse(answers, status=200 if set(answers.values()) == {"ok"} else 503)


def _answers(name: str, check: Callable[[], bool]) -> bool:
    try:
        return check()
    except Exception as error:
        log.warning("Not ready: the %s does not answer (%s).", name, type(error).__name__)
        return False
