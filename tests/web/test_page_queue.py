"""While others ask, a sender who has used much of late waits for them; alone, nobody waits."""

import asyncio
import itertools
import threading

import pytest
from django.utils import translation

from config import gunicorn
from web.recent_use import HALF_LIFE
from web.server import asgi, page_queue
from web.server.page_queue import (
    BUSY,
    LONGEST_REST,
    REST,
    STREAM_SECONDS,
    THREADS,
    WAITING_IN_THREADS,
    WIDTH,
    Full,
    PageQueue,
    in_turn,
    in_turn_in_threads,
    measured,
)

SCOPE = {
    "type": "http", "method": "GET", "path": "/live/", "headers": [], "query_string": b"", "http_version": "1.1",
}  # fmt: skip


@pytest.fixture
def queue(clock):
    return PageQueue(width=4, waiting=2, clock=clock)


def enter(queue, sender):
    return queue.enter(sender, lambda: None)


def make_busy(queue, sender, seconds=2 * BUSY):
    queue.leave(enter(queue, sender), sender, seconds)


def others_ask(queue):
    """Let four people who are not busy ask for much together."""
    for name in "wxyz":
        queue.leave(enter(queue, name), name, 0.9 * BUSY)


def is_in(waiter):
    return waiter.is_in


def test_so_many_work_at_once_and_the_next_when_one_leaves(queue):
    first, *others = [enter(queue, name) for name in "abcd"]
    last = enter(queue, "e")
    assert all(map(is_in, [first, *others]))
    assert not is_in(last)
    queue.leave(first, "a", 0.01)
    assert is_in(last)


def test_one_sender_has_half_of_the_places_at_most(queue):
    requests = [enter(queue, "ann") for _ in range(3)]
    assert [is_in(request) for request in requests] == [True, True, False]
    assert is_in(enter(queue, "bob"))
    queue.leave(requests[0], "ann", 0.01)
    assert is_in(requests[2])


def test_of_those_who_wait_the_one_who_used_least_comes_first(queue):
    make_busy(queue, "ann", BUSY / 2)
    working = [enter(queue, name) for name in "abcd"]
    ann, bob = enter(queue, "ann"), enter(queue, "bob")
    queue.leave(working[0], "a", 0.01)
    assert is_in(bob)
    assert not is_in(ann)


def test_busy_senders_together_have_one_place_while_others_ask(queue):
    make_busy(queue, "ann")
    make_busy(queue, "bob")
    others_ask(queue)
    ann, bob = enter(queue, "ann"), enter(queue, "bob")
    assert [is_in(ann), is_in(bob)] == [True, False]
    queue.leave(ann, "ann", 0.01)
    assert is_in(bob)


def test_between_requests_of_busy_senders_their_place_rests(queue, clock):
    make_busy(queue, "ann")
    make_busy(queue, "bob")
    others_ask(queue)
    queue.leave(enter(queue, "ann"), "ann", 0.02)
    clock.now += 0.05
    assert enter(queue, "bob").rest == pytest.approx(REST * 0.02 - 0.05)


def test_it_rests_not_longer_than_that_after_much_work(queue):
    make_busy(queue, "ann")
    others_ask(queue)
    queue.leave(enter(queue, "ann"), "ann", 60)
    assert enter(queue, "ann").rest == LONGEST_REST


def test_where_others_ask_for_little_a_busy_sender_does_not_wait(queue, clock):
    others_ask(queue)
    clock.now += 2 * HALF_LIFE
    make_busy(queue, "ann")
    requests = [enter(queue, "ann") for _ in range(2)]
    assert all(map(is_in, requests))
    assert [request.rest for request in requests] == [0, 0]


def test_who_is_not_busy_never_waits_for_those_who_are(queue):
    make_busy(queue, "ann")
    others_ask(queue)
    for _ in range(3):
        enter(queue, "ann")
    assert is_in(enter(queue, "bob"))


def test_where_others_ask_for_little_nobody_is_refused(queue):
    make_busy(queue, "ann")
    requests = [enter(queue, "ann") for _ in range(20)]
    assert sum(map(is_in, requests)) == 2


def test_who_is_not_busy_is_not_refused(queue):
    others_ask(queue)
    requests = [enter(queue, "hall") for _ in range(20)]
    assert sum(map(is_in, requests)) == 2


def test_of_a_busy_sender_only_so_many_wait_and_others_may_still_come(queue):
    others_ask(queue)
    make_busy(queue, "ann")
    working = [enter(queue, name) for name in "abcd"]
    for _ in range(2):
        enter(queue, "ann")
    with pytest.raises(Full):
        enter(queue, "ann")
    waiting = enter(queue, "eve")
    queue.leave(working[0], "a", 0.01)
    queue.leave(working[1], "b", 0.01)
    queue.leave(working[2], "c", 0.01)
    assert is_in(waiting)


def test_who_gives_up_leaves_the_queue(queue):
    working = [enter(queue, name) for name in "abcd"]
    late, later = enter(queue, "late"), enter(queue, "later")
    queue.give_up(late)
    queue.leave(working[0], "a", 0.01)
    assert [is_in(late), is_in(later)] == [False, True]


def test_who_gives_up_just_when_it_is_let_in_gives_the_place_back(queue):
    given_up, *_ = [enter(queue, name) for name in "abcd"]
    waiting = enter(queue, "e")
    queue.give_up(given_up)
    assert is_in(waiting)


def test_work_counts_for_the_person_who_turned_out_to_have_sent_it(queue):
    queue.leave(enter(queue, "address"), "ann", 2 * BUSY)
    others_ask(queue)
    enter(queue, "ann")
    assert not is_in(enter(queue, "ann"))
    assert is_in(enter(queue, "address"))


# In threads


def test_a_request_that_fails_gives_its_place_back(queue):
    def broken(environ, start_response):
        raise ZeroDivisionError

    site = in_turn_in_threads(broken, queue, lambda environ: "ann")
    for _ in range(9):
        with pytest.raises(ZeroDivisionError):
            site({}, None)


def refuse(rf, path, language):
    """The answer and its head to a request that has waited too long."""
    head, queue = {}, PageQueue(width=1)
    enter(queue, "bob")

    def start_response(status, headers):
        head.update(headers, status=status)

    site = in_turn_in_threads(None, queue, lambda environ: "ann")
    environ = rf.get(path, headers={"Accept-Language": language}).environ
    with translation.override("en"):
        return b"".join(site(environ, start_response)).decode(), head


@pytest.mark.parametrize(
    ("path", "language", "sentence"),
    [
        ("/clubs/", "en", "You have sent many requests, and others want to play too."),
        ("/clubs/", "de", "Sie haben viele Anfragen gesendet, und andere möchten auch spielen."),
        ("/api/v1/tables/", "en", "You have sent many requests, and others want to play too."),
    ],
)
def test_the_refusal_says_why_and_when_to_come_again(rf, path, language, sentence, monkeypatch):
    monkeypatch.setattr(page_queue, "PATIENCE", 0.0)
    text, head = refuse(rf, path, language)
    assert sentence in text
    assert (head["status"], head["Retry-After"]) == ("429 Too Many Requests", "10")
    assert ("too_many_at_once" in text) == path.startswith("/api/")


def test_threads_in_a_crowd_all_get_their_turn():
    queue, seen, lock = PageQueue(width=2), [], threading.Lock()

    def site(environ, start_response):
        with lock:
            seen.append(environ["sender"])
        return []

    turn = in_turn_in_threads(site, queue, lambda environ: environ["sender"])
    threads = [threading.Thread(target=turn, args=({"sender": str(n % 7)}, None)) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(seen) == 40


def test_gunicorn_has_the_threads_that_the_queue_counts_on():
    assert gunicorn.threads == THREADS > WIDTH + WAITING_IN_THREADS


# In the loop


async def receive():
    return {"type": "http.request", "body": b"", "more_body": False}


def ask_together(site, count):
    """The answers, as lists of messages, to requests that come together."""
    answers = [[] for _ in range(count)]

    async def ask(sent):
        async def send(message):
            sent.append(message)

        await asgi.whole_body(site)({**SCOPE}, receive, send)

    async def ask_all():
        await asyncio.gather(*map(ask, answers))

    asyncio.run(ask_all())
    return answers


def test_requests_wait_without_threads_and_then_leave_the_queue():
    queue, most = PageQueue(width=2), []

    async def site(scope, receive, send):
        most.append(queue._working.total())
        await asyncio.sleep(0)

    numbers = itertools.count()
    ask_together(in_turn(site, queue, lambda environ: str(next(numbers))), 300)
    assert (len(most), max(most)) == (300, 2)
    assert queue._working.total() == 0


def test_the_work_of_a_page_is_measured_and_that_of_a_stream_assumed(queue):
    async def stream(scope, receive, send):
        pass

    async def page(scope, receive, send):
        measured(lambda environ, start_response: [])({"asgi.scope": scope}, None)

    ask_together(in_turn(stream, queue, lambda environ: "stream"), 1)
    ask_together(in_turn(page, queue, lambda environ: "page"), 1)
    assert queue.use.seconds("stream") == STREAM_SECONDS
    assert 0 < queue.use.seconds("page") < STREAM_SECONDS


def test_who_waits_too_long_in_the_loop_is_refused_with_the_same_answer(monkeypatch):
    monkeypatch.setattr(page_queue, "PATIENCE", 0.0)
    queue = PageQueue(width=1)
    enter(queue, "bob")
    ((start, *_),) = ask_together(in_turn(None, queue, lambda environ: "ann"), 1)
    assert start["status"] == 429
    assert (b"retry-after", b"10") in start["headers"]
    assert queue._waiting == []


def test_who_goes_away_leaves_the_queue(queue):
    async def go_away():
        for name in "abcd":
            enter(queue, name)
        asking = asyncio.create_task(in_turn(None, queue, lambda environ: "ann")({**SCOPE}, receive, None))
        await asyncio.sleep(0)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(go_away())
    assert queue._waiting == []
