"""Questions about clubs."""

from typing import Any

from accounts.models import User
from clubs.exports.own import personal_data
from clubs.models import Club
from gameplay.visibility_groups import Circle


def circles_of(user: User) -> list[Circle]:
    """The person's clubs, as circles that a table can be limited to."""
    clubs = Club.objects.alive().filter(memberships__user__pk=user.pk, memberships__left_at=None)
    return [Circle(club.circle, club.name, club.time_zone) for club in clubs]


def club_of(circle: str) -> Club | None:
    """The club that a table or an event has as its circle."""
    kind, _, number = circle.partition(":")
    return Club.objects.filter(pk=int(number)).first() if kind == "club" and number.isdecimal() else None


def export(user: User) -> dict[str, list[dict[str, Any]]]:
    """Data that clubs hold about a person, ready for JSON."""
    return personal_data(user)
