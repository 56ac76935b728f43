"""Colours of the pictures: the site's own, read from its stylesheets. A picture is always on light paper."""

import re
from functools import lru_cache
from pathlib import Path

from django.conf import settings

_NAMED = re.compile(r"--([a-z0-9-]+):\s*(#[0-9a-f]{6})")
_OF_CLUBS = re.compile(r"\.club-([a-z]+) \{ --club: (#[0-9a-f]{6}); \}")


@lru_cache(maxsize=1)
def colours() -> dict[str, str]:
    """The colours of the light pages by their names: `{"paper": "#faf8f4", …}`."""
    light, _, _ = _stylesheet("tokens.css").partition("@media")
    return dict(_NAMED.findall(light))


@lru_cache(maxsize=1)
def club_colours() -> dict[str, str]:
    """The colours that clubs choose from, by their names. White on each of them has a contrast of at least 4.5."""
    return dict(_OF_CLUBS.findall(_stylesheet("clubs.css")))


def _stylesheet(name: str) -> str:
    return (Path(settings.BASE_DIR) / "static" / "css" / name).read_text()
