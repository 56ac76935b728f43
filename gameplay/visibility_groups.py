"""Circles that a table can be limited to. The apps above name them, because tables know of no clubs."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from accounts.models import User


class Circle(NamedTuple):
    """A circle of people: its reference at tables, such as `club:12`, and its name."""

    ref: str
    name: str


CirclesOf = Callable[[User], Iterable[Circle]]
_sources: list[CirclesOf] = []


def register(circles_of: CirclesOf) -> None:
    """Add a source of circles: the circles that a person belongs to."""
    _sources.append(circles_of)


def circles_of(user: User) -> list[Circle]:
    """Every circle the person belongs to."""
    return [circle for source in _sources for circle in source(user)]


def belongs(user: User, ref: str) -> bool:
    """Whether the person belongs to the circle with this `ref`."""
    return bool(ref) and any(circle.ref == ref for circle in circles_of(user))
