"""Questions about clubs."""

from __future__ import annotations

from typing import Any

from accounts.models import User
from clubs.exports.own import own
from clubs.models import Club
from gameplay.visibility_groups import Circle


def circles_of(user: User) -> list[Circle]:
    """The person's clubs, as circles that a table may be kept to."""
    own = Club.objects.alive().filter(memberships__user__pk=user.pk, memberships__left_at=None)
    return [Circle(club.circle, club.name) for club in own]


def club_of(circle: str) -> Club | None:
    """The club that a table or an event keeps as its circle."""
    kind, _, number = circle.partition(":")
    return Club.objects.filter(pk=int(number)).first() if kind == "club" and number.isdecimal() else None


def export(user: User) -> dict[str, list[dict[str, Any]]]:
    """What clubs know of a person, ready for JSON."""
    return own(user)
