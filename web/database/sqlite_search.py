"""Searching without regard to capitals on SQLite, which of itself knows those of English alone."""

import re
from functools import lru_cache
from typing import Any

from django.db.backends.signals import connection_created


def connect() -> None:
    """Make `LIKE`, and so every lookup for a part of a text, find `ömer` in `Ömer`, as PostgreSQL does."""
    connection_created.connect(_teach, dispatch_uid="web.database.sqlite_search")


def _teach(*, connection: Any, **_: Any) -> None:
    if connection.vendor == "sqlite":
        connection.connection.create_function("like", 2, like, deterministic=True)
        connection.connection.create_function("like", 3, like, deterministic=True)


def like(pattern: Any, value: Any, escape: str = "\\") -> bool | None:
    """Whether a text is like a pattern, in any case: `%` matches any text, `_` one character."""
    if pattern is None or value is None:
        return None
    return _expression(str(pattern), escape).fullmatch(str(value).casefold()) is not None


@lru_cache(maxsize=256)
def _expression(pattern: str, escape: str) -> re.Pattern[str]:
    parts, letters = [], iter(pattern.casefold())
    for letter in letters:
        if letter == escape:
            parts.append(re.escape(next(letters, escape)))
        else:
            parts.append({"%": ".*", "_": "."}.get(letter, re.escape(letter)))
    return re.compile("".join(parts), re.DOTALL)
