"""Stored pictures: files in `DATA_DIR/pictures`, which can be deleted at any time, because they are drawn again.

Only the newest version of a picture stays. The daily clearing deletes those older than `AGE`, and the oldest beyond
`MOST_BYTES`.
"""

import hashlib
import logging
import os
import tempfile
import time
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from threading import Lock

from django.conf import settings
from django.utils import translation

from web.link_pictures import kinds
from web.link_pictures.kinds import Picture

log = logging.getLogger(__name__)

AGE = timedelta(days=30)
MOST_BYTES = 200 * 1024 * 1024
_DRAWING = [Lock() for _ in range(64)]


def content_of(kind: str, key: str, language: str, picture: Picture) -> bytes:
    """The file of a picture, stored or drawn now, in a language."""
    stem = _stem(kind, key, language)
    path = settings.PICTURES_DIR / f"{stem}.{picture.version}.png"
    if (stored := _read(path)) is not None:
        return stored
    # Many apps fetch a new picture at once: one of them draws it, the others in this process wait for it.
    with _DRAWING[int(stem[:8], 16) % len(_DRAWING)]:
        if (stored := _read(path)) is not None:
            return stored
        with translation.override(language):
            content = picture.draw().png()
        _write(path, stem, content)
    return content


def draw_ahead(kind: str, key: str) -> None:
    """Draw a picture in all languages unless it is stored, so that nobody waits for it. Raises `Http404`."""
    for language, _ in settings.LANGUAGES:
        with translation.override(language):
            content_of(kind, key, language, kinds.find(kind, key))


def clear() -> int:
    """Delete pictures that are old, and the oldest of too many; returns how many."""
    oldest = time.time() - AGE.total_seconds()
    gone = total = 0
    for modified, size, path in sorted(_files(), reverse=True):
        total += size
        if modified < oldest or total > MOST_BYTES:
            path.unlink(missing_ok=True)
            gone += 1
    return gone


def delete_all() -> None:
    """Delete every picture: after an account is deleted, no name of it stays in one."""
    for _, _, path in _files():
        path.unlink(missing_ok=True)


def _files() -> Iterable[tuple[float, int, Path]]:
    """Modification time, size and path of every stored picture."""
    try:
        entries = list(os.scandir(settings.PICTURES_DIR))
    except FileNotFoundError:
        return
    for entry in entries:
        try:
            facts = entry.stat()
        except FileNotFoundError:  # another process was faster
            continue
        yield facts.st_mtime, facts.st_size, Path(entry.path)


def _stem(kind: str, key: str, language: str) -> str:
    return hashlib.sha256(f"{kind}|{key}|{language}".encode()).hexdigest()[:32]


def _read(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _write(path: Path, stem: str, content: bytes) -> None:
    """Store a picture instead of its earlier versions. A full or read-only disk is no error: it is drawn again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            file.write(content)
        Path(file.name).replace(path)
        for other in path.parent.glob(f"{stem}.*.png"):
            if other != path:
                other.unlink(missing_ok=True)
    except OSError as error:
        log.warning("A picture was not stored: %s", type(error).__name__)
