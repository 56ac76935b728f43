"""Whether this process answers at all, which says nothing of the database or the broker; and how the broker is asked."""

from celery import current_app
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok", content_type="text/plain; charset=utf-8")


def reach_broker() -> None:
    """Connect to the broker within two seconds. Raises the connection's errors, whose words may hold an address."""
    with current_app.connection_for_write(connect_timeout=1) as connection:
        connection.ensure_connection(max_retries=1, interval_start=0, interval_step=0, timeout=2)
