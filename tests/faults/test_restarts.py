"""Database and broker go away and come back while turns are played: calm answers, nothing twice, all catches up."""

import threading
from contextlib import closing

from tests.config.test_backup import manage
from tests.faults.test_database import AWAY, each_move_is_kept_once, post_until, wait_for_moves
from tests.poster import FOUR, OUT_OF_STEP, Poster
from tests.sites import postgres, serve

TABLES = 2

WITH_BOTS = """
from accounts.models import User
from gameplay.services import tables
from tests.makers import make_table
user = User.objects.get(username="p0")
for number in range(int(sys.argv[1])):
    table = make_table([user], begun=False, name="Bots")
    table.seats.update(user=None, bot="random", name="Bot")
    tables.start(table.pk, user)
"""
"""Tables at which only bots sit, and which the worker plays on."""

BOTS_MOVES = "SELECT count(*) FROM gameplay_move m JOIN gameplay_table t ON t.id = m.table_id WHERE t.name = 'Bots'"
TWICE = "SELECT table_id, number FROM gameplay_move GROUP BY 1, 2 HAVING count(*) > 1"


def test_all_catches_up_when_broker_and_database_were_away(request, make_site, own_redis, collected, wait_for):
    site = make_site(own_redis.url)
    site.environment["CACHE_URL"] = own_redis.url
    cluster = request.getfixturevalue("cluster") if postgres() else None
    if cluster is not None:
        cluster.copy(site.environment["DATABASE_URL"])
        site.environment["DATABASE_URL"] = cluster.url
    address = serve(site, collected).address
    posters, is_over = [Poster(address, **table) for table in site.run(FOUR, TABLES)], threading.Event()
    threads = [threading.Thread(target=post_until, args=(poster, is_over)) for poster in posters]
    for thread in threads:
        thread.start()
    try:
        wait_for_moves(posters, 2, wait_for, site)
        own_redis.stop()
        wait_for_moves(posters, 3, wait_for, site)
        # They are due, and no task can be queued.
        site.run(WITH_BOTS, 1)
        own_redis.start()
        wait_for_bots(site, 10, wait_for)
        if cluster is not None:
            end_all_sessions(cluster)
            wait_for_moves(posters, 2, wait_for, site)
            away = [len(poster.away) for poster in posters]
            cluster.control("-m", "fast", "stop")
            try:
                wait_for(
                    lambda: all(len(poster.away) > count for poster, count in zip(posters, away, strict=True)),
                    "the answer that the database is away",
                )
            finally:
                cluster.control("start")
            wait_for_moves(posters, 2, wait_for, site)
            site.run(WITH_BOTS, 1)
            wait_for_bots(site, 10, wait_for)
    finally:
        is_over.set()
        for thread in threads:
            thread.join()
    each_move_is_kept_once(site, posters)
    assert [answer for poster in posters for answer in poster.away if answer != ("5", AWAY)] == []
    assert site.rows(OUT_OF_STEP) == site.rows(TWICE) == []
    assert "Everything fits." in manage(site, "doctor")


def wait_for_bots(site, more, wait_for):
    """Wait until bots have made so many more moves."""
    target = site.number(BOTS_MOVES) + more
    ended = "SELECT count(*) FROM gameplay_table WHERE name = 'Bots' AND bot_due_at IS NOT NULL"
    wait_for(lambda: site.number(BOTS_MOVES) >= target or site.number(ended) == 0, "the bots to play", site)


def end_all_sessions(cluster):
    """Every connection to the database but this one is cut."""
    import psycopg

    with closing(psycopg.connect(cluster.url, autocommit=True)) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid != pg_backend_pid() AND backend_type = 'client backend'"
        )
