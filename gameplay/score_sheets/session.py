"""Which score sheets a visitor began in this browser: the session remembers the links to write."""

from __future__ import annotations

from django.http import HttpRequest

from gameplay.score_sheets.models import ScoreSheet

_NAME = "score_sheets"
MOST = 30
"""The latest that are remembered."""


def known(request: HttpRequest) -> list[str]:
    """Keys of the sheets begun in this browser, the latest first."""
    found = request.session.get(_NAME, [])
    return [key for key in found if isinstance(key, str)]


def remember(request: HttpRequest, sheet: ScoreSheet) -> None:
    """Remember a sheet."""
    request.session[_NAME] = [sheet.key, *(key for key in known(request) if key != sheet.key)][:MOST]
