"""Redis as the cache of several processes. While it is away nothing is cached or counted, and the site continues."""

import logging
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

log = logging.getLogger(__name__)


class Cache(RedisCache):
    """Django's, but an absent Redis is an empty one. Some limits do not hold then, so that everyone can still sign in."""

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        return _ask(lambda: super(Cache, self).get(key, default, version), default)

    def set(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> None:
        _ask(lambda: super(Cache, self).set(key, value, *args, **kwargs), None)

    def add(self, key: Any, value: Any, *args: Any, **kwargs: Any) -> bool:
        return bool(_ask(lambda: super(Cache, self).add(key, value, *args, **kwargs), True))

    def delete(self, key: Any, version: int | None = None) -> bool:
        return bool(_ask(lambda: super(Cache, self).delete(key, version), False))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Raises `ValueError` for a key that is not there."""
        value: int | None = _ask(lambda: super(Cache, self).incr(key, delta, version), None)
        if value is None:
            raise ValueError("The cache is away, and this key with it.")
        return value


def _ask(ask: Callable[[], Any], without: Any) -> Any:
    """The answer of Redis, or `without` if there is none."""
    try:
        return ask()
    except RedisError as error:
        log.warning("The cache does not answer (%s).", type(error).__name__)
        return without
