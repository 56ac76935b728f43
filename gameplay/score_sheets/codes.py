"""Codes that a phone's camera reads, within a page."""

import segno
from django.utils.safestring import SafeString


def code(address: str, words: str) -> SafeString:
    """A QR code as SVG within a page: without styles, as the page's policy demands. `words` name it."""
    symbol = segno.make(address, error="m", micro=False)
    drawn = symbol.svg_inline(border=2, omitsize=True, svgclass="qr", lineclass=None, title=words)
    return SafeString(drawn.replace("<svg ", '<svg role="img" ', 1))
