"""Fields of contact details and consents, on a member’s own page and on that for organisers."""

from typing import Any

from django.http import HttpRequest

from clubs.models import Membership
from clubs.services.members.contact_details import CONSENTS, Details

TYPED = {"phone": 200, "address": 1000, "hears_by": 20}
"""Texts, and the most characters that are read of them."""


def read(request: HttpRequest) -> Details:
    """The details that a form sent; nothing if it has no such fields."""
    if "address" not in request.POST:
        return {}
    return Details(
        phone=request.POST.get("phone", "")[: TYPED["phone"]],
        address=request.POST["address"][: TYPED["address"]],
        hears_by=request.POST.get("hears_by", "")[: TYPED["hears_by"]],
        shows_email=CONSENTS["email"] in request.POST,
        shows_phone=CONSENTS["phone"] in request.POST,
        shows_address=CONSENTS["address"] in request.POST,
    )


def values(member: Membership, request: HttpRequest | None = None) -> dict[str, Any]:
    """What the fields hold: what is stored or, of a refused form (`request`), what was typed."""
    consents = ("is_listed", *CONSENTS.values())
    if request is None:
        return {name: getattr(member, name) for name in (*TYPED, *consents)}
    texts = {name: request.POST.get(name, "")[:most] for name, most in TYPED.items()}
    return texts | {name: name in request.POST for name in consents}
