"""Clubs: created, archived and restored; and their addresses."""

import re
from collections.abc import Mapping
from typing import Any, Unpack

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import CLUBS, spend
from accounts.models import User
from clubs.models import Act, Club, Membership
from clubs.services import lookups, naming, settings
from clubs.services.history import ActionRequest, Anybody, Never, Record, declare, note, perform
from web.errors import Refused
from web.text import as_address

RESERVED = frozenset(
    {
        "new",
        "import",
        "join",
        "claim",
        "invitation",
        "letters",
        "newsletter",
        "rules",
        "shared",
        "mine",
        "feed",
        "coming",
    }
    | {"search", "embed", "api", "about", "all", "events", "leagues", "members", "news", "settings", "admin"}
)
"""Addresses that other pages have, or may have."""
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
ATTEMPTS = 20


CLUB_START = declare(
    "make",
    needs=Anybody("The club belongs to whoever starts it."),
    undo=Never("The club would be gone with everything in it. Archive it instead."),
)


def make_club(
    by: User, *, name: str, slug: str = "", fields: Mapping[str, Any] | None = None, request_key: str | None = None
) -> Club:
    """Start a club and make the person its owner.

    `slug` is the preferred address; without one it follows from the name. `fields` are those of `settings.LABELS`.
    Raises `Refused` with the `field` that is wrong.
    """
    lookups.check_account(by)
    values = settings.read({"time_zone": by.time_zone, **(fields or {}), "name": name})
    chosen_slug = check_slug(slug) if slug.strip() else ""
    with transaction.atomic():
        # The row of the person, so that the same form sent twice makes one club.
        User.objects.select_for_update(no_key=True).get(pk=by.pk)
        if request_key and (act := Act.objects.filter(by=by, kind="make", request_key=request_key).first()):
            return act.club
        spend(CLUBS, by)
        club = Club(created_by=by, **values)
        _save(club, chosen_slug)
        record = Record(club, by, timezone.now())
        Membership.objects.create(
            club=club, user=by, name=str(by)[: naming.LONGEST_OF_PERSON], role=Membership.Role.OWNER
        )
        note(record, CLUB_START, gettext("%(by)s started the club.") % {"by": by}, request_key=request_key)
        return club


def check_slug(text: str) -> str:
    """An address, checked. Raises `Refused`."""
    slug = text.strip().lower()
    if len(slug) > 50 or not _SLUG.fullmatch(slug):
        raise Refused(
            "bad_slug", gettext("Use only a–z, 0–9 and hyphens between them, at most 50 characters."), field="slug"
        )
    if slug in RESERVED or Club.objects.filter(slug=slug).exists():
        raise Refused(
            "slug_taken", gettext("The address %(slug)s is taken. Choose another.") % {"slug": slug}, field="slug"
        )
    return slug


def free_slug(name: str) -> str:
    """An unused address made from a name."""
    base = as_address(name)[:44].strip("-") or "club"
    used = set(Club.objects.filter(slug__startswith=base).values_list("slug", flat=True)) | RESERVED
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in used:
        number += 1
    return slug


def _save(club: Club, slug: str) -> None:
    """Store a new club under its address, even if others start one of the same name at this moment."""
    for attempt in range(ATTEMPTS):
        club.slug = slug or free_slug(club.name)
        try:
            with transaction.atomic():
                club.save()
            return
        except IntegrityError:
            if slug:
                raise Refused(
                    "slug_taken",
                    gettext("The address %(slug)s is taken. Choose another.") % {"slug": slug},
                    field="slug",
                ) from None
            if attempt == ATTEMPTS - 1:
                raise


ARCHIVING = declare("archive", needs="archive", undo=Never("Restore the club instead."))
RESTORATION = declare("bring_back", needs="archive", undo=Never("Archive the club again instead."), archived=True)


def archive(club_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Archive a club: it can be read, but not changed until it is restored."""

    def do(record: Record) -> str:
        record.change(record.club, archived_at=record.now)
        return gettext("The club was archived.")

    return perform(club_id, do, ARCHIVING, by=by, **how)


def restore(club_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Restore an archived club."""

    def do(record: Record) -> str:
        if record.club.archived_at is None:
            raise Refused("not_archived", gettext("The club is not archived."))
        record.change(record.club, archived_at=None)
        return gettext("The club was restored.")

    return perform(club_id, do, RESTORATION, by=by, **how)
