"""Streams of live events: which tables, or other rows that have versions, have something new to show."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping
from functools import partial

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_GET
from rest_framework.exceptions import AuthenticationFailed

from accounts.api import TokenAuthentication
from accounts.budgets import STREAMS, Lease, hold, release
from accounts.models import User
from accounts.queries import player_of
from accounts.sign_ins import SignIn, sign_in_of
from gameplay import presence
from gameplay.access import open_table
from gameplay.live import TABLES, Reader, Topic, hub, versions_of
from gameplay.live_sign_ins import watch
from gameplay.models import Seat
from web.errors import NotAllowed, Refused
from web.monitoring import counters
from web.server.asgi import EVENTS, Stream, Streams

MOST_ROWS = 50
KEEP_ALIVE = 15.0
"""Seconds after which a silent stream says that it is still there."""
LIFE = 3600.0
"""Seconds after which a stream ends and the client reconnects, so that its access is checked again."""
MOST_STREAMS = 20_000
"""Streams that one process serves at once."""


@require_GET
async def live(request: HttpRequest) -> HttpResponseBase:
    """`?tables=<slug>,<slug>`: the version of each table, now and whenever it grows.

    `at=<slug>` names the one whose page is open: a spectator is counted there.
    Tables that the reader may not see are left out; where none is left the answer is 404.
    """
    return await stream(request, TABLES, "tables", _find_table, missing=gettext("Table not found."))


Find = Callable[[User | AnonymousUser, str], tuple[int, str]]
"""The id and slug of a row that the user can see, by the requested slug. Raises `Http404`."""


async def stream(request: HttpRequest, topic: Topic, field: str, find: Find, *, missing: str) -> HttpResponseBase:
    """The versions of rows of a topic, now and whenever they grow; `field` is the name of the part of the query with their slugs.

    Rows that the reader may not see are left out; where none is left the answer is 404 and says `missing`.
    """
    streams: Streams | None = request.scope.get(EVENTS) if isinstance(request, ASGIRequest) else None
    if streams is None:
        return _refusal(
            503, "no_stream", gettext("Live events are served at another entry point. Load the page again instead.")
        )
    if counters.streams() >= MOST_STREAMS:
        return _refusal(
            503, "busy", gettext("Too many people follow live events right now. Load the page again instead.")
        )
    try:
        is_found = await sync_to_async(_open)(request, streams, topic, field, find)
    except AuthenticationFailed:
        return _refusal(401, "authentication_failed", gettext("This token is unknown or no longer valid."))
    except Refused as error:
        return _refusal(error.status, error.code, error.sentence, error.headers)
    if not is_found:
        return _refusal(404, "not_found", missing)
    headers = {"Cache-Control": "no-cache, no-store", "X-Accel-Buffering": "no"}
    return HttpResponse(content_type="text/event-stream", headers=headers)


def _refusal(status: int, code: str, sentence: str, headers: Mapping[str, str] | None = None) -> JsonResponse:
    more = {"Retry-After": "60"} if status == 503 else {**(headers or {})}
    return JsonResponse({"code": code, "sentence": sentence}, status=status, headers=more)


def _open(request: HttpRequest, streams: Streams, topic: Topic, field: str, find: Find) -> bool:
    """Whether a stream was opened: if there is a row that the reader may see.

    Raises `AuthenticationFailed` or `Refused`.
    """
    player, sign_in = _reader(request)
    slugs = _open_rows(request, player, field, find)
    if not slugs:
        return False
    leases = [hold(STREAMS, player)]
    at = next((row_id for row_id, slug in slugs.items() if topic is TABLES and slug == request.GET.get("at")), None)
    if at is not None and not Seat.objects.filter(table=at, user__pk=player.pk or 0).exists():
        leases.append(presence.watch(at))
    streams.add(Stream(_stream(slugs, topic, sign_in), partial(_release, leases)))
    return True


def _release(leases: list[Lease]) -> None:
    for lease in leases:
        release(lease)


def _open_rows(request: HttpRequest, player: User | AnonymousUser, field: str, find: Find) -> dict[int, str]:
    """The rows asked for that the reader may see: slugs by id."""
    slugs: dict[int, str] = {}
    for slug in dict.fromkeys(request.GET.get(field, "").split(",")[:MOST_ROWS]):
        try:
            row_id, own_slug = find(player, slug.replace("\0", ""))
        except Http404:
            continue
        slugs[row_id] = own_slug
    return slugs


def _find_table(player: User | AnonymousUser, slug: str) -> tuple[int, str]:
    table, _ = open_table(player, slug)
    return table.pk, table.slug


def _reader(request: HttpRequest) -> tuple[User | AnonymousUser, SignIn | None]:
    """The reader, by token, else by session, and that sign-in. Raises `AuthenticationFailed` or `NotAllowed` for a token."""
    signed_in = TokenAuthentication().authenticate(request)
    if signed_in is None:
        return player_of(request), sign_in_of(request)
    user, token = signed_in
    if "read" not in token.scopes:
        raise NotAllowed("scope_missing", gettext("This token has no permission to read."))
    return user, sign_in_of(request, token)


async def _stream(slugs: dict[int, str], topic: Topic, sign_in: SignIn | None) -> AsyncGenerator[str, None]:
    reader, loop = Reader(slugs, topic), asyncio.get_running_loop()
    ends_at = loop.time() + LIFE
    hub().join(reader)
    watch().join(sign_in, reader)
    counters.stream_opened()
    try:
        # After joining, so that no version falls between the two.
        async with ThreadSensitiveContext():  # a thread of its own, for this question only
            versions = await sync_to_async(_versions)(list(slugs), topic)
        for row_id, version in versions.items():
            reader.tell(row_id, version)
        yield "retry: 2000\n\n"
        while loop.time() < ends_at:
            news = await reader.news(within=KEEP_ALIVE)
            if reader.is_over:
                break
            yield "".join(f"event: {topic.name}\ndata: {slug} {version}\n\n" for slug, version in news) or ": here\n\n"
    finally:
        hub().leave(reader)
        watch().leave(sign_in, reader)
        counters.stream_closed()


def _versions(row_ids: list[int], topic: Topic) -> dict[int, int]:
    """The versions now. Gives back this thread's database connections."""
    try:
        return versions_of(row_ids, topic)
    finally:
        connections.close_all()


urls = [path("live/", live, name="live")]
