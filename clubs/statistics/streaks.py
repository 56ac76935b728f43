"""Runs of matches that a team won, or did not lose."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Team
from clubs.statistics.queries import Match


@dataclass(frozen=True)
class Streak:
    """Matches of a team one after the other."""

    team: Team
    first: Match
    last: Match
    length: int


def signs(matches: Sequence[Match]) -> Mapping[int, list[tuple[str, Match]]]:
    """By id of the team: `W`, `D` or `L` of each of its matches, in order."""
    found: dict[int, list[tuple[str, Match]]] = defaultdict(list)
    for one in matches:
        for side in one.sides:
            found[side.team.pk].append((side.sign, one))
    return found


def won(matches: Sequence[Match]) -> list[Streak]:
    """The longest run of each team of matches that it won; walkovers are won and lost like others."""
    return _longest(matches, lambda sign: sign == "W")


def unbeaten(matches: Sequence[Match]) -> list[Streak]:
    """The longest run of each team without a match that it lost."""
    return _longest(matches, lambda sign: sign != "L")


def _longest(matches: Sequence[Match], goes_on: Callable[[str], bool]) -> list[Streak]:
    teams = {side.team.pk: side.team for one in matches for side in one.sides}
    found = []
    for pk, own in signs(matches).items():
        best: list[Match] = []
        current: list[Match] = []
        for sign, one in own:
            current = [*current, one] if goes_on(sign) else []
            best = current if len(current) > len(best) else best
        if best:
            found.append(Streak(teams[pk], best[0], best[-1], len(best)))
    return found
