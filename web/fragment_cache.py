"""Cached parts of public pages.

The name of a part contains everything that decides its content, such as a version: so it is never out of date, and
nothing has to be deleted.
"""

import hashlib
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from django.core.cache import cache
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from web import clocks

Make = Callable[[], Mapping[str, Any]]
"""Makes the context of a part's template, if it is not cached."""

_MAKING = [Lock() for _ in range(256)]

SECONDS = 600
"""Longest time in the cache: parts in use stay fast, and a new release of the site soon shows."""


def cached(name: str, make: Callable[[], SafeString], *, timed: bool) -> SafeString:
    """The part of this name, cached or made now. `timed` says that it shows times, which follow the page's clock
    and the reader's."""
    zone = f"{timezone.get_current_timezone_name()}|{clocks.reader_zone()}" if timed else ""
    full_name = f"{name}|{translation.get_language()}|{zone}"
    key = f"part:{hashlib.sha256(full_name.encode()).hexdigest()}"
    part: SafeString | None = cache.get(key)
    if part is not None:
        return part
    # Many readers hear of a result at once: one of them makes the part, the others in this process wait for it.
    with _MAKING[int(key[-2:], 16)]:
        part = cache.get(key)
        if part is None:
            part = make()
            cache.set(key, part, SECONDS)
    return part
