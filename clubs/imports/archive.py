"""The archive of a club, read: bounded, checked against its own list, and nothing of it believed."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import IO, Any

from django.utils.translation import gettext

from clubs.exports.archive import FORMAT, LIST, VERSION, data_name, photo_name
from clubs.exports.archive_rows import CARRIED, PHOTO
from web.database.row_transfer import MOST
from web.errors import Refused

MOST_BYTES = 60_000_000
"""Of the file as it is sent."""
MOST_UNPACKED = 120_000_000
MOST_DATA = 50_000_000
"""Of JSON: some six thousand matches with score sheets and all that was done about them."""
MOST_PARTS = 5_000_000
"""Values in it, about: what is small on paper may be large when it is read."""
MOST_FILES = 5000
_NAMES = re.compile(
    r"manifest\.json|members\.csv|matches\.csv|data/[a-z]{1,30}\.[a-z]{1,30}\.json|photos/[0-9]{1,6}\.jpg"
)
_READ = 1 << 16


@dataclass(frozen=True)
class Archive:
    """What an archive holds."""

    club: str
    made_at: datetime
    made_by: str
    numbers: Mapping[str, int]
    """How many numbers were given to rows of each model, by label."""
    rows: Mapping[str, list[Any]]
    """The rows of each model, in the order of their numbers."""
    photos: Mapping[int, bytes]
    """Images of photographs by their numbers."""


def damaged(what: str = "") -> Refused:
    """The refusal of a file that is not what was written."""
    words = (
        gettext("This file is damaged: %(what)s. Export the club again and upload the new file.") % {"what": what}
        if what
        else gettext("This file is damaged. Export the club again and upload the new file.")
    )
    return Refused("damaged", words)


def too_large() -> Refused:
    """The refusal of a file that holds too much."""
    return Refused("too_large", gettext("This file contains more than a club can have."))


def read(file: IO[bytes]) -> Archive:
    """What a file holds. Raises `Refused` for one that is too large, of a newer version, or damaged."""
    file.seek(0, 2)
    if file.tell() > MOST_BYTES:
        raise Refused(
            "too_large",
            gettext("The file is too large. The limit is %(size)s MB.") % {"size": MOST_BYTES // 1_000_000},
        )
    file.seek(0)
    try:
        with zipfile.ZipFile(file) as archive:
            return _read(archive, _listed(archive))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError):
        raise Refused("no_archive", gettext("This is not a club export file. Its name should end in .zip.")) from None


def _listed(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files of an archive by name. Raises `Refused` where there are others than there should be, or too much."""
    every = archive.infolist()
    data = [one.file_size for one in every if not one.filename.startswith("photos/")]
    unpacked = sum(one.file_size for one in every)
    if len(every) > MOST_FILES or unpacked > MOST_UNPACKED or sum(data) > MOST_DATA:
        raise too_large()
    found = {one.filename: one for one in every}
    if LIST not in found:
        raise Refused("no_archive", gettext("This is not a club export file."))
    for one in every:
        is_plain = one.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not one.flag_bits & 0x1
        if not is_plain or not _NAMES.fullmatch(one.filename):
            raise damaged(
                gettext("it contains “%(filename)s”, which is not part of a club export")
                % {"filename": one.filename[:60]}
            )
    if len(found) != len(every):
        raise damaged(gettext("it contains something twice"))
    return found


def _read(archive: zipfile.ZipFile, found: Mapping[str, zipfile.ZipInfo]) -> Archive:
    told = _json(_content(archive, found[LIST]), LIST)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise Refused("no_archive", gettext("This is not a club export file."))
    version, files = told.get("version"), told.get("files")
    if type(version) is not int or not isinstance(files, dict):
        raise damaged(gettext("its list cannot be read"))
    if version > VERSION:
        raise Refused("newer", gettext("This file was made by a newer version of Foothold. Update this site first."))
    if version < 1 or set(files) != set(found) - {LIST} or {data_name(label) for label in CARRIED} - set(files):
        raise damaged(gettext("a part is missing, or there is one too many"))
    contents = {name: _checked(archive, found[name], files[name]) for name in files if name.startswith("data/")}
    if _parts(contents.values()) > MOST_PARTS:
        raise too_large()
    rows = {label: _json(contents.pop(data_name(label)), label) for label in CARRIED}
    if contents or any(not isinstance(one, list) for one in rows.values()):
        raise damaged(gettext("a value in it has the wrong type"))
    numbers = _numbers(told.get("numbers"), rows)
    photos = {}
    for number in range(1, len(rows[PHOTO.label]) + 1):
        name = photo_name(number)
        if name not in files:
            raise damaged(gettext("a photo is missing"))
        photos[number] = _checked(archive, found[name], files[name])
    for name in ("members.csv", "matches.csv"):
        if name in files:
            _checked(archive, found[name], files[name])
    return Archive(
        club=str(told.get("club", ""))[:80],
        made_at=_time(told.get("made_at")),
        made_by=str(told.get("made_by", ""))[:200],
        numbers=numbers,
        rows=rows,
        photos=photos,
    )


def _numbers(told: Any, rows: Mapping[str, list[Any]]) -> dict[str, int]:
    if not isinstance(told, dict) or set(told) != set(rows):
        raise damaged(gettext("its list cannot be read"))
    for label, number in told.items():
        if type(number) is not int or not len(rows[label]) <= number <= MOST:
            raise damaged(gettext("its list does not match its contents"))
    if sum(told.values()) > MOST:
        raise too_large()
    return told


def _parts(contents: Iterable[bytes]) -> int:
    """About how many values there are in JSON, before it is read."""
    return sum(content.count(sign) for content in contents for sign in (b"{", b"[", b","))


def _checked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, told: Any) -> bytes:
    """A file, compared with what the list says of it."""
    content = _content(archive, info)
    if not isinstance(told, dict) or told.get("bytes") != len(content):
        raise damaged(gettext("%(filename)s does not have the size in the list") % {"filename": info.filename})
    if told.get("sha256") != hashlib.sha256(content).hexdigest():
        raise damaged(gettext("%(filename)s was changed after the export") % {"filename": info.filename})
    return content


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """A file, no more of it than was said."""
    parts, left = [], info.file_size
    with archive.open(info) as file:
        while left >= 0 and (part := file.read(_READ)):
            parts.append(part)
            left -= len(part)
    if left != 0:
        raise damaged(gettext("the size of %(filename)s is wrong") % {"filename": info.filename})
    return b"".join(parts)


def _json(content: bytes, name: str) -> Any:
    if b"\\u0000" in content:
        raise damaged(gettext("%(name)s contains characters that are not allowed in text") % {"name": name})
    try:
        return json.loads(content.decode(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise damaged(gettext("%(name)s cannot be read") % {"name": name}) from None


def _no_number(text: str) -> None:
    raise ValueError(text)


def _time(text: Any) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise damaged(gettext("its list cannot be read")) from None
    if found.tzinfo is None:
        raise damaged(gettext("its list cannot be read"))
    return found
