"""Addresses of events: from the name, unique, and never changed."""

from django.db import IntegrityError, transaction

from gameplay.models import new_slug
from tournaments.models import Tournament
from web.text import as_address

ATTEMPTS = 20
RESERVED = {"new", "past", "mine", "card", "ratings", "templates", "preview", "feed"}
"""Addresses reserved for other pages."""


def save_under_free_one(tournament: Tournament) -> None:
    """Store a new event under a unique address, even if others create one of the same name right now."""
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
    """A unique address from the name, or an unguessable one for an event that is open by link."""
    base = as_address(tournament.name)[:50].strip("-") or "event"
    if tournament.visibility == Tournament.Visibility.LINK:
        return f"{base}-{new_slug()}"
    used = set(Tournament.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in used | RESERVED:
        number += 1
    return slug
