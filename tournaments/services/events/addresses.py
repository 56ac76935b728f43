"""Addresses of events: from the name, free, and never changed."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from gameplay.models import new_slug
from tournaments.models import Tournament

ATTEMPTS = 20
RESERVED = {"new", "past", "mine", "card", "ratings", "templates", "preview", "feed"}
"""Addresses that pages of their own may have."""


def save_under_free_one(tournament: Tournament) -> None:
    """Store a new event under an address that nobody has, even where others make one of the same name right now."""
    for attempt in range(ATTEMPTS):
        tournament.slug = free_slug(tournament)
        try:
            with transaction.atomic():
                tournament.save()
            return
        except IntegrityError:
            if attempt == ATTEMPTS - 1:
                raise


def free_slug(tournament: Tournament) -> str:
    """An address from the name that nobody has; for an event that is open to whoever has the link, one nobody guesses."""
    base = slugify(tournament.name)[:50].strip("-") or "event"
    if tournament.visibility == Tournament.Visibility.LINK:
        return f"{base}-{new_slug()}"
    taken = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in taken | RESERVED:
        number += 1
    return slug
