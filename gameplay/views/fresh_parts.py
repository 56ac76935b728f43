"""The parts of a table's page that a browser lacks: what it shows already is not sent again.

Each answer names its heavy parts with a print of their markup, `X-Parts: board=1f2e3d4c needs=00ab12cd`. The browser
sends that back as `X-Shown`, and a part with the same print is left out of the next answer.
"""

from typing import Any
from zlib import crc32

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

_HEAVY = ("board", "needs")
"""In the order of `parts.html`, where a mark is around each."""
_MARK = "<!--part-->"


def answer_parts(request: HttpRequest, context: dict[str, Any], status: int) -> HttpResponse:
    """The parts of a page in `context`, without those that the browser says it shows."""
    before, *pieces = render_to_string("gameplay/table/parts.html", context, request).split(_MARK)
    shown = set(request.headers.get("X-Shown", "").split())
    prints = [f"{name}={crc32(piece.encode()):08x}" for name, piece in zip(_HEAVY, pieces, strict=False)]
    fresh = [piece for name, piece in zip(prints, pieces, strict=False) if name not in shown]
    response = HttpResponse("".join([before, *fresh, *pieces[len(_HEAVY) :]]), status=status)
    response["X-Parts"] = " ".join(prints)
    return response
