"""Around every request: an id that answers, log lines and tasks carry, a line in the log, and counts."""

import logging
import re
import secrets
from collections.abc import Callable
from inspect import iscoroutinefunction
from time import perf_counter
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from web.monitoring import counters
from web.monitoring.logs import method_of
from web.monitoring.work_context import Work, current, doing, route_of, user_id_of

log = logging.getLogger(__name__)

HEADER = "X-Request-ID"
WELL_FORMED = re.compile(r"[A-Za-z0-9-]{8,64}")


@sync_and_async_middleware
def watched(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """The outermost middleware; asks nothing of the database."""

    async def answer_async(request: HttpRequest) -> HttpResponseBase:
        with doing(work_of(request)):
            begun = perf_counter()
            return _noted(request, await get_response(request), perf_counter() - begun)

    def answer(request: HttpRequest) -> HttpResponseBase:
        with doing(work_of(request)):
            begun = perf_counter()
            return _noted(request, get_response(request), perf_counter() - begun)

    return answer_async if iscoroutinefunction(get_response) else answer


def work_of(request: HttpRequest) -> Work:
    """The request with its id: the one that a trusted proxy gave it, else a new one."""
    request_id = request.headers.get(HEADER, "") if settings.TRUST_REQUEST_ID else ""
    return Work(request_id if WELL_FORMED.fullmatch(request_id) else secrets.token_hex(8), request)


def _noted(request: HttpRequest, response: HttpResponseBase, seconds: float) -> HttpResponseBase:
    """The answer, with the id, once it is counted and logged."""
    response.headers[HEADER] = current().request_id
    method, name, status = method_of(request.method), route_name_of(request), response.status_code
    counters.count(counters.REQUESTS, name, method, f"{status // 100}xx")
    counters.took(counters.REQUEST_SECONDS, seconds, name)
    extra = {"status": status, "ms": round(seconds * 1000, 1), "user": user_id_of(request)}
    log.info("%s %s: %s", method, route_of(request) or name, status, extra=extra)
    return response


def route_name_of(request: HttpRequest) -> str:
    """The name of an address in the URLconf; one word for all static files, one for all unknown addresses."""
    match = request.resolver_match
    if match is not None:
        return match.view_name
    return "static" if request.path.startswith(settings.STATIC_URL) else "none"
