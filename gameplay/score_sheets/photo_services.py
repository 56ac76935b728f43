"""Photographs of paper sheets: adding one, taking it away, and finding those of a sheet or of what an app above names."""

from __future__ import annotations

from typing import IO

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.models import User
from gameplay.score_sheets import photo_files
from gameplay.score_sheets.models import ScoreSheet, SheetPhoto
from web.errors import Refused

MOST = 4
"""Photographs of one sheet or match."""


def add(to: ScoreSheet | str, file: IO[bytes] | None, *, by: User | None = None) -> SheetPhoto:
    """Add a photograph to a sheet, or to what `to` names, such as `match:12`. Sent twice it is kept once.

    Raises `Refused` for what is no photograph, and where there are enough already.
    """
    if file is None:
        raise Refused("no_photo", gettext("Choose a photo first."), field="photo")
    made = photo_files.picture(file)
    with transaction.atomic():
        if isinstance(to, ScoreSheet):
            ScoreSheet.objects.locked(to.pk)
        there = of(to)
        same = there.filter(digest=made.digest).first()
        if same is not None:
            return same
        if there.count() >= MOST:
            raise Refused(
                "enough",
                gettext("There are already %(most)s photos. Remove one first.") % {"most": MOST},
                field="photo",
            )
        photo = SheetPhoto(
            sheet=to if isinstance(to, ScoreSheet) else None,
            ref="" if isinstance(to, ScoreSheet) else to,
            image=made.data,
            width=made.width,
            height=made.height,
            digest=made.digest,
            added_by=by,
        )
        try:
            with transaction.atomic():
                photo.save()
        except IntegrityError:
            return of(to).get(digest=made.digest)
    return photo


def of(to: ScoreSheet | str) -> QuerySet[SheetPhoto]:
    """The photographs of a sheet, or of what `to` names, without their pictures."""
    found = SheetPhoto.objects.filter(sheet=to) if isinstance(to, ScoreSheet) else SheetPhoto.objects.filter(ref=to)
    return found.defer("image")


def image(to: ScoreSheet | str, slug: str) -> bytes | None:
    """The picture itself, JPEG; nothing where what `to` names has no such photograph."""
    found = of(to).filter(slug=slug).values_list("image", flat=True).first()
    return bytes(found) if found is not None else None


def remove(to: ScoreSheet | str, slug: str) -> None:
    """Take a photograph away. Twice is harmless."""
    of(to).filter(slug=slug).delete()
