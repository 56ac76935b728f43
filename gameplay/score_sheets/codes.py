"""Codes that a phone's camera reads, within a page."""

from __future__ import annotations

import segno
from django.utils.safestring import SafeString


def code(address: str, words: str) -> SafeString:
    """A QR code as SVG within a page: no style of its own, so that the page's policy lets it be. `words` name it."""
    made = segno.make(address, error="m", micro=False)
    drawn = made.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, title=words)
    return SafeString(drawn.replace("<svg ", '<svg role="img" ', 1))
