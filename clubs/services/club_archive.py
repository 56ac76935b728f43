"""A whole club taken away as one file, and brought in from one, perhaps on another site.

Archiving a club, so that it rests, is something else: `services.making.archive`.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import IO, Any, BinaryIO, Unpack

from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext, pgettext
from PIL import Image

from accounts.models import User
from clubs.exports import archive as writing
from clubs.exports.archive_rows import CARRIED, PHOTO, events_of
from clubs.imports import archive as reading
from clubs.imports.archive import Archive, damaged
from clubs.models import Act, Club, Membership
from clubs.services import club_lifecycle, lookups, naming
from clubs.services.history import Anybody, How, Never, Record, declare, note, perform, rolled_back
from clubs.services.leagues import event_roles
from gameplay.models import SheetPhoto
from gameplay.score_sheets.photo_files import KEPT_BYTES, LONGEST_SIDE
from tournaments.models import Tournament
from tournaments.services.events import event_transfer
from web.database.row_transfer import Damaged, Reserved, back, save
from web.errors import Refused
from web.text import on_calendar

AGAIN = timedelta(minutes=10)
"""For so long a file whose answer was lost is given once more under its key."""
Rows = dict[str, list[Model]]
_AFTER = frozenset(label for label in CARRIED if label.startswith("tournaments."))
"""Rows that tournaments take in themselves."""


EXPORT = declare(
    "taken", needs="data", undo=Never("A file that somebody has cannot be taken from them."), archived=True
)


def take_away(club_id: int, by: User, to: BinaryIO, **how: Unpack[How]) -> Act:
    """Write the whole club to an empty file. Nothing of it changes meanwhile, but that the history says who took it.

    Who asks again with the same key is given it once more for a while, and the history says nothing new.
    Raises `NotAllowed`, or `Refused` for a key of long ago. Also for archived clubs.
    """

    def do(record: Record) -> str:
        _write(record.club, to, record.now)
        return gettext("%(by)s downloaded the whole club as a file.") % {"by": record.by}

    done = perform(club_id, do, EXPORT, by=by, **how)
    if not to.tell():
        if timezone.now() - done.at > AGAIN:
            raise Refused("key_used", gettext("The club has already been exported under this key. Choose another."))
        with rolled_back(club_id) as club:
            _write(club, to, timezone.now())
    return done


def _write(club: Club, to: BinaryIO, now: datetime) -> None:
    events = list(events_of(club).values_list("pk", flat=True))
    # Every act of an event begins with this lock.
    list(Tournament.objects.select_for_update().filter(pk__in=events).order_by("pk"))
    writing.write(club, to, now)


IMPORT = declare(
    "brought",
    needs=Anybody("The club belongs to whoever imports it."),
    undo=Never("The club would be gone with everything in it. Archive it instead."),
)


def bring_in(by: User, file: IO[bytes], *, slug: str = "", own_name: str = "", request_key: str | None = None) -> Club:
    """Make a club from a file, with everything it had; whoever brings it owns it.

    `slug` is its address here, where it is not to be the one it had. `own_name` is what the club's list calls whoever
    brings it; without, they are added to it. Raises `Refused` with the `field` that is wrong.
    """
    lookups.check_account(by)
    found = reading.read(file)
    try:
        with transaction.atomic():
            # The row of the person, so that the same form sent twice makes one club.
            User.objects.select_for_update(no_key=True).get(pk=by.pk)
            if request_key and (done := Act.objects.filter(by=by, kind="brought", request_key=request_key).first()):
                return done.club
            _check_not_too_many(by)
            club = _store(by, found, slug.strip(), " ".join(own_name.split()))
            record = Record(club, by, timezone.now())
            event_roles.sync(club, by, within=record)
            made = found.made_at.astimezone(club.zone)
            words = gettext("%(by)s imported the club from a file dated %(day)s.") % {
                "by": by,
                "day": on_calendar(made, pgettext("date format", "j F Y")),
            }
            note(record, IMPORT, words, request_key=request_key)
            return club
    except (Damaged, IntegrityError) as error:
        raise damaged() from error


def _check_not_too_many(by: User) -> None:
    since = timezone.now() - timedelta(days=1)
    if Act.objects.filter(by=by, kind__in=("make", "brought"), at__gt=since).count() >= club_lifecycle.MOST_A_DAY:
        raise Refused(
            "too_many",
            gettext("You can start at most %(most)s clubs a day.") % {"most": club_lifecycle.MOST_A_DAY},
        )


def _store(by: User, found: Archive, slug: str, own_name: str) -> Club:
    """Every row of an archive. Raises `Refused` or `Damaged`."""
    reserved = Reserved()
    for label, numbers in found.numbers.items():
        reserved.reserve(CARRIED[label], len(found.rows[label]), numbers)
    made = {label: _rows(label, found.rows[label], reserved) for label in CARRIED}
    club = _settle_club(by, made["clubs.club"], slug)
    _settle_people(by, club, made["clubs.membership"], own_name)
    _settle_photos(made[PHOTO.label], found.photos)

    def store(label: str, own: Sequence[Model]) -> None:
        save(CARRIED[label], own)

    for one in made.pop("clubs.club"):
        if one is not club:
            _settle_guest(one)
        store("clubs.club", [one])  # one by one, so that no two take the same address
    for label, own in made.items():
        if label not in _AFTER:
            store(label, own)
    event_transfer.take_in({label: own for label, own in made.items() if label in _AFTER}, by, store)
    if not Membership.objects.filter(club=club, user=by).exists():
        name = str(by)[: naming.LONGEST_OF_PERSON]
        Membership.objects.create(club=club, user=by, name=name, role=Membership.Role.OWNER)
    return club


def _rows(label: str, found: Sequence[Any], reserved: Reserved) -> list[Model]:
    for number, values in enumerate(found, 1):
        if not isinstance(values, dict) or values.get("id") != number:
            raise Damaged(gettext("the rows of %(label)s are not in order") % {"label": label})
    return [back(CARRIED[label], values, reserved) for values in found]


def _settle_club(by: User, clubs: Sequence[Model], slug: str) -> Club:
    """The club gets its address, and whoever brings it as the one who made it."""
    club = clubs[0] if clubs else None
    if not isinstance(club, Club):
        raise Damaged(gettext("the club is missing"))
    club.slug = club_lifecycle.check_slug(slug or club.slug)
    club.created_by = by
    return club


def _settle_guest(club: Model) -> None:
    """Another club of its leagues rests here, with nobody in it but names."""
    assert isinstance(club, Club)  # noqa: S101  by its label
    club.slug, club.is_listed, club.joining = club_lifecycle.free_slug(club.name), False, Club.Joining.LINK
    club.archived_at = timezone.now()


def _settle_people(by: User, club: Club, people: Sequence[Model], own_name: str) -> None:
    """Whoever brings the club becomes its owner under the name it has in the club's list."""
    if not own_name:
        return
    own = [one for one in people if isinstance(one, Membership) and one.club_id == club.pk and one.left_at is None]
    found = [one for one in own if one.name.casefold() == own_name.casefold()]
    if len(found) != 1:
        owners = ", ".join(one.name for one in own if one.role == Membership.Role.OWNER)[:200]
        words = (
            gettext("Nobody in the club is called %(name)s. Its owners are: %(owners)s.")
            if not found
            else gettext("Several people are called %(name)s. Its owners are: %(owners)s.")
        )
        name = found[0].name if found else own_name[:60]
        raise Refused("no_such_name", words % {"name": name, "owners": owners or gettext("nobody")}, field="own_name")
    found[0].user, found[0].role, found[0].email = by, Membership.Role.OWNER, ""


def _settle_photos(photos: Sequence[Model], images: Mapping[int, bytes]) -> None:
    for number, one in enumerate(photos, 1):
        assert isinstance(one, SheetPhoto)  # noqa: S101  by its label
        if not _is_photo(one, images[number]):
            raise Damaged(gettext("a photo cannot be read"))
        one.image = images[number]


def _is_photo(one: SheetPhoto, image: bytes) -> bool:
    """Whether an image is as the site keeps them: a JPEG of this size, without anything else in it."""
    try:
        with Image.open(io.BytesIO(image), formats=("JPEG",)) as found:
            found.verify()
            is_bare = not found.getexif() and not set(found.info) & {"comment", "icc_profile", "xmp", "photoshop"}
            size = found.size
    except Exception:  # a broken image makes its decoder raise whatever it likes
        return False
    return is_bare and size == (one.width, one.height) and max(size) <= LONGEST_SIDE and len(image) <= KEPT_BYTES
