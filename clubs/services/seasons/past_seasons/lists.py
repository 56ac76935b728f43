"""Matches of a list as the seasons of a file: what the list leaves open is filled in."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from django.utils.translation import gettext

from clubs.bring_in.reading import Match as ListedMatch
from clubs.imports.season import Absent, Match, Sheet, folded, seasons_of
from tournaments.services.matches.result_lines import MOST_POINTS

LONGEST = 80
Left = tuple[int, str, str]
"""A match that cannot come in: its row, its sides, and why."""


def sheet_of(entries: Sequence[ListedMatch], *, levels: Sequence[str] = ()) -> tuple[Sheet, list[Left]]:
    """The seasons of listed matches, and the matches that cannot come in, with their reasons."""
    matches: list[Match] = []
    left: list[Left] = []
    for item in entries:
        why = _why_not(item)
        if why:
            left.append((item.row, f"{item.home} – {item.away}", why))
        else:
            matches.append(_match(item))
    name = season_name([match.day for match in matches])
    matches = [replace(match, season=match.season or name) for match in matches]
    return seasons_of(with_matchdays(matches), levels, lines=len(entries)), left


def _why_not(match: ListedMatch) -> str:
    if match.day is None:
        return gettext("The date is missing.")
    if folded(match.home) == folded(match.away):
        return gettext("%(home)s cannot play against themselves.") % {"home": match.home}
    scores = (match.home_score, match.away_score)
    if not match.walkover and any(not isinstance(score, int) for score in scores):
        return gettext("The score is not a whole number of points.")
    if not match.walkover and any(abs(int(score or 0)) > MOST_POINTS for score in scores):
        words = gettext("The %(what)s %(text)s is too high or too low for a match.")
        return words % {"what": gettext("score"), "text": f"{scores[0]} – {scores[1]}"}
    return ""


def _match(item: ListedMatch) -> Match:
    scores = None if item.walkover else (int(item.home_score or 0), int(item.away_score or 0))
    division = (item.division or gettext("Division 1"))[:60]
    sides = (item.home[:LONGEST], item.away[:LONGEST])
    assert item.day is not None  # noqa: S101  `_why_not` has refused it
    return Match(
        *(item.row, item.season[:60], division, item.matchday or 0, item.day, *sides, scores),
        *(Absent(item.walkover), item.venue[:200], item.note[:200]),
    )


def season_name(days: Sequence[date]) -> str:
    """The name of a season by its days: 2026, or 2025/26."""
    if not days:
        return ""
    first, last = min(days).year, max(days).year
    return str(first) if first == last else f"{first}/{last % 100:02}"


def with_matchdays(matches: Sequence[Match]) -> list[Match]:
    """The matches, each with a matchday: those without one are numbered by their days, nobody twice on one."""
    numbered: list[Match] = []
    played: dict[tuple[str, str], int] = {}
    for match in sorted(matches, key=lambda match: (match.day, match.line)):
        if match.matchday:
            numbered.append(match)
            continue
        keys = [(folded(match.season) + folded(match.division), folded(side)) for side in (match.home, match.away)]
        number = max(played.get(key, 0) for key in keys) + 1
        played.update(dict.fromkeys(keys, number))
        numbered.append(replace(match, matchday=number))
    return sorted(numbered, key=lambda match: match.line)
