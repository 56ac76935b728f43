"""What clubs and the people in them are called."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

from accounts.display_names import clean_display_name, folded
from clubs.models import Membership
from clubs.services.history import Record
from web.errors import Refused
from web.text import number

LONGEST = 80
"""The most characters of a club's name."""
LONGEST_OF_PERSON = 60


def clean(name: str, longest: int = LONGEST) -> str:
    """The name with single spaces. Raises `Refused` with a sentence where it cannot be shown as it is."""
    try:
        return clean_display_name(name, longest)
    except ValidationError as error:
        raise Refused("bad_name", " ".join(error.messages)) from None


def clean_address(text: str) -> str:
    """An e-mail address in small letters; empty for none. Raises `Refused`."""
    address = text.strip().lower()
    if not address:
        return ""
    try:
        validate_email(address)
    except ValidationError:
        raise Refused(
            "bad_email", gettext("%(text)s is not an email address.") % {"text": text.strip()[:80]}, field="email"
        ) from None
    if len(address) > 254:
        raise Refused("bad_email", gettext("That email address is too long."), field="email")
    return address


def taken(record: Record, besides: int | None = None) -> dict[str, str]:
    """The names of a club's people, by themselves as `folded`."""
    here = Membership.objects.filter(club=record.club, left_at=None).exclude(pk=besides or 0)
    return {folded(name): name for name in here.values_list("name", flat=True)}


def check_free(record: Record, name: str, besides: int | None = None) -> None:
    """Raise `Refused` where somebody else of the club is called so."""
    if folded(name) in taken(record, besides):
        raise Refused(
            "name_taken",
            gettext("%(name)s is already in the club. Add something that tells them apart, such as a second name.")
            % {"name": name},
        )


def free(record: Record, name: str, besides: int | None = None) -> str:
    """The name, with a number behind it where somebody else of the club is called so."""
    others, number, found = taken(record, besides), 1, name
    while folded(found) in others:
        number += 1
        mark = f" ({number})"
        found = name[: LONGEST_OF_PERSON - len(mark)] + mark
    return found


def clean_text(text: str, longest: int, what: str, *, field: str) -> str:
    """A person's own text without blanks around it. Raises `Refused` if it is too long."""
    stripped = text.strip()
    if len(stripped) > longest:
        raise Refused(
            "too_long",
            gettext("%(what)s can have at most %(longest)s characters.") % {"what": what, "longest": number(longest)},
            field=field,
        )
    return stripped
