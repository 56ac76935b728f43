"""Export of a whole club as one file, and import from one, perhaps on another site."""

import io
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import IO, Any, BinaryIO, Unpack

from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext, pgettext
from PIL import Image

from accounts.budgets import CLUBS, spend
from accounts.models import User
from clubs.exports import archive as writing
from clubs.exports.archive_rows import CARRIED, PHOTO, events_of
from clubs.imports import archive as reading
from clubs.imports.archive import Archive, damaged
from clubs.models import Act, Club, Membership
from clubs.services import club_lifecycle, lookups, naming
from clubs.services.history import ActionRequest, Anybody, Never, Record, declare, note, perform, rolled_back
from clubs.services.leagues import event_roles
from gameplay.models import SheetPhoto
from gameplay.score_sheets.photo_files import KEPT_BYTES, LONGEST_SIDE
from tournaments.models import Round, Tournament
from tournaments.round_names import matchday_name
from tournaments.services.events import event_transfer
from web.database.row_transfer import Damaged, Reserved, from_data, save
from web.errors import Refused
from web.text import on_calendar

AGAIN = timedelta(minutes=10)
"""Time for which a file whose answer was lost is sent again under its key."""
Rows = dict[str, list[Model]]
_AFTER = frozenset(label for label in CARRIED if label.startswith("tournaments."))
"""Rows that tournaments import themselves."""


EXPORT = declare(
    "taken", needs="data", undo=Never("A file that somebody has cannot be taken from them."), archived=True
)


def export_club(club_id: int, by: User, to: BinaryIO, **how: Unpack[ActionRequest]) -> Act:
    """Write the whole club to an empty file. Nothing of it changes while it is written, except the history.

    The same key gets the file again for a while, with no new line in the history. Raises `NotAllowed`, or `Refused` for
    an old key. Also for archived clubs.
    """

    def do(record: Record) -> str:
        _write(record.club, to, record.now)
        return gettext("%(by)s downloaded the whole club as a file.") % {"by": record.by}

    act = perform(club_id, do, EXPORT, by=by, **how)
    if not to.tell():
        if timezone.now() - act.at > AGAIN:
            raise Refused("key_used", gettext("The club has already been exported under this key. Choose another."))
        with rolled_back(club_id) as club:
            _write(club, to, timezone.now())
    return act


def _write(club: Club, to: BinaryIO, now: datetime) -> None:
    events = list(events_of(club).values_list("pk", flat=True))
    # Every act of an event starts with this lock.
    list(Tournament.objects.select_for_update().filter(pk__in=events).order_by("pk"))
    writing.write(club, to, now)


IMPORT = declare(
    "brought",
    needs=Anybody("The club belongs to whoever imports it."),
    undo=Never("The club would be gone with everything in it. Archive it instead."),
)


def import_club(
    by: User, file: IO[bytes], *, slug: str = "", own_name: str = "", request_key: str | None = None
) -> Club:
    """Create a club from a file, with all its data; the importer becomes its owner.

    `slug` replaces its address in the file. `own_name` is the importer's name in the club's list; without one they are
    added to it. Raises `Refused` with the `field` that is wrong.
    """
    lookups.check_account(by)
    archive = reading.read(file)
    try:
        with transaction.atomic():
            # The row of the person, so that the same form sent twice makes one club.
            User.objects.select_for_update(no_key=True).get(pk=by.pk)
            if request_key and (act := Act.objects.filter(by=by, kind="brought", request_key=request_key).first()):
                return act.club
            spend(CLUBS, by)
            club = _store(by, archive, slug.strip(), " ".join(own_name.split()))
            record = Record(club, by, timezone.now())
            event_roles.sync(club, by, within=record)
            made_at = archive.made_at.astimezone(club.zone)
            words = gettext("%(by)s imported the club from a file dated %(day)s.") % {
                "by": by,
                "day": on_calendar(made_at, pgettext("date format", "j F Y")),
            }
            note(record, IMPORT, words, request_key=request_key)
            return club
    except (Damaged, IntegrityError) as error:
        raise damaged() from error


def _store(by: User, archive: Archive, slug: str, own_name: str) -> Club:
    """Store every row of an archive. Raises `Refused` or `Damaged`."""
    reserved = Reserved()
    for label, numbers in archive.numbers.items():
        reserved.reserve(CARRIED[label], len(archive.rows[label]), numbers)
    by_label = {label: _rows(label, archive.rows[label], reserved) for label in CARRIED}
    club = _prepare_club(by, by_label["clubs.club"], slug)
    _assign_owner(by, club, by_label["clubs.membership"], own_name)
    _attach_photos(by_label[PHOTO.label], archive.photos)
    _name_matchdays(by_label)

    def store(label: str, rows: Sequence[Model]) -> None:
        save(CARRIED[label], rows)

    for row in by_label.pop("clubs.club"):
        if row is not club:
            _prepare_guest(row)
        store("clubs.club", [row])  # separately, so that no two take the same address
    for label, rows in by_label.items():
        if label not in _AFTER:
            store(label, rows)
    event_transfer.import_rows({label: rows for label, rows in by_label.items() if label in _AFTER}, by, store)
    if not Membership.objects.filter(club=club, user=by).exists():
        name = str(by)[: naming.LONGEST_OF_PERSON]
        Membership.objects.create(club=club, user=by, name=name, role=Membership.Role.OWNER)
    return club


def _rows(label: str, contents: Sequence[Any], reserved: Reserved) -> list[Model]:
    for number, values in enumerate(contents, 1):
        if not isinstance(values, dict) or values.get("id") != number:
            raise Damaged(gettext("the rows of %(label)s are not in order") % {"label": label})
    return [from_data(CARRIED[label], values, reserved) for values in contents]


def _prepare_club(by: User, clubs: Sequence[Model], slug: str) -> Club:
    """Give the club its address, and the importer as its creator."""
    club = clubs[0] if clubs else None
    if not isinstance(club, Club):
        raise Damaged(gettext("the club is missing"))
    club.slug = club_lifecycle.check_slug(slug or club.slug)
    club.created_by = by
    return club


def _prepare_guest(club: Model) -> None:
    """Archive another club of its leagues, which has only names as members here."""
    assert isinstance(club, Club)  # noqa: S101  by its label
    club.slug, club.is_listed, club.joining = club_lifecycle.free_slug(club.name), False, Club.Joining.LINK
    club.archived_at = timezone.now()


def _assign_owner(by: User, club: Club, rows: Sequence[Model], own_name: str) -> None:
    """Make the importer owner, under their name in the club's list."""
    if not own_name:
        return
    members = [row for row in rows if isinstance(row, Membership) and row.club_id == club.pk and row.left_at is None]
    matching = [member for member in members if member.name.casefold() == own_name.casefold()]
    if len(matching) != 1:
        owners = ", ".join(member.name for member in members if member.role == Membership.Role.OWNER)[:200]
        words = (
            gettext("Nobody in the club is called %(name)s. The club’s owners are: %(owners)s.")
            if not matching
            else gettext("Several people are called %(name)s. The club’s owners are: %(owners)s.")
        )
        name = matching[0].name if matching else own_name[:60]
        raise Refused("no_such_name", words % {"name": name, "owners": owners or gettext("nobody")}, field="own_name")
    matching[0].user, matching[0].role, matching[0].email = by, Membership.Role.OWNER, ""


def _attach_photos(photos: Sequence[Model], images: Mapping[int, bytes]) -> None:
    for number, photo in enumerate(photos, 1):
        assert isinstance(photo, SheetPhoto)  # noqa: S101  by its label
        if not _is_photo(photo, images[number]):
            raise Damaged(gettext("a photo cannot be read"))
        photo.image = images[number]


def _name_matchdays(by_label: Mapping[str, Sequence[Model]]) -> None:
    """Name the rounds of divisions as matchdays, which older exports do not."""
    ids = {getattr(division, "tournament_id", None) for division in by_label["clubs.division"]}
    stages = {stage.pk for stage in by_label["tournaments.stage"] if getattr(stage, "tournament_id", None) in ids}
    for event in by_label["tournaments.tournament"]:
        assert isinstance(event, Tournament)  # noqa: S101  by its label
        event.has_matchdays = event.has_matchdays or event.pk in ids
    for round_ in by_label["tournaments.round"]:
        assert isinstance(round_, Round)  # noqa: S101  by its label
        if round_.stage_id in stages:
            round_.name = matchday_name(round_.name)


def _is_photo(photo: SheetPhoto, image: bytes) -> bool:
    """Whether an image is as the site stores them: a JPEG of this size, with nothing else in it."""
    try:
        with Image.open(io.BytesIO(image), formats=("JPEG",)) as picture:
            picture.verify()
            is_bare = not picture.getexif() and not set(picture.info) & {"comment", "icc_profile", "xmp", "photoshop"}
            size = picture.size
    except Exception:  # a broken image makes its decoder raise anything
        return False
    return is_bare and size == (photo.width, photo.height) and max(size) <= LONGEST_SIDE and len(image) <= KEPT_BYTES
