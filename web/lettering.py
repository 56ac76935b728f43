"""Text in documents: without characters that would disturb them, and in a font that is the same on every machine.

The fonts are Source Sans Pro and, for headings, Source Serif Pro (SIL Open Font License 1.1), from the packages
`font-source-sans-pro` and `font-source-serif-pro`. They have Latin with all its accents, Greek and Cyrillic. Missing
characters are shown as `☐` on paper; pages for the browser show such names as they are, and pictures of links take
other fonts (`web/link_pictures/letters.py`).
"""

import unicodedata
from functools import lru_cache
from importlib.resources import files

REGULAR, BOLD, HEAD = "SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf", "SourceSerifPro-Bold.otf"
"""Of the serif the OpenType file, because the other tells Pillow wrong widths of some signs."""

UNKNOWN = "☐"
"""Replaces a character that the font does not have."""

_JOINERS = "\u200c\u200d"
"""Parts of words in some languages, and of emoji."""
SIGNS = str.maketrans({"✎": "*", "●": "▶", "◔": "!"})
"""Signs of the pages that the font does not have, and their replacements on paper."""


def path(name: str) -> str:
    """The path of a font file."""
    package = "font_source_serif_pro" if name == HEAD else "font_source_sans_pro"
    return str(files(package) / "files" / name)


def plain(text: str) -> str:
    """The text in one line, without control characters and without marks that turn the direction of other text."""
    signs = (_plain(sign) for sign in text)
    return " ".join("".join(signs).split())


def _plain(sign: str) -> str:
    kind = unicodedata.category(sign)
    if kind in ("Cc", "Zl", "Zp"):
        return " "
    return "" if kind in ("Cf", "Cs", "Cn", "Co") and sign not in _JOINERS else sign


def drawable(text: str) -> str:
    """The text as the font can show it."""
    glyphs = _glyphs(REGULAR)
    return "".join(_drawable(sign, glyphs) for sign in unicodedata.normalize("NFC", plain(text)).translate(SIGNS))


def _drawable(sign: str, glyphs: frozenset[int]) -> str:
    if ord(sign) in glyphs:
        return sign
    # Accents, joiners and the colour of an emoji are no letters of their own.
    is_part = unicodedata.category(sign) in ("Mn", "Me", "Cf", "Sk")
    return "" if is_part else UNKNOWN


def has_all(name: str, text: str) -> bool:
    """Whether a font has every character of a text."""
    glyphs = _glyphs(name)
    return all(ord(sign) in glyphs for sign in text)


@lru_cache(maxsize=2)
def _glyphs(name: str) -> frozenset[int]:
    """The code points that a font has."""
    from fontTools.ttLib import TTFont  # takes long to load

    with TTFont(path(name), lazy=True) as font:
        return frozenset(font.getBestCmap())
