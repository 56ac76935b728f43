"""The shared cache, and a time without it."""

import os
import socket

import pytest

from config.cache import Cache
from web.shared_counts import counts_of

PATIENCE = {"OPTIONS": {"socket_timeout": 0.2, "socket_connect_timeout": 0.2}}


@pytest.fixture(params=["refuses", "never answers"])
def away(request):
    """A cache whose Redis is not there, or accepts and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        if request.param == "refuses":
            listener.close()
            yield Cache("redis://127.0.0.1:1", dict(PATIENCE))
        else:
            yield Cache(f"redis://127.0.0.1:{listener.getsockname()[1]}", dict(PATIENCE))


def test_while_it_is_away_nothing_is_kept(away, caplog):
    assert away.set("name", "secret", 60) is None
    assert away.get("name") is None
    assert away.get("name", []) == []
    assert away.get_or_set("name", 5) == 5
    assert away.add("name", 0, 60) is True
    assert away.delete("name") is False
    with pytest.raises(ValueError, match="away"):
        away.incr("name")
    assert "The cache does not answer" in caplog.text
    assert "secret" not in caplog.text


@pytest.mark.slow
@pytest.mark.django_db
def test_pages_and_limits_go_on_without_it(away, client, monkeypatch):
    monkeypatch.setattr("allauth.core.internal.ratelimit.cache", away)
    monkeypatch.setattr("accounts.budgets._counts", counts_of(away, ""))
    assert client.post("/accounts/login/", {"login": "ann@example.org", "password": "wrong"}).status_code == 200
    assert client.get("/api/v1/rulesets/").status_code == 200


@pytest.mark.skipif(not os.environ.get("CELERY_BROKER_URL", "").startswith("redis"), reason="there is no Redis")
def test_with_a_redis_it_keeps_and_counts():
    cache = Cache(os.environ["CELERY_BROKER_URL"], {"KEY_PREFIX": "test-cache", **PATIENCE})
    cache.delete("name")
    assert cache.add("name", 1, 60) is True
    assert cache.add("name", 1, 60) is False
    assert cache.incr("name") == 2
    assert cache.get("name") == 2
    cache.set("name", "other", 60)
    assert cache.get("name") == "other"
    assert cache.delete("name") is True
    with pytest.raises(ValueError, match="name"):
        cache.incr("name")
