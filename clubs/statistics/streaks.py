"""Runs of wins, and of matches without a defeat."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from clubs.models import Team
from clubs.statistics.queries import Match


@dataclass(frozen=True)
class Streak:
    """A run of matches of one team."""

    team: Team
    first: Match
    last: Match
    length: int


def signs(matches: Sequence[Match]) -> Mapping[int, list[tuple[str, Match]]]:
    """By id of the team: `W`, `D` or `L` of each of its matches, in order."""
    results: dict[int, list[tuple[str, Match]]] = defaultdict(list)
    for match in matches:
        for side in match.sides:
            results[side.team.pk].append((side.sign, match))
    return results


def won(matches: Sequence[Match]) -> list[Streak]:
    """The longest run of each team of matches that it won; walkovers are won and lost like others."""
    return _longest(matches, lambda sign: sign == "W")


def unbeaten(matches: Sequence[Match]) -> list[Streak]:
    """The longest run of each team without a defeat."""
    return _longest(matches, lambda sign: sign != "L")


def _longest(matches: Sequence[Match], goes_on: Callable[[str], bool]) -> list[Streak]:
    teams = {side.team.pk: side.team for match in matches for side in match.sides}
    streaks = []
    for pk, results in signs(matches).items():
        best: list[Match] = []
        current: list[Match] = []
        for sign, match in results:
            current = [*current, match] if goes_on(sign) else []
            best = current if len(current) > len(best) else best
        if best:
            streaks.append(Streak(teams[pk], best[0], best[-1], len(best)))
    return streaks
