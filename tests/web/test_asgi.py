"""Pages behind the web server see whole requests only, and streams continue when their answer is over."""

import asyncio
import json

import pytest

from web import bodies
from web.server import asgi


def ask(*messages, headers=(), query=b"", path="/", takes=None):
    """The request that the application saw of these messages (scope and body, or None), and the answer.

    Asked before, it says that `takes` bytes may follow, or without a number that there is no such page. Where the
    messages end, nothing more comes.
    """
    waiting, requests, sent = list(messages), [], []

    async def receive():
        return waiting.pop(0) if waiting else await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    async def app(scope, receive, send):
        if bodies.QUESTION in scope:
            assert await receive() == part(b"")
            scope[bodies.QUESTION].most = takes
            await send({"type": "http.response.start", "status": 404 if takes is None else 100, "headers": []})
            await send({"type": "http.response.body", "body": b"Not found."})
            return
        body, has_more = b"", True
        while has_more:
            message = await receive()
            assert message.keys() == {"type", "body", "more_body"}
            body, has_more = body + message["body"], message["more_body"]
        requests.append((scope, body))

    scope = {"type": "http", "method": "POST", "path": path, "headers": list(headers), "query_string": query}
    asyncio.run(asgi.whole_body(app)(scope, receive, send))
    assert asgi.in_flight() == 0
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


@pytest.fixture
def no_lingering(monkeypatch):
    monkeypatch.setattr(asgi, "LINGER_SECONDS", 0)


LONG = b"x" * (bodies.SMALL + 1)
LENGTH = [(b"content-length", b"%d" % len(LONG))]
CHUNKS = [(b"transfer-encoding", b"chunked")]


def test_a_small_body_is_read_without_a_question():
    assert ask(part(LONG[1:]), headers=CHUNKS)[0][1] == LONG[1:]


@pytest.mark.usefixtures("no_lingering")
def test_a_large_body_that_no_page_takes_is_not_read():
    request, sent = ask(headers=LENGTH)
    assert request is None
    assert sent == [
        {"type": "http.response.start", "status": 404, "headers": [(b"connection", b"close")]},
        {"type": "http.response.body", "body": b"Not found.", "more_body": True},
        {"type": "http.response.body", "body": b"", "more_body": False},
    ]


def test_a_large_body_that_a_page_takes_is_read():
    (scope, body), sent = ask(part(LONG[:9], more=True), part(LONG[9:]), headers=LENGTH, takes=len(LONG))
    assert (scope["headers"], body, sent) == (LENGTH, LONG, [])


def test_chunks_are_asked_about_once_there_are_too_many():
    (scope, body), sent = ask(part(LONG[1:], more=True), part(b"xyz"), headers=CHUNKS, takes=100_000)
    assert (scope["headers"], body, sent) == ([(b"content-length", b"65539")], LONG[1:] + b"xyz", [])


@pytest.mark.usefixtures("no_lingering")
def test_chunks_that_no_page_takes_are_not_read_on():
    request, sent = ask(part(LONG, more=True), headers=CHUNKS)
    assert (request, sent[0]["status"]) == (None, 404)


@pytest.mark.usefixtures("no_lingering")
def test_more_chunks_than_a_page_takes_are_refused_before_all_of_them_came():
    request, sent = ask(part(LONG, more=True), part(LONG, more=True), headers=CHUNKS, takes=len(LONG))
    assert (request, sent[0]["status"], dict(sent[0]["headers"])[b"connection"]) == (None, 413, b"close")
    assert "The limit here is 64 KB." in sent[1]["body"].decode()


@pytest.mark.usefixtures("no_lingering")
def test_a_program_is_refused_in_json_and_its_language():
    language = [(b"accept-language", b"de")]
    _, sent = ask(part(LONG, more=True), headers=CHUNKS + language, takes=len(LONG) - 1, path="/api/v1/tables/")
    assert dict(sent[0]["headers"])[b"content-type"] == b"application/json"
    assert json.loads(sent[1]["body"]) == {
        "code": "too_large",
        "sentence": "Diese Anfrage ist zu groß. Hier sind höchstens 64 KB möglich.",
    }


@pytest.mark.usefixtures("no_lingering")
@pytest.mark.parametrize("limit", ["SILENT_SECONDS", "GRACE_SECONDS"])
def test_a_body_that_stops_coming_is_refused(monkeypatch, limit):
    monkeypatch.setattr(bodies, limit, 0.01)
    request, sent = ask(part(b"draw=", more=True), headers=[(b"content-length", b"6")])
    assert (request, sent[0]["status"]) == (None, 408)
    assert "Your data arrived too slowly." in sent[1]["body"].decode()


def test_the_more_of_a_body_has_come_the_longer_it_may_take():
    assert bodies.seconds_for(0) == bodies.GRACE_SECONDS
    assert bodies.seconds_for(640_000) == bodies.GRACE_SECONDS + 10


@pytest.mark.usefixtures("no_lingering")
def test_a_body_for_which_there_is_no_room_is_refused(monkeypatch):
    monkeypatch.setattr(bodies, "IN_FLIGHT", 4)
    request, sent = ask(part(b"draw=2"), headers=[(b"content-length", b"6")])
    assert (request, sent[0]["status"], dict(sent[0]["headers"])[b"retry-after"]) == (None, 503, b"5")


def test_a_large_body_waits_on_disk(monkeypatch):
    held = []

    async def receive():
        return part(LONG, more=True) if not held or held[-1] else await asyncio.Event().wait()

    async def read():
        body = asgi._Body()
        await body.read(receive, 3 * len(LONG) - 1)
        held.append((len(body._memory), body._file.tell(), asgi.in_flight()))
        body.close()

    asyncio.run(read())
    assert held == [(0, 3 * len(LONG), 3 * len(LONG))]
    assert asgi.in_flight() == 0


def test_what_is_held_for_a_sender_is_released_with_the_request():
    released = []

    async def app(scope, receive, send):
        if bodies.QUESTION in scope:
            question = scope[bodies.QUESTION]
            question.most, question.release = len(LONG), lambda: released.append(True)
        else:
            assert released == []

    async def receive():
        return part(LONG)

    scope = {"type": "http", "path": "/", "headers": LENGTH, "query_string": b""}
    asyncio.run(asgi.whole_body(app)(scope, receive, None))
    assert released == [True]


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


def follow(events, *, status=200, goes_after=None, close=lambda: None):
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
            scope[asgi.EVENTS].add(asgi.Stream(events, close))
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


@pytest.mark.parametrize("status", [200, 500])
def test_what_a_stream_holds_is_given_back_whether_or_not_it_was_sent(status):
    closed = []

    async def events():
        yield "one\n"

    follow(events(), status=status, close=lambda: closed.append(True))
    assert closed == [True]


def test_a_stream_that_is_added_too_late_gives_back_what_it_holds():
    closed, streams = [], asgi.Streams()
    streams.close()
    streams.add(asgi.Stream(None, lambda: closed.append(True)))
    assert closed == [True]


def test_a_stream_that_fails_is_an_error_of_the_application():
    async def events():
        yield "one\n"
        raise LookupError

    with pytest.raises(ExceptionGroup) as caught:
        follow(events())
    assert caught.group_contains(LookupError)
