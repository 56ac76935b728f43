"""What leagues, seasons, divisions and teams are called, and their addresses."""

from __future__ import annotations

from collections.abc import Collection

from django.utils.text import slugify

from accounts.display_names import folded
from clubs.services import naming
from web.errors import Refused

RESERVED = frozenset({"new", "edit", "match", "players", "teams"})
"""Words that stand in addresses where a league or a season could stand."""


def clean(name: str, longest: int, *, field: str = "name") -> str:
    """A name with single spaces. Raises `Refused` with the field."""
    try:
        return naming.clean(name, longest)
    except Refused as refusal:
        raise Refused(refusal.code, refusal.sentence, field=field) from None


def free_slug(name: str, taken: Collection[str], longest: int, *, otherwise: str) -> str:
    """An address from a name that nobody of these has."""
    base = slugify(name)[: longest - 5].strip("-") or otherwise
    count = 1
    while (slug := base if count == 1 else f"{base}-{count}") in taken or slug in RESERVED:
        count += 1
    return slug


def is_taken(name: str, others: Collection[str]) -> bool:
    """Whether one of these is called so, whatever the capitals. Compared here, since databases fold letters each in
    their own way."""
    return folded(name) in {folded(other) for other in others}
