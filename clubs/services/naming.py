"""Names of clubs and their members, and other short texts."""

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext

from accounts.display_names import clean_name, folded
from clubs.models import Membership
from clubs.services.history import Record
from web.errors import Refused
from web.text import number

LONGEST = 80
"""The most characters of a club's name."""
LONGEST_OF_PERSON = 60


def clean(name: str, longest: int = LONGEST, **details: str) -> str:
    """The name with single spaces. Raises `Refused`, with these details, if it cannot be shown as it is."""
    return clean_name(name, longest, **details)


def clean_address(text: str) -> str:
    """An email address in lower case; empty for none. Raises `Refused`."""
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


def used_names(record: Record, besides: int | None = None) -> dict[str, str]:
    """The names of a club's members, by their `folded` form."""
    here = Membership.objects.filter(club=record.club, left_at=None).exclude(pk=besides or 0)
    return {folded(name): name for name in here.values_list("name", flat=True)}


def check_free(record: Record, name: str, besides: int | None = None) -> None:
    """Raise `Refused` if someone else in the club has this name."""
    if folded(name) in used_names(record, besides):
        raise Refused(
            "name_taken",
            gettext("%(name)s is already in the club. Add something that tells them apart, such as a second name.")
            % {"name": name},
        )


def free_name(record: Record, name: str, besides: int | None = None) -> str:
    """The name, with a number after it if someone else in the club has it."""
    used, number, candidate = used_names(record, besides), 1, name
    while folded(candidate) in used:
        number += 1
        mark = f" ({number})"
        candidate = name[: LONGEST_OF_PERSON - len(mark)] + mark
    return candidate


def clean_text(text: str, longest: int, label: str, *, field: str) -> str:
    """A person's own text without blanks around it. Raises `Refused` if it is too long."""
    stripped = text.strip()
    if len(stripped) > longest:
        raise Refused(
            "too_long",
            gettext("%(what)s can have at most %(longest)s characters.") % {"what": label, "longest": number(longest)},
            field=field,
        )
    return stripped
