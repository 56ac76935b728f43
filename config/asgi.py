"""The ASGI entry point: one process, one port. Pages run as WSGI on a few threads, only live events are asynchronous.

An asynchronous page would cost several times the work, and its database connection would not last.
"""

from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

from config.wsgi import application as pages
from web.server.asgi import App, Receive, Scope, Send, whole_body, with_events

THREADS = 8
# No bound to what waits to be sent, so that a slow reader holds no thread.
_pages = whole_body(WSGIMiddleware(cast(Any, pages), workers=THREADS, send_queue_size=0))
_live: App = with_events(get_asgi_application())


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    is_live = scope["type"] == "http" and scope["path"].startswith("/live/")
    await (_live if is_live else _pages)(scope, receive, send)
