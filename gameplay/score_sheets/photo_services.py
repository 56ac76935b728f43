"""Photographs of paper score sheets: add, remove, and find those of a sheet or of a subject of an app above."""

from typing import IO

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.translation import gettext

from accounts.budgets import PHOTOS, spend
from accounts.models import User
from gameplay.score_sheets import photo_files
from gameplay.score_sheets.models import ScoreSheet, SheetPhoto
from web.errors import Refused

MOST = 4
"""Photographs of one sheet or match."""


def add(to: ScoreSheet | str, file: IO[bytes] | None, *, by: User | None = None) -> SheetPhoto:
    """Add a photograph to a sheet, or to the subject `to`, such as `match:12`. A repeat is stored once.

    Raises `Refused` for other files, and if there are enough already.
    """
    if file is None:
        raise Refused("no_photo", gettext("Choose a photo first."), field="photo")
    # Before it is decoded, which takes most of the time.
    spend(PHOTOS, by)
    picture = photo_files.picture(file)
    with transaction.atomic():
        if isinstance(to, ScoreSheet):
            ScoreSheet.objects.locked(to.pk)
        there = of(to)
        same = there.filter(digest=picture.digest).first()
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
            image=picture.data,
            width=picture.width,
            height=picture.height,
            digest=picture.digest,
            added_by=by,
        )
        try:
            with transaction.atomic():
                photo.save()
        except IntegrityError:
            return of(to).get(digest=picture.digest)
    return photo


def of(to: ScoreSheet | str) -> QuerySet[SheetPhoto]:
    """The photographs of a sheet, or of the subject `to`, without their pictures."""
    photos = SheetPhoto.objects.filter(sheet=to) if isinstance(to, ScoreSheet) else SheetPhoto.objects.filter(ref=to)
    return photos.defer("image")


def image(to: ScoreSheet | str, slug: str) -> bytes | None:
    """The picture itself, JPEG; `None` if the sheet or subject has no such photograph."""
    data = of(to).filter(slug=slug).values_list("image", flat=True).first()
    return bytes(data) if data is not None else None


def remove(to: ScoreSheet | str, slug: str) -> None:
    """Delete a photograph. Twice does no harm."""
    of(to).filter(slug=slug).delete()
