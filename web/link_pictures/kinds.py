"""The kinds of pictures: each app declares its own by a name, and how one is found by the key in its address.

What is found is what a stranger may see: a kind raises `Http404` for everything else. The version in an address changes
with all that the picture shows, so apps that keep pictures for weeks fetch the new one.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.http import Http404
from django.urls import reverse
from django.utils.translation import get_language

from web.link_pictures import letters
from web.link_pictures.canvas import Canvas

EDITION = 2
"""Raise it when pictures of the same matter change their look."""


@dataclass(frozen=True)
class Picture:
    """A picture that can be drawn, in the language and the zone of the moment."""

    version: str
    draw: Callable[[], Canvas]


Find = Callable[[str], Picture]
_kinds: dict[str, Find] = {}


def register(kind: str, find: Find) -> None:
    """Declare a kind: `find` gets the key from the address. Raises `Http404` if a stranger may not see it."""
    _kinds[kind] = find


def find(kind: str, key: str) -> Picture:
    """The picture of this kind and key. Raises `Http404`."""
    if kind not in _kinds:
        raise Http404("There is no such kind of picture.")
    return _kinds[kind](key)


def version_of(*parts: object) -> str:
    """A short text that changes with these values, whose `repr` must tell them apart."""
    return hashlib.sha256(repr((EDITION, letters.known(), *parts)).encode()).hexdigest()[:12]


def address(kind: str, key: str, version: str) -> str:
    """The path of a picture in the language of the page."""
    return reverse("link_picture", args=[kind, key, version, get_language() or "en"])
