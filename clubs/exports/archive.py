"""A whole club as one file: a ZIP of JSON, with tables for people and a manifest, described in docs/club-files.md.

Two archives of an unchanged club differ only in their manifests.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, BinaryIO

from django.conf import settings
from django.db.models import Model

from clubs.exports import past, tables
from clubs.exports.archive_rows import CARRIED, GUEST_CLUB, GUEST_MEMBERSHIP, PHOTO, rows_of
from clubs.models import Club, Membership
from gameplay.models import SheetPhoto
from web.database.row_transfer import Numbers, to_data

FORMAT, VERSION = "foothold.club", 3
LIST = "manifest.json"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The time of every file in it, so that equal clubs make equal files."""


def data_name(label: str) -> str:
    """The file of the rows of a model."""
    return f"data/{label}.json"


def photo_name(number: int) -> str:
    """The file of a photograph."""
    return f"photos/{number}.jpg"


def write(club: Club, to: BinaryIO, now: datetime) -> None:
    """Write the archive of a club, row by row. The caller locks the club, so that nothing changes."""
    rows = rows_of(club)
    numbers = Numbers()
    for label, records in rows.items():
        numbers.give(label, records.values_list("pk", flat=True))
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as archive:
        files: dict[str, dict[str, Any]] = {}

        def add(name: str, parts: Iterable[bytes]) -> None:
            files[name] = _file(archive, name, parts)

        for label, records in rows.items():
            add(data_name(label), _lines(_values(club, label, row, numbers) for row in records.iterator(500)))
        for row in rows[PHOTO.label].iterator(5):
            assert isinstance(row, SheetPhoto)  # noqa: S101  by its label
            add(photo_name(numbers.living(PHOTO.label, row.pk) or 0), [bytes(row.image)])
        add("members.csv", [tables.write(club.zone, *past.members(club))])
        add("matches.csv", [tables.write(club.zone, *past.matches(club))])
        manifest = {
            "format": FORMAT,
            "version": VERSION,
            "made_at": now.isoformat(timespec="seconds"),
            "made_by": settings.SITE_URL,
            "club": club.name,
            "numbers": {label: numbers.count(label) for label in CARRIED},
            "files": files,
        }
        _file(archive, LIST, [json.dumps(manifest, ensure_ascii=False, indent=1).encode()])


def _values(club: Club, label: str, row: Model, numbers: Numbers) -> dict[str, Any]:
    values = to_data(CARRIED[label], row, numbers)
    if isinstance(row, Club) and row.pk != club.pk:
        return {name: values[name] for name in GUEST_CLUB}
    if isinstance(row, Membership) and row.club_id != club.pk:
        return {name: values[name] for name in GUEST_MEMBERSHIP}
    return values


def _lines(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """A JSON list, a line for each row."""
    between = b"[\n"
    for row in rows:
        yield between + json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode()
        between = b",\n"
    yield b"[]\n" if between == b"[\n" else b"\n]\n"


def _file(archive: zipfile.ZipFile, name: str, parts: Iterable[bytes]) -> dict[str, Any]:
    """Add a file; return its size and digest."""
    info = zipfile.ZipInfo(name, _LONG_AGO)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    digest, size = hashlib.sha256(), 0
    with archive.open(info, "w") as file:
        for part in parts:
            file.write(part)
            digest.update(part)
            size += len(part)
    return {"bytes": size, "sha256": digest.hexdigest()}
