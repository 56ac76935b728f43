"""Headings of a list and lines between its rows: the season and the division that they name."""

import re

from clubs.bring_in import lines

_DIVISION = re.compile(r"\b(?:division|div|league|liga|gruppe|group|staffel|premier|klasse|class)\b", re.IGNORECASE)
_LEAGUE_ONLY = re.compile(r"^(?!.*\b(?:division|div|gruppe|group|staffel|klasse|class)\b)", re.IGNORECASE)
_SEASON = re.compile(
    r"\b(?:19|20)\d{2}\s?[/–-]\s?(?:(?:19|20)\d{2}|\d{2})\b(?![-.\d])|"
    r"\b(?:season|saison)\s+(?:19|20)\d{2}\b(?!\s?[/–-]\s?\d)",
    re.IGNORECASE,
)


def season_in(text: str) -> tuple[str, str]:
    """The season that a text names, `2026/27`, and the rest of the text; empty without one."""
    hit = _SEASON.search(text)
    if hit is None:
        return "", text
    season = re.sub(r"\s", "", hit[0]) if hit[0][0].isdecimal() else hit[0].split()[-1]
    return season, text.replace(hit[0], " ")


def says_division(text: str, *, has_season: bool = False) -> bool:
    """Whether a text names a division. Beside a season, `League` is the name of the league."""
    return bool(_DIVISION.search(text)) and not (has_season and _LEAGUE_ONLY.search(text))


def names_part(text: str) -> bool:
    """Whether a short text names a division or a matchday."""
    return len(text) < 60 and (says_division(text) or bool(lines.MATCHDAY.search(text)))
