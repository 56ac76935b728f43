"""The database goes away while moves are made: none that was acknowledged is lost, and none is made twice."""

import threading
from urllib.parse import urlsplit

import pytest

from tests.faults.proxy import Proxy
from tests.poster import FOUR, OUT_OF_STEP, Poster
from tests.sites import postgres

pytestmark = pytest.mark.skipif(not postgres(), reason="Needs PostgreSQL: set DATABASE_URL to a server.")
TABLES = 4
AWAY = {"code": "away", "sentence": "The site cannot reach its database right now. Please try again in a moment."}
LOG = "SELECT t.slug, m.number FROM gameplay_move m JOIN gameplay_table t ON t.id = m.table_id ORDER BY m.number"


def test_no_acknowledged_move_is_lost_when_postgresql_is_restarted(cluster, make_site, wait_for):
    site = make_site("memory://")
    cluster.copy(site.environment["DATABASE_URL"])
    site.environment["DATABASE_URL"] = cluster.url
    address = site.web()
    posters = [Poster(address, **table) for table in site.run(FOUR, TABLES)]
    is_over = threading.Event()
    threads = [threading.Thread(target=post_until, args=(poster, is_over)) for poster in posters]
    for thread in threads:
        thread.start()
    try:
        wait_for_moves(posters, 3, wait_for, site)
        cluster.control("-m", "fast", "restart")
        wait_for_moves(posters, 3, wait_for, site)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    each_move_is_kept_once(site, posters)
    assert site.rows(OUT_OF_STEP) == []
    away = [answer for poster in posters for answer in poster.away]
    assert [answer for answer in away if answer != ("5", AWAY)] == []
    assert len(away) < 10


def each_move_is_kept_once(site, posters):
    """A table’s log has the moves that its poster was told, without a gap."""
    moves = site.rows(LOG)
    for poster in posters:
        slug = poster.table.split("/")[-2]
        assert poster.acknowledged == list(range(1, len(poster.acknowledged) + 1))
        assert [number for of, number in moves if of == slug] == poster.acknowledged


def post_until(poster, is_over):
    while not is_over.is_set():
        poster.move()


def wait_for_moves(posters, more, wait_for, site):
    """Wait until so many more moves are acknowledged at every table."""
    targets = [len(poster.acknowledged) + more for poster in posters]
    wait_for(
        lambda: all(len(poster.acknowledged) >= count for poster, count in zip(posters, targets, strict=True)),
        "moves at every table",
        site,
    )


@pytest.fixture
def proxy():
    address = urlsplit(postgres())
    with Proxy(address.hostname, address.port or 5432) as running:
        yield running


def test_a_move_whose_commit_was_never_heard_of_is_made_once_and_answered_when_sent_again(proxy, make_site):
    site = make_site("memory://")
    address = urlsplit(site.environment["DATABASE_URL"])
    user = address.netloc.rpartition("@")[0]
    site.environment["DATABASE_URL"] = address._replace(netloc=f"{user}@127.0.0.1:{proxy.port}").geturl()
    (table,) = site.run(FOUR, 1)
    poster = Poster(site.web(), **table)
    for number in range(1, 7):
        proxy.is_cutting = number % 2 == 0
        answer = poster.move()
        assert (answer["move_count"], [line["number"] for line in answer["log"]]) == (number, [number])
        assert len(poster.away) == proxy.cuts == number // 2
    assert poster.away == [("5", AWAY)] * 3
    assert site.rows("SELECT number FROM gameplay_move ORDER BY number") == [(number,) for number in range(1, 7)]
    assert site.rows(OUT_OF_STEP) == []
