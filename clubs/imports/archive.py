"""Reading the archive of a club: bounded, checked against its own list, and never trusted."""

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
from clubs.exports.archive_rows import ADDED_IN, CARRIED, PHOTO
from web.database.row_transfer import MOST
from web.errors import Refused

MOST_BYTES = 60_000_000
"""Of the file."""
MOST_SENT = 5_000_000
"""Bytes of a request with a file; larger ones are imported by a command."""
MOST_UNPACKED = 120_000_000
MOST_DATA = 50_000_000
"""Of JSON: some six thousand matches with score sheets and their history."""
MOST_PARTS = 5_000_000
"""Values in it, about, because a small file may be large when it is read."""
MOST_FILES = 5000
_NAMES = re.compile(
    r"manifest\.json|members\.csv|matches\.csv|data/[a-z]{1,30}\.[a-z]{1,30}\.json|photos/[0-9]{1,6}\.jpg"
)
_READ = 1 << 16


@dataclass(frozen=True)
class Archive:
    """The contents of an archive."""

    club: str
    made_at: datetime
    made_by: str
    numbers: Mapping[str, int]
    """The highest number given to rows of each model, by label."""
    rows: Mapping[str, list[Any]]
    """The rows of each model, in the order of their numbers."""
    photos: Mapping[int, bytes]
    """Images of photographs by their numbers."""


def damaged(problem: str = "") -> Refused:
    """The refusal of a file that differs from its export."""
    words = (
        gettext("This file is damaged: %(what)s. Export the club again and upload the new file.") % {"what": problem}
        if problem
        else gettext("This file is damaged. Export the club again and upload the new file.")
    )
    return Refused("damaged", words)


def too_large() -> Refused:
    """The refusal of a file with too much in it."""
    return Refused("too_large", gettext("This file contains more than a club can have."))


def read(file: IO[bytes]) -> Archive:
    """Read an archive. Raises `Refused` for one that is too large, of a newer version, or damaged."""
    file.seek(0, 2)
    if file.tell() > MOST_BYTES:
        raise Refused(
            "too_large", gettext("The file is too large. The limit is %(size)s MB.") % {"size": MOST_BYTES // 1_000_000}
        )
    file.seek(0)
    try:
        with zipfile.ZipFile(file) as archive:
            return _read(archive, _list_files(archive))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, OSError):
        raise Refused("no_archive", gettext("This is not a club export file. Its name should end in .zip.")) from None


def _list_files(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The files of an archive by name. Raises `Refused` for unexpected files, or too much data."""
    every = archive.infolist()
    data = [info.file_size for info in every if not info.filename.startswith("photos/")]
    unpacked = sum(info.file_size for info in every)
    if len(every) > MOST_FILES or unpacked > MOST_UNPACKED or sum(data) > MOST_DATA:
        raise too_large()
    files = {info.filename: info for info in every}
    if LIST not in files:
        raise Refused("no_archive", gettext("This is not a club export file."))
    for info in every:
        is_plain = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) and not info.flag_bits & 0x1
        if not is_plain or not _NAMES.fullmatch(info.filename):
            raise damaged(
                gettext("it contains “%(filename)s”, which is not part of a club export")
                % {"filename": info.filename[:60]}
            )
    if len(files) != len(every):
        raise damaged(gettext("it contains something twice"))
    return files


def _read(archive: zipfile.ZipFile, infos: Mapping[str, zipfile.ZipInfo]) -> Archive:
    manifest = _json(_content(archive, infos[LIST]), LIST)
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise Refused("no_archive", gettext("This is not a club export file."))
    version, files = manifest.get("version"), manifest.get("files")
    if type(version) is not int or not isinstance(files, dict):
        raise damaged(gettext("its list cannot be read"))
    if version > VERSION:
        raise Refused("newer", gettext("This file was made by a newer version of Foothold. Update this site first."))
    labels = [label for label in CARRIED if ADDED_IN.get(label, 1) <= version]
    if version < 1 or set(files) != set(infos) - {LIST} or {data_name(label) for label in labels} - set(files):
        raise damaged(gettext("a part is missing, or there is one too many"))
    contents = {name: _read_checked(archive, infos[name], files[name]) for name in files if name.startswith("data/")}
    if _parts(contents.values()) > MOST_PARTS:
        raise too_large()
    rows = {label: _json(contents.pop(data_name(label)), label) for label in labels}
    if contents or any(not isinstance(values, list) for values in rows.values()):
        raise damaged(gettext("a value in it has the wrong type"))
    numbers = _numbers(manifest.get("numbers"), rows)
    for label in CARRIED:
        rows.setdefault(label, [])
        numbers.setdefault(label, 0)
    photos = {}
    for number in range(1, len(rows[PHOTO.label]) + 1):
        name = photo_name(number)
        if name not in files:
            raise damaged(gettext("a photo is missing"))
        photos[number] = _read_checked(archive, infos[name], files[name])
    for name in ("members.csv", "matches.csv"):
        if name in files:
            _read_checked(archive, infos[name], files[name])
    return Archive(
        club=str(manifest.get("club", ""))[:80],
        made_at=_time(manifest.get("made_at")),
        made_by=str(manifest.get("made_by", ""))[:200],
        numbers=numbers,
        rows=rows,
        photos=photos,
    )


def _numbers(numbers: Any, rows: Mapping[str, list[Any]]) -> dict[str, int]:
    if not isinstance(numbers, dict) or set(numbers) != set(rows):
        raise damaged(gettext("its list cannot be read"))
    for label, number in numbers.items():
        if type(number) is not int or not len(rows[label]) <= number <= MOST:
            raise damaged(gettext("its list does not match its contents"))
    if sum(numbers.values()) > MOST:
        raise too_large()
    return numbers


def _parts(contents: Iterable[bytes]) -> int:
    """The approximate number of values in JSON, before it is read."""
    return sum(content.count(sign) for content in contents for sign in (b"{", b"[", b","))


def _read_checked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, expected: Any) -> bytes:
    """The contents of a file, checked against the list."""
    content = _content(archive, info)
    if not isinstance(expected, dict) or expected.get("bytes") != len(content):
        raise damaged(gettext("%(filename)s does not have the size in the list") % {"filename": info.filename})
    if expected.get("sha256") != hashlib.sha256(content).hexdigest():
        raise damaged(gettext("%(filename)s was changed after the export") % {"filename": info.filename})
    return content


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The contents of a file, no more than its stated size."""
    parts, remaining = [], info.file_size
    with archive.open(info) as file:
        while remaining >= 0 and (part := file.read(_READ)):
            parts.append(part)
            remaining -= len(part)
    if remaining != 0:
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
        moment = datetime.fromisoformat(text)
    except (TypeError, ValueError):
        raise damaged(gettext("its list cannot be read")) from None
    if moment.tzinfo is None:
        raise damaged(gettext("its list cannot be read"))
    return moment
