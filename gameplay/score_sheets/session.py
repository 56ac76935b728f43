"""The score sheets that a visitor started in this browser: the session remembers the edit links."""

from django.http import HttpRequest

from gameplay.score_sheets.models import ScoreSheet

_NAME = "score_sheets"
MOST = 30
"""The latest that are remembered."""


def own_keys(request: HttpRequest) -> list[str]:
    """Keys of the sheets started in this browser, the latest first."""
    keys = request.session.get(_NAME, [])
    return [key for key in keys if isinstance(key, str)]


def remember(request: HttpRequest, sheet: ScoreSheet) -> None:
    """Remember a sheet."""
    request.session[_NAME] = [sheet.key, *(key for key in own_keys(request) if key != sheet.key)][:MOST]
