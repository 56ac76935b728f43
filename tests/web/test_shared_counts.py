"""Counts of all processes: in Redis, in a file, in memory, and while Redis is away."""

import os
import sqlite3
import threading

import pytest
from django.core.cache.backends.redis import RedisCache

from web import shared_counts
from web.shared_counts import Addition, AwayError, CountsWithStandIn, FileCounts, Full, RedisCounts, counts_of

REDIS = os.environ.get("CELERY_BROKER_URL", "")
BOTH = {"last": 0.5, "this": 1.0}
with_redis = pytest.mark.skipif(not REDIS.startswith("redis"), reason="there is no Redis")


def redis_counts():
    return RedisCounts(RedisCache(REDIS, {"KEY_PREFIX": f"test-counts-{os.getpid()}"}))


@pytest.fixture(params=["memory", "file", pytest.param("redis", marks=with_redis)])
def make(request, tmp_path):
    """Makes the counts of one more process in the same place; in memory it is the same process."""
    if request.param == "file":
        yield lambda: FileCounts(tmp_path / "counts.sqlite3")
    elif request.param == "redis":
        yield redis_counts
        redis_counts().clear()
    else:
        memory = FileCounts(":memory:")
        yield lambda: memory


@pytest.fixture
def counts(make):
    return make()


def add(counts, member, amount=1, limit=None, into=("this",)):
    return counts.add([Addition(member, amount, limit)], looked_at=BOTH, into=into, keep=60)


def test_a_count_is_seen_by_every_process(make):
    assert add(make(), "ann") is None
    assert add(make(), "ann", 2) is None
    assert make().read(["this", "last"], "ann") == (3, 0)


def test_a_limit_has_room_for_all_of_it_and_no_more(counts):
    assert add(counts, "ann", 3, limit=3) is None
    assert add(counts, "ann", 1, limit=3) == Full("ann", (0, 3))
    assert counts.read(["this"], "ann") == (3,)


def test_a_window_counts_by_its_weight(counts):
    add(counts, "ann", 4, into=["last"])
    assert add(counts, "ann", 2, limit=4) is None
    assert add(counts, "ann", 1, limit=4) == Full("ann", (4, 2))


def test_where_one_member_is_full_nobody_is_counted(counts):
    both = [Addition("ann", 1, 5), Addition("home", 1, 0)]
    assert counts.add(both, looked_at=BOTH, into=["this"], keep=60) == Full("home", (0, 0))
    assert counts.read(["this"], "ann") == (0,)


def test_without_a_window_to_add_to_a_limit_is_only_checked(counts):
    assert add(counts, "ann", 1, limit=1, into=[]) is None
    assert add(counts, "ann", 2, limit=1, into=[]) == Full("ann", (0, 0))
    assert counts.read(["this"], "ann") == (0,)


def test_a_count_never_falls_below_zero(counts):
    add(counts, "ann", 2)
    add(counts, "ann", -3)
    assert counts.read(["this"], "ann") == (0,)
    add(counts, "ann")
    assert counts.read(["this"], "ann") == (1,)


def test_the_largest_counts_come_first(counts):
    for member, amount in (("ann", 2), ("ben", 5), ("cem", 1), ("dee", 3)):
        add(counts, member, amount)
    add(counts, "dee", -3)
    assert list(counts.top("this", 2).items()) == [("ben", 5), ("ann", 2)]
    assert counts.top("last", 2) == {}


def test_only_so_many_members_are_kept(counts, monkeypatch):
    monkeypatch.setattr(shared_counts, "MOST_MEMBERS", 10)
    monkeypatch.setattr(FileCounts, "TIDY", 5)
    for number in range(50):
        add(counts, f"member {number}", 1 + number % 2)
    add(counts, "ann", 100)
    members = counts.top("this", 100)
    assert len(members) <= 15
    assert members["ann"] == 100


def test_expired_windows_are_forgotten(time_machine):
    counts = FileCounts(":memory:")
    time_machine.move_to(1_000_000)
    add(counts, "ann")
    time_machine.move_to(1_000_061)
    assert counts.read(["this"], "ann") == (0,)
    assert counts.top("this", 1) == {}


@with_redis
def test_a_window_of_redis_expires():
    counts = redis_counts()
    add(counts, "ann")
    client = counts._cache._cache.get_client(None, write=True)
    assert 0 < client.ttl(f"{counts._prefix}this") <= 60
    counts.clear()


def test_many_at_once_take_exactly_what_there_is(make):
    places, successes = [make() for _ in range(4)], []

    def take(counts):
        successes.extend(add(counts, "ann", 1, limit=50) is None for _ in range(25))

    threads = [threading.Thread(target=take, args=[counts]) for counts in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert successes.count(True) == 50
    assert successes.count(False) == 50


def test_a_broken_file_is_made_again(tmp_path):
    path = tmp_path / "counts.sqlite3"
    path.write_text("This is no database, and long enough to be read as one. " * 20)
    counts = FileCounts(path)
    with pytest.raises(AwayError):
        add(counts, "ann")
    add(counts, "ann")
    assert counts.read(["this"], "ann") == (1,)


def test_the_file_is_for_its_owner(tmp_path):
    add(FileCounts(tmp_path / "counts.sqlite3"), "ann")
    assert (tmp_path / "counts.sqlite3").stat().st_mode & 0o777 == 0o600


def test_a_file_without_a_folder_is_away(tmp_path):
    with pytest.raises(AwayError):
        FileCounts(tmp_path / "no-such-folder" / "counts.sqlite3").clear()


def test_a_locked_file_is_away(tmp_path):
    counts = FileCounts(tmp_path / "counts.sqlite3")
    add(counts, "ann")
    with sqlite3.connect(tmp_path / "counts.sqlite3", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(AwayError):
            add(counts, "ann")
        other.execute("ROLLBACK")
    add(counts, "ann")
    assert counts.read(["this"], "ann") == (2,)


def test_while_they_are_away_each_process_counts_for_itself(caplog):
    away = RedisCounts(RedisCache("redis://127.0.0.1:1", {}))
    counts = CountsWithStandIn(away)
    assert counts.ask(lambda place: add(place, "ann", 1, limit=1)) is None
    assert counts.ask(lambda place: add(place, "ann", 1, limit=1)) == Full("ann", (0, 1))
    assert caplog.text.count("this process counts for itself") == 1


def test_once_they_are_back_they_count_again(monkeypatch):
    shared, counts = FileCounts(":memory:"), CountsWithStandIn(RedisCounts(RedisCache("redis://127.0.0.1:1", {})))
    counts.ask(lambda place: add(place, "ann"))
    counts.shared = shared
    counts.ask(lambda place: add(place, "ann"))
    assert shared.read(["this"], "ann") == (0,)
    monkeypatch.setattr(counts, "_away_until", 0)
    counts.ask(lambda place: add(place, "ann"))
    assert shared.read(["this"], "ann") == (1,)


def test_a_redis_is_used_if_it_is_the_cache(tmp_path):
    from django.core.cache.backends.locmem import LocMemCache

    assert isinstance(counts_of(RedisCache("redis://127.0.0.1:1", {}), "").shared, RedisCounts)
    assert isinstance(counts_of(LocMemCache("", {}), tmp_path / "counts").shared, FileCounts)
