"""Redis as the cache of several processes. While it is away nothing is kept or counted, and the site goes on without."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


class Cache(RedisCache):
    """Django's, but an absent Redis is an empty one. Limits do not hold meanwhile: better than that nobody signs in."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _asked(lambda: super(Cache, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        _asked(lambda: super(Cache, self).set(key, value, *args, **kwargs), None)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(_asked(lambda: super(Cache, self).add(key, value, *args, **kwargs), True))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(_asked(lambda: super(Cache, self).delete(key, version), False))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Raises `ValueError` for a key that is not there."""
        found: int | None = _asked(lambda: super(Cache, self).incr(key, delta, version), None)
        if found is None:
            raise ValueError("The cache is away, and this key with it.")
        return found


def _asked(ask: Callable[[], Any], without: Any) -> Any:
    """What Redis answers, or what is to be taken where it does not."""
    try:
        return ask()
    except RedisError as error:
        log.warning("The cache does not answer (%s).", type(error).__name__)
        return without
