"""The ASGI entry point: one process, one port. Pages run as WSGI on a few threads, only live events are asynchronous.

An asynchronous page would cost several times the work, and its database connection would not last.
"""

from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.asgi import get_asgi_application

from accounts.senders import sender_of
from config.wsgi import site
from web.server.asgi import App, Receive, Scope, Send, whole_body, with_events
from web.server.page_queue import WIDTH, PageQueue, in_turn, measured

queue = PageQueue()
# No bound to what waits to be sent, so that a slow reader holds no thread.
_on_threads: App = cast(Any, WSGIMiddleware(cast(Any, measured(cast(Any, site))), workers=WIDTH, send_queue_size=0))
_pages: App = in_turn(_on_threads, queue, sender_of)
_live: App = with_events(in_turn(get_asgi_application(), queue, sender_of))


@whole_body
async def application(scope: Scope, receive: Receive, send: Send) -> None:
    is_live = scope["type"] == "http" and scope["path"].startswith("/live/")
    await (_live if is_live else _pages)(scope, receive, send)
