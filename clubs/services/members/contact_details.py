"""Contact details of members, how they like to hear from the club, and what the members' handbook may show of them."""

from typing import Any, TypedDict

from django.utils.translation import gettext

from accounts.models import User
from clubs.contact_limits import LONGEST_ADDRESS, LONGEST_PHONE, MOST_LINES
from clubs.models import Membership
from clubs.services import naming
from web.errors import Refused

CONSENTS = {"email": "shows_email", "phone": "shows_phone", "address": "shows_address"}
"""Details that the handbook can show, and the fields that allow it."""


class Details(TypedDict, total=False):
    """What a member, or the club for a member without an account, can say; what is left out stays."""

    phone: str
    address: str
    hears_by: str
    shows_email: bool
    shows_phone: bool
    shows_address: bool


FIELDS = tuple(Details.__annotations__)


def clean(member: Membership, details: Details, *, email: str) -> dict[str, Any]:
    """The fields to store. Nobody agrees to show a detail that there is not. Raises `Refused`."""
    values: dict[str, Any] = {name: getattr(member, name) for name in FIELDS} | dict(details)
    values["phone"] = naming.clean_text(
        " ".join(values["phone"].split()), LONGEST_PHONE, gettext("A phone number"), field="phone"
    )
    values["address"] = clean_address(values["address"])
    if values["hears_by"] not in ("", *Membership.HearsBy.values):
        raise Refused("bad_choice", gettext("Choose how they like to hear from the club."), field="hears_by")
    shown = {"email": email, "phone": values["phone"], "address": values["address"]}
    return values | {consent: bool(values[consent] and shown[detail]) for detail, consent in CONSENTS.items()}


def clean_address(text: str) -> str:
    """A postal address in lines without blanks around them. Raises `Refused`."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if len(lines) > MOST_LINES:
        raise Refused(
            "too_long", gettext("An address can have at most %(count)s lines.") % {"count": MOST_LINES}, field="address"
        )
    return naming.clean_text("\n".join(lines), LONGEST_ADDRESS, gettext("An address"), field="address")


def email_of(member: Membership) -> str:
    """The address by which a member is reached: the account's, or the one that the club has."""
    return member.user.email if member.user is not None else member.email


def shown(member: Membership) -> dict[str, str]:
    """The details that a member allows other members to see; empty texts for the rest."""
    details = {"email": email_of(member), "phone": member.phone, "address": member.address}
    return {name: details[name] if getattr(member, consent) else "" for name, consent in CONSENTS.items()}


def claimed(name: Membership, user: User) -> dict[str, Any]:
    """The fields of a row that a person claims: the club's email address goes, the rest is theirs from now on."""
    is_same = name.email.casefold() == user.email.casefold()
    entered = {field: getattr(name, field) for field in UNSAID}
    return {**entered, "email": "", "shows_email": name.shows_email and is_same}


def taken_over(name: Membership, member: Membership) -> dict[str, Any]:
    """What a member takes over from a name that they claim besides: details that they have not entered themselves."""
    values: dict[str, Any] = {}
    for detail in ("phone", "address"):
        if getattr(name, detail) and not getattr(member, detail):
            consent = CONSENTS[detail]
            values |= {detail: getattr(name, detail), consent: getattr(name, consent)}
    if name.hears_by and not member.hears_by:
        values["hears_by"] = name.hears_by
    return values


NOTHING_SHOWN = dict.fromkeys(CONSENTS.values(), False)
"""The consents of people who left."""
FORGOTTEN: dict[str, Any] = {"phone": "", "address": "", "hears_by": "", **NOTHING_SHOWN}
"""What is left of these fields when a person is forgotten."""
UNSAID: dict[str, Any] = {**FORGOTTEN, "contact": "", "is_listed": False}
"""What people enter in their club profile, while they have said nothing."""
