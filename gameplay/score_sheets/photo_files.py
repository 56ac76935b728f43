"""Photographs of paper score sheets, encoded again: upright, no larger than a screen needs, without any metadata."""

import hashlib
import io
from typing import IO, NamedTuple

from django.utils.translation import gettext
from PIL import Image, ImageOps

from web.errors import Refused

MOST_BYTES = 15 * 1024 * 1024
"""No larger file is looked at."""
MOST_SENT = 16_000_000
"""Bytes of the form around it."""
MOST_PIXELS = 80_000_000
"""Nor one that unpacks into more than this."""
LONGEST_SIDE = 2000
KEPT_BYTES = 600_000
KINDS = ("JPEG", "PNG", "WEBP", "MPO")
"""Formats of phones and scanners; MPO is a JPEG with a second picture behind it."""
_QUALITIES = (82, 70, 58, 46)


class Picture(NamedTuple):
    """A photograph as it is stored."""

    data: bytes
    """JPEG."""
    width: int
    height: int
    digest: str
    """SHA-256 of the file it was made from, in hex."""


def picture(file: IO[bytes]) -> Picture:
    """The photograph in an uploaded file. Raises `Refused` if it is none, or too large."""
    raw = file.read(MOST_BYTES + 1)
    if len(raw) > MOST_BYTES:
        raise Refused(
            "too_large", gettext("The photo is larger than %(number)s MB.") % {"number": MOST_BYTES // 1024 // 1024}
        )
    try:
        upright = _opened(raw)
    except Refused:
        raise
    except Exception:  # a broken file makes its decoder raise anything
        raise Refused("no_photo", gettext("We cannot read this photo. Upload a JPEG, PNG or WebP file.")) from None
    side = LONGEST_SIDE
    while True:
        upright.thumbnail((side, side))
        for quality in _QUALITIES:
            data = _jpeg(upright, quality)
            if len(data) <= KEPT_BYTES:
                return Picture(data, *upright.size, hashlib.sha256(raw).hexdigest())
        side = side * 3 // 4


def _opened(raw: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(raw), formats=KINDS)
    if image.width * image.height > MOST_PIXELS:
        raise Refused("too_large", gettext("The photo has too many pixels. Upload a smaller one."))
    image.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    upright = ImageOps.exif_transpose(image)
    if upright.mode in ("RGBA", "LA", "P", "PA"):
        # What is see-through becomes paper.
        layered = upright.convert("RGBA")
        paper = Image.new("RGBA", layered.size, "white")
        return Image.alpha_composite(paper, layered).convert("RGB")
    return upright.convert("RGB")


def _jpeg(upright: Image.Image, quality: int) -> bytes:
    output = io.BytesIO()
    # Only the pixels: everything else in the file stays behind.
    bare = Image.new("RGB", upright.size)
    bare.paste(upright)
    bare.save(output, "JPEG", quality=quality, optimize=True, progressive=True)
    return output.getvalue()
