"""RabbitMQ as the broker: the bots move, and one that is away, or says nothing, holds nobody up."""

import socket

import pytest
from django.conf import settings
from kombu import Connection

URL = "amqp://guest:guest@127.0.0.1:5672//"

PRACTICE = """
from engine.play.rules import Rules
from gameplay.snapshot import state_of
from gameplay.services import bots, play, tables
from tests.makers import make_person
user = make_person("Ann")
table = tables.make_practice(user, Rules.make("standard"))
for seen, move in enumerate(bots.think(state_of(table), "club")):
    play.play(table.pk, user, [move], seen=seen)
table.refresh_from_db()
print(json.dumps([table.seat_to_act, table.bot_due_at is not None]))
"""
"""A person plays a turn, after which a bot is to act."""


@pytest.fixture
def rabbit():
    """The address of a RabbitMQ that answers, with nothing in the queues."""

    def purge():
        with Connection(URL, connect_timeout=5) as connection:
            for lane in settings.LANES:
                connection.SimpleQueue(lane).clear()

    try:
        purge()
    except OSError:
        pytest.skip("RabbitMQ does not answer at 127.0.0.1:5672 as guest; start it to run this.")
    yield URL
    purge()


def test_bots_move_when_rabbitmq_wakes_the_worker(rabbit, make_site, wait_for):
    site = make_site(rabbit)
    assert site.run(PRACTICE) == [1, True]
    site.worker()
    wait_for(lambda: site.rows("SELECT seat_to_act FROM gameplay_table") == [(0,)], "the bots to play", site)


@pytest.fixture
def hanging():
    """A server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def refusing():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize("fault", ["refusing", "hanging"])
def test_a_move_is_stored_though_rabbitmq_is_away(fault, request, make_site):
    site = make_site(f"amqp://guest:guest@127.0.0.1:{request.getfixturevalue(fault)}//")
    assert site.run(PRACTICE) == [1, True]
