"""Letters on pictures: the site's own fonts, and for those that they lack, fonts of the machine.

The own fonts end at Greek and Cyrillic. Debian has others: Noto (`fonts-noto-core`, `fonts-noto-cjk`, SIL Open Font
License 1.1), DejaVu (`fonts-dejavu-core`, Bitstream Vera licence) and Droid (`fonts-droid-fallback`, Apache License 2.0).
Signs that no font has are left out: a box in place of each would say less than the rest of the name.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from PIL import ImageFont, features

from web import lettering

FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
_SCRIPTS = """
    Arabic Hebrew Devanagari Bengali Gujarati Gurmukhi Tamil Telugu Kannada Malayalam Sinhala Thai Lao Khmer Myanmar Georgian
    Armenian Ethiopic
"""
FILES = (
    *(f"NotoSans{script}-Bold.ttf" for script in _SCRIPTS.split()),
    "NotoSansCJK-Bold.ttc",
    "DejaVuSans-Bold.ttf",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
)
"""Font files that are looked for, the best first."""
OWN = "own"
"""The site's own fonts, as a path."""
NOTHING = "…"
"""In place of words of which no sign can be drawn."""
_JOINERS = "\u200c\u200d"


class Run(NamedTuple):
    """A part of a text in one font, from left to right."""

    text: str
    face: ImageFont.FreeTypeFont


def drawable(text: str) -> str:
    """The text without signs that no font has, and `NOTHING` for words that have no others: `… / Anna`."""
    signs = unicodedata.normalize("NFC", lettering.plain(text)).translate(lettering.SIGNS)
    words = ("".join(_shown(word)) or (NOTHING if any(map(str.isalnum, word)) else "") for word in signs.split())
    return " ".join(word for word, _ in groupby(filter(None, words)))


def _shown(signs: str) -> Iterator[str]:
    """The signs that can be drawn: accents and joiners only with the letter before them, in its font."""
    file = ""
    for sign in signs:
        if _is_part(sign):
            if file and _has(file, sign):
                yield sign
        elif file := _file_of(sign):
            yield sign


def runs(text: str, font: str, size: int) -> list[Run]:
    """The parts of a drawable text, in one of the site's fonts as far as it has the letters."""
    parts = groupby(zip(text, _files(text), strict=True), key=lambda pair: pair[1])
    return [
        Run("".join(sign for sign, _ in pairs), own_face(font, size) if file == OWN else _face(file, size))
        for file, pairs in parts
    ]


def has_serif(text: str) -> bool:
    """Whether the serif has all that is drawn of a text in the site's fonts; it has less than the sans serif."""
    return all(
        file != OWN or lettering.has_all(lettering.HEAD, sign) for sign, file in zip(text, _files(text), strict=True)
    )


def length(text: str, font: str, size: int) -> float:
    """The width of a drawable text."""
    return sum(run.face.getlength(run.text) for run in runs(text, font, size))


def known() -> tuple[str, ...]:
    """What the machine has for letters that the site's fonts lack: pictures change with it."""
    return (*_fonts(), "shaped" if is_shaping() else "")


@lru_cache(maxsize=1)
def is_shaping() -> bool:
    """Whether letters can be joined and set from right to left: Pillow needs the library FriBiDi for it."""
    return bool(features.check("raqm") and features.check("fribidi"))


def _files(text: str) -> list[str]:
    """For each sign the path of its font. Spaces and strokes between two parts in one font belong to them."""
    files: list[str] = []
    for sign in text:
        files.append(files[-1] if files and _is_part(sign) else _file_of(sign))
    letters = [at for at, sign in enumerate(text) if unicodedata.bidirectional(sign) in ("L", "R", "AL", "EN", "AN")]
    for before, after in pairwise(letters):
        file = files[before]
        if file == files[after] and all(_has(file, sign) for sign in text[before + 1 : after]):
            files[before + 1 : after] = [file] * (after - before - 1)
    return files


def _is_part(sign: str) -> bool:
    """Whether a sign belongs to the letter before it: an accent, a vowel, a joiner."""
    return unicodedata.category(sign) in ("Mn", "Mc", "Me", "Cf")


@lru_cache(maxsize=4096)
def _file_of(sign: str) -> str:
    """The path of the first font that has a sign, `OWN` for the site's; empty if none has it."""
    if _has(OWN, sign):
        return OWN
    if not is_shaping() and unicodedata.east_asian_width(sign) not in ("W", "F"):
        return ""
    return next((file for file in _fonts().values() if _has(file, sign)), "")


def _has(file: str, sign: str) -> bool:
    if file == OWN:
        return lettering.has_all(lettering.REGULAR, sign)
    return sign in _JOINERS or ord(sign) in _glyphs(file)


@lru_cache(maxsize=1)
def _fonts() -> dict[str, str]:
    """The paths of the fonts that the machine has, by file name, the best first."""
    paths = {file.name: str(file) for folder in FOLDERS for file in sorted(Path(folder).rglob("*.tt[fc]"))}
    return {name: paths[name] for name in FILES if name in paths}


@lru_cache(maxsize=len(FILES))
def _glyphs(file: str) -> frozenset[int]:
    from fontTools.ttLib import TTFont  # takes long to load

    with TTFont(file, fontNumber=0, lazy=True) as font:
        return frozenset(font.getBestCmap())


@lru_cache(maxsize=64)
def own_face(name: str, size: int) -> ImageFont.FreeTypeFont:
    """One of the site's fonts in this size."""
    return ImageFont.truetype(lettering.path(name), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=64)
def _face(file: str, size: int) -> ImageFont.FreeTypeFont:
    engine = ImageFont.Layout.RAQM if is_shaping() else ImageFont.Layout.BASIC
    return ImageFont.truetype(file, size, layout_engine=engine)
