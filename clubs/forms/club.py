"""The fields of a club as its forms send them."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from clubs.models import Club
from clubs.services.settings import FLAGS, LABELS

FIELDS = tuple(LABELS)


def typed_fields(request: HttpRequest, names: Iterable[str]) -> dict[str, Any]:
    """The input for these fields of a club."""
    return {name: name in request.POST if name in FLAGS else request.POST.get(name, "")[:5000] for name in names}


def fields_of(club: Club) -> dict[str, Any]:
    """The fields of a club as they are."""
    return {name: getattr(club, name) for name in FIELDS}


def choices() -> dict[str, Any]:
    """The choices of a club’s forms."""
    return {"colours": Club.Colour.choices, "crests": Club.Crest.choices, "ways": Club.Joining.choices}
