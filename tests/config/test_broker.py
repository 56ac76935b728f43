"""The broker in files: nothing is lost, nothing is read by halves, nothing spoilt stops the worker."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection, Exchange, Queue

from config import broker
from config.celery import app  # noqa: F401  names the transport

ROOT = Path(__file__).parents[2]
QUEUE = Queue("celery", Exchange("celery"), routing_key="celery")


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "queue"


@pytest.fixture
def connect(folder):
    """Opens connections to one broker; one that must die silently is left open."""
    opened = []

    def make():
        connection = Connection("fsx://", transport_options={"folder": str(folder), "polling_interval": 0.01})
        opened.append(connection)
        return connection

    yield make
    for connection in opened:
        connection.release()


@pytest.fixture
def publish(connect):
    def send(*bodies, queue=QUEUE):
        producer = connect().Producer(serializer="json")
        for body in bodies:
            producer.publish(body, exchange=queue.exchange, routing_key=queue.routing_key, declare=[queue])

    return send


def take(connection):
    """The next message, or None; not yet acknowledged."""
    return QUEUE(connection.default_channel).get()


def bodies(connection):
    """Waiting messages, each acknowledged."""
    messages = []
    while message := take(connection):
        messages.append(message.payload)
        message.ack()
    return messages


def files(folder):
    return {str(path.relative_to(folder)).split("/")[0] for path in folder.rglob("*.msg")}


def test_messages_come_in_the_order_they_were_sent_and_leave_nothing_behind(connect, publish, folder):
    publish("first", "second", "third")
    assert bodies(connect()) == ["first", "second", "third"]
    assert files(folder) == set()


def test_queues_are_told_apart(connect, publish, folder):
    other = Queue("celery2", Exchange("celery"), routing_key="celery2")
    publish("elsewhere", queue=other)
    publish("here")
    assert bodies(connect()) == ["here"]
    assert other(connect().default_channel).get().payload == "elsewhere"


def test_a_taken_message_is_nobody_elses(connect, publish, folder):
    publish("only one")
    message = take(connect())
    assert message.payload == "only one"
    assert files(folder) == {"taken"}
    assert take(connect()) is None


def test_what_a_worker_did_not_finish_is_given_back_when_it_stops(connect, publish, folder):
    publish("first", "second")
    worker = connect()
    take(worker)
    worker.release()
    assert files(folder) == {"waiting"}
    assert bodies(connect()) == ["first", "second"]


HOLDER = """
import sys
from kombu import Connection
from config.celery import app
with Connection("fsx://", transport_options={"folder": sys.argv[1]}) as connection:
    message = connection.SimpleQueue("celery").get()
    print(message.payload, flush=True)
    sys.stdin.read()
"""


def test_what_a_killed_worker_held_is_given_back_to_the_next(connect, publish, folder):
    publish("held")
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as worker:
        assert worker.stdout.readline() == "held\n"
        assert take(connect()) is None
        worker.kill()
    assert bodies(connect()) == ["held"]


def test_a_message_may_be_asked_for_again(connect, publish):
    publish("again")
    connection = connect()
    take(connection).requeue()
    assert bodies(connection) == ["again"]


def test_a_refused_message_is_put_aside(connect, publish, folder):
    publish("refused")
    take(connect()).reject()
    assert files(folder) == {"spoilt"}


def spoil(folder, name, content):
    (folder / "waiting").mkdir(parents=True, exist_ok=True)
    (folder / "waiting" / f"{name}.celery.msg").write_bytes(content)


def envelope(**changes):
    properties = {"delivery_tag": "tag", "delivery_info": {"exchange": "celery", "routing_key": "celery"}}
    return json.dumps(
        {"body": "{}", "content-type": "application/json", "content-encoding": "utf-8", "properties": properties}
        | changes
    ).encode()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe\x00",
        b'{"body": "e30=", "prop',
        b"[]",
        b"null",
        b"{}",
        b"[" * 100_000,
        envelope(properties={}),
        envelope(**{"content-type": "application/x-python-serialize"}),
        envelope(properties={"delivery_tag": 7}),
        b'"' + b"x" * broker.MOST_BYTES + b'"',
    ],
    ids=["empty", "bytes", "half", "list", "null", "object", "deep", "no tag", "pickle", "odd tag", "large"],
)
def test_a_spoilt_message_is_put_aside_and_the_next_is_read(connect, publish, folder, content):
    spoil(folder, "0", content)
    publish("good")
    connection = connect()
    assert bodies(connection) == ["good"]
    assert [path.name for path in (folder / "spoilt").iterdir()] == ["0.celery.msg"]
    assert take(connection) is None


def test_a_draft_that_was_never_finished_is_not_read(connect, folder):
    spoil(folder, ".0", b'{"bo')
    assert take(connect()) is None
    assert files(folder) == {"waiting"}


def test_a_broker_that_was_wiped_goes_on(connect, publish, folder):
    publish("lost")
    connection = connect()
    take(connection)
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert take(connection) is None
    publish("new")
    assert bodies(connection) == ["new"]


def test_counting_and_purging(connect, publish):
    publish("a", "b")
    channel = connect().default_channel
    assert channel.queue_declare("celery", passive=True).message_count == 2
    assert channel.queue_purge("celery") == 2
    with pytest.raises(Empty):
        channel._get("celery")


def test_each_message_reaches_one_of_several_workers(connect, publish):
    sent = [f"{sender}-{number}" for sender in range(3) for number in range(100)]
    finished = threading.Event()
    received = [[], [], []]

    def work(messages):
        connection = connect()
        while not finished.is_set() or connection.default_channel._size("celery"):
            messages.extend(bodies(connection))

    workers = [threading.Thread(target=work, args=[messages]) for messages in received]
    senders = [threading.Thread(target=publish, args=sent[start : start + 100]) for start in (0, 100, 200)]
    for thread in (*workers, *senders):
        thread.start()
    for thread in senders:
        thread.join()
    finished.set()
    for thread in workers:
        thread.join()
    assert sorted(received[0] + received[1] + received[2]) == sorted(sent)


def test_a_draft_of_somebody_who_was_killed_is_cleared_away_in_time(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in (".1-old.celery.msg", ".2-new.celery.msg", "1-sent.celery.msg"):
        (folder / name).write_text("{}")
    for name in (".1-old.celery.msg", "1-sent.celery.msg"):
        os.utime(folder / name, (0, 0))
    broker.clear_drafts(folder)
    assert sorted(path.name for path in folder.iterdir()) == [".2-new.celery.msg", "1-sent.celery.msg"]
