"""Pages behind the web server see whole requests only, and streams continue when their answer is over."""

import asyncio

import pytest

from gameplay.score_sheets import photo_files
from tests.security.site_map import addresses
from web.server import asgi


def ask(*messages, headers=(), query=b"", path="/"):
    """The request that the application saw of these messages (scope and body, or None), and the answer."""
    waiting, requests, sent = list(messages), [], []

    async def receive():
        return waiting.pop(0)

    async def send(message):
        sent.append(message)

    async def app(scope, receive, send):
        message = await receive()
        assert message == {"type": "http.request", "body": message["body"], "more_body": False}
        requests.append((scope, message["body"]))

    scope = {"type": "http", "path": path, "headers": list(headers), "query_string": query}
    asyncio.run(asgi.whole_body(app)(scope, receive, send))
    return (requests[0] if requests else None), sent


def part(body, more=False):
    return {"type": "http.request", "body": body, "more_body": more}


def test_parts_of_a_body_arrive_as_one_with_its_length():
    headers = [(b"transfer-encoding", b"chunked"), (b"host", b"a")]
    (scope, body), _ = ask(part(b"draw=", more=True), part(b"2"), headers=headers)
    assert body == b"draw=2"
    assert scope["headers"] == [(b"host", b"a"), (b"content-length", b"6")]


def test_a_request_without_a_body_is_passed_on_as_it_is():
    (scope, body), _ = ask(part(b""), headers=[(b"host", b"a")])
    assert body == b""
    assert scope["headers"] == [(b"host", b"a")]


def test_a_body_that_breaks_off_reaches_no_page():
    request, sent = ask(part(b"draw=", more=True), {"type": "http.disconnect"}, headers=[(b"content-length", b"6")])
    assert request is None
    assert sent == []


def test_a_body_that_is_too_large_is_refused_before_all_of_it_came(monkeypatch):
    monkeypatch.setattr(asgi, "MOST_BYTES", 4)
    request, sent = ask(part(b"12345", more=True))
    assert request is None
    assert [message.get("status") for message in sent] == [413, None]


@pytest.mark.parametrize("name", ["sheet_photo", "score_sheet_add_photo", "card_photos", "match_photos"])
def test_photos_may_be_larger(name):
    routes = [address for address in addresses() if address.name.endswith(f":{name}")]
    assert routes
    for address in routes:
        path = address.path(dict.fromkeys(address.arguments, "1"))
        assert ask(part(b"x" * photo_files.MOST_BYTES), path=path)[0], path
        assert ask(part(b"x" * (asgi.MOST_BYTES_OF_A_PHOTO + 1)), path=path)[0] is None, path


def test_slow_senders_hold_up_nobody():
    """Fifty bodies that never end wait without the application, which still answers the next request."""
    bodies = []

    async def app(scope, receive, send):
        bodies.append((await receive())["body"])

    async def never():
        await asyncio.Event().wait()

    async def receive_body():
        return part(b"draw=2")

    async def crowd():
        scope = {"type": "http", "path": "/", "headers": [], "query_string": b""}
        slow = [asyncio.create_task(asgi.whole_body(app)(scope, never, never)) for _ in range(50)]
        await asgi.whole_body(app)(scope, receive_body, never)
        assert not any(task.done() for task in slow)
        for task in slow:
            task.cancel()

    asyncio.run(crowd())
    assert bodies == [b"draw=2"]


def test_a_header_with_an_underscore_passes_for_no_other():
    headers = [(b"x_forwarded_proto", b"https"), (b"x-forwarded-for", b"10.0.0.1")]
    (scope, _), _ = ask(part(b""), headers=headers)
    assert scope["headers"] == [(b"x-forwarded-for", b"10.0.0.1")]


def test_a_query_is_ascii_and_otherwise_unchanged():
    (scope, _), _ = ask(part(b""), query=b"a=b%20c&d=+e&f=" + "é".encode())
    assert scope["query_string"] == b"a=b%20c&d=+e&f=%C3%A9"


def test_other_than_http_is_left_alone():
    passed = []

    async def app(*arguments):
        passed.append(arguments)

    asyncio.run(asgi.whole_body(app)({"type": "lifespan"}, "receive", "send"))
    assert passed == [({"type": "lifespan"}, "receive", "send")]


def follow(events, *, status=200, goes_after=None):
    """The messages sent if a view answers with this status and puts the events into the scope; the reader goes away
    after so many messages.
    """
    sent, gone = [], asyncio.Event()

    async def receive():
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)
        if len(sent) == goes_after:
            gone.set()

    async def app(scope, receive, send):
        if events is not None:
            scope[asgi.EVENTS].append(events)
        headers = [(b"Content-Type", b"text/plain"), (b"Content-Length", b"0")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b""})

    asyncio.run(asgi.with_events(app)({"type": "http"}, receive, send))
    return sent


def test_a_stream_begins_when_the_answer_is_over_and_has_no_length():
    async def events():
        yield "one\n"
        yield "zwei – 2\n"

    assert follow(events()) == [
        {"type": "http.response.start", "status": 200, "headers": [(b"Content-Type", b"text/plain")]},
        {"type": "http.response.body", "body": b"one\n", "more_body": True},
        {"type": "http.response.body", "body": "zwei – 2\n".encode(), "more_body": True},
        {"type": "http.response.body", "body": b"", "more_body": False},
    ]


def test_a_stream_is_closed_when_the_reader_goes_away():
    closed = []

    async def events():
        try:
            yield "one\n"
            await asyncio.Event().wait()
        finally:
            closed.append(True)

    assert [message.get("body") for message in follow(events(), goes_after=2)] == [None, b"one\n"]
    assert closed == [True]


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_that_no_stream_follows_is_sent_as_it_is(status):
    async def events():
        yield "never"

    headers = [(b"Content-Type", b"text/plain"), (b"Content-Length", b"0")]
    assert follow(None if status == 200 else events(), status=status) == [
        {"type": "http.response.start", "status": status, "headers": headers},
        {"type": "http.response.body", "body": b""},
    ]


def test_a_stream_that_fails_is_an_error_of_the_application():
    async def events():
        yield "one\n"
        raise LookupError

    with pytest.raises(ExceptionGroup) as caught:
        follow(events())
    assert caught.group_contains(LookupError)
