"""Parts of public pages, kept until there is something new to show.

What is kept is named by everything that it follows from, such as the version of what it shows: so it is never out of
date, and nothing has to be thrown away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from django.core.cache import cache
from django.utils import timezone, translation
from django.utils.safestring import SafeString

Make = Callable[[], Mapping[str, Any]]
"""What a part's template is filled with; asked only where the part is not kept."""

_MAKING = [Lock() for _ in range(256)]

SECONDS = 600
"""How long a part is kept at most: what is looked at often stays fast, and a new release of the site shows soon."""


def kept(what: str, make: Callable[[], SafeString], *, timed: bool) -> SafeString:
    """The part of this name, as kept or made now. `timed` says that it shows times, which follow the reader's zone."""
    zone = timezone.get_current_timezone_name() if timed else ""
    told = f"{what}|{translation.get_language()}|{zone}"
    key = f"part:{hashlib.sha256(told.encode()).hexdigest()}"
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
