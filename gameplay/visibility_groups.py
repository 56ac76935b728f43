"""Circles that a table can be limited to. The apps above name them, because tables know of no clubs."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from accounts.models import User


class Circle(NamedTuple):
    """A circle of people: its reference at tables, such as `club:12`, its name and its time zone."""

    ref: str
    name: str
    time_zone: str


CirclesOf = Callable[[User], Iterable[Circle]]
_sources: list[CirclesOf] = []


def register(circles_of: CirclesOf) -> None:
    """Add a source of circles: the circles that a person belongs to."""
    _sources.append(circles_of)


def circles_of(user: User) -> list[Circle]:
    """Every circle the person belongs to."""
    return [circle for source in _sources for circle in source(user)]


def choices(circles: Iterable[Circle]) -> list[tuple[str, str]]:
    """Circles as the choices of a field."""
    return [(circle.ref, circle.name) for circle in circles]


def circle_in(circles: Iterable[Circle], ref: str) -> Circle | None:
    """The one of these circles with this `ref`."""
    return next((circle for circle in circles if circle.ref == ref), None)


def circle_of(user: User, ref: str) -> Circle | None:
    """The circle with this `ref`, if the person belongs to it."""
    return circle_in(circles_of(user), ref) if ref else None


def belongs(user: User, ref: str) -> bool:
    """Whether the person belongs to the circle with this `ref`."""
    return circle_of(user, ref) is not None
