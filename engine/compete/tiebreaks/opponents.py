"""Tie-breaks from the opponents' scores: Buchholz, Sonneborn–Berger, Koya and the opponents' average.

Rounds that were not played, as FIDE C.07 of 2023 has them (article 16):

- for those who met an entry, its unplayed rounds count as they were scored, but a bye on request (half a point, none,
  an absence, a withdrawal) after which it was never again available to play counts as drawn (16.3);
- for the entry itself, such a round is one against a dummy with the entry's own final points and the result it was
  given (16.4);
- a cut takes the least significant contribution, that of the opponent with the fewest points, but first one from a
  round the entry itself chose not to play, unless that is worth less (16.5).

And the way before, with a virtual opponent (C.02 13.15 in the handbook of 2009 to 2022): for the others every round an
entry did not play counts as drawn; for the entry itself the opponent of such a round had the entry's points before it,
took the rest of the win, and drew ever after.

At tables with several opponents each of them is met; an unplayed round then counts as so many opponents as
most tables give.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate
from math import lcm
from typing import NamedTuple

from engine.compete.records import Kind
from engine.compete.tiebreaks import FIDE_2023
from engine.compete.tiebreaks.column import Column
from engine.compete.tiebreaks.ledger import Ledger, LedgerLine

REQUESTED = frozenset({Kind.HALF_BYE, Kind.ZERO_BYE, Kind.WITHDRAWN})
VOLUNTARY = REQUESTED | {Kind.FORFEIT_LOSS}
"""Rounds an entry did not play though it could have: C.07 16.1.2."""


class Met(NamedTuple):
    """An opponent: its points as they count for this entry, the score against it, and whether the entry chose not to
    play the round. Both amounts are scaled."""

    points: int
    result: int
    is_voluntary: bool = False


def meetings(ledger: Ledger, rule: str) -> dict[int, list[Met]]:
    """All opponents of an entry, with substitutes for those it did not meet, by entry."""
    worth = adjusted_points(ledger, rule)
    return {entry: list(_met(ledger, entry, lines, worth, rule)) for entry, lines in ledger.lines.items()}


def adjusted_points(ledger: Ledger, rule: str) -> dict[int, int]:
    """Each entry's points as they count for its opponents, scaled."""
    if ledger.is_round_robin:
        return ledger.points
    adjust = _stopped if rule == FIDE_2023 else _missed
    return {entry: ledger.points[entry] + adjust(lines, ledger.draw) for entry, lines in ledger.lines.items()}


def _is_unplayed(line: LedgerLine) -> bool:
    """No opponent was met and none will be."""
    return line.kind is not None and not line.opponents


def _stopped(lines: list[LedgerLine], draw: int) -> int:
    """Points that come from drawing the byes on request without a later return (C.07 16.2.5, 16.3.2)."""
    added = 0
    for line in reversed(lines):
        if not _is_unplayed(line) or line.kind not in VOLUNTARY:
            break
        if line.kind in REQUESTED:
            added += draw - line.points
    return added


def _missed(lines: list[LedgerLine], draw: int) -> int:
    """Points that come from drawing every unplayed round."""
    return sum(draw - line.points for line in lines if _is_unplayed(line))


def _met(ledger: Ledger, entry: int, lines: list[LedgerLine], worth: dict[int, int], rule: str) -> list[Met]:
    """Everyone this entry met, round by round."""
    met: list[Met] = []
    before: list[int] | None = None
    for index, line in enumerate(lines):
        if line.opponents:
            for opponent, result in zip(line.opponents, line.results, strict=True):
                met.append(Met(worth[opponent], result))
        elif line.kind is not None and not ledger.is_round_robin:
            if rule == FIDE_2023:
                points = ledger.points[entry]
            else:
                before = before or list(accumulate((line.points for line in lines), initial=ledger.start[entry]))
                later = ledger.rounds - index - 1
                points = before[index] + ledger.win - line.points + later * ledger.draw
            is_voluntary = rule == FIDE_2023 and line.kind in VOLUNTARY
            met += [Met(points, _unplayed_result(ledger, line), is_voluntary)] * ledger.dummies
    return met


def _unplayed_result(ledger: Ledger, line: LedgerLine) -> int:
    """Score of an entry against the substitute in a round it did not play.

    The points it was given; in pods, where results are 1, a half and 0, as they compare with an average table's.
    """
    if not ledger.in_pods:
        return line.points
    return (ledger.scale // 2) * ((line.points >= ledger.draw) + (line.points > ledger.draw))


def buchholz(ledger: Ledger, met: dict[int, list[Met]], low: int = 0, high: int = 0) -> Column:
    """The points of everyone who was met, without the `low` least and the `high` most significant of them."""
    values = {
        entry: _cut([(met.points, met.points, met.is_voluntary) for met in everyone], low, high)
        for entry, everyone in met.items()
    }
    return Column(values, ledger.scale)


def sonneborn_berger(ledger: Ledger, met: dict[int, list[Met]], low: int = 0) -> Column:
    """The points of everyone who was met times the result, without the `low` least significant of them."""
    values = {
        entry: _cut([(met.points, met.points * met.result, met.is_voluntary) for met in everyone], low, 0)
        for entry, everyone in met.items()
    }
    return Column(values, ledger.scale * ledger.scale)


def _cut(contributions: list[tuple[int, int, bool]], low: int, high: int) -> int:
    """The sum of the remaining contributions, each an opponent's points, their worth and whether voluntary."""
    if low or high:
        contributions = sorted(contributions)
        for _ in range(min(low, len(contributions))):
            least = contributions[0]
            voluntary = [(worth, points, chosen) for points, worth, chosen in contributions if chosen]
            if voluntary:
                worth, points, chosen = min(voluntary)
                least = (points, worth, chosen) if worth >= least[1] else least
            contributions.remove(least)
        contributions = contributions[: max(0, len(contributions) - high)]
    return sum(worth for _, worth, _ in contributions)


def koya(ledger: Ledger) -> Column:
    """The points scored against those with at least half of the points they could have made.

    A round off that brings nothing, as in a round robin of an odd number, is no chance to score.
    """
    free = _rounds_off(ledger)
    reached = {
        entry for entry in ledger.lines if 2 * ledger.points[entry] >= ledger.win * (ledger.rounds - free[entry])
    }
    values = {
        entry: sum(
            result
            for line in lines
            for opponent, result in zip(line.opponents, line.results, strict=True)
            if opponent in reached
        )
        for entry, lines in ledger.lines.items()
    }
    return Column(values, ledger.scale)


def _rounds_off(ledger: Ledger) -> dict[int, int]:
    """In how many rounds each could not score: a bye that brings nothing; so does being absent where all have been as
    often, which is how a round robin of an odd number may be written down."""
    byes, absences = (
        {entry: sum(line.kind is kind and line.points == 0 for line in lines) for entry, lines in ledger.lines.items()}
        for kind in (Kind.BYE, Kind.ZERO_BYE)
    )
    shared = min(absences.values(), default=0)
    return {entry: byes[entry] + (absences[entry] if ledger.is_round_robin else shared) for entry in ledger.lines}


def opponents_average(ledger: Ledger, rule: str) -> Column:
    """The average of the points of everyone who was really met, as they count for those who met them; nothing where
    nobody was."""
    worth = adjusted_points(ledger, rule)
    opponents = {
        entry: [opponent for line in lines for opponent in line.opponents] for entry, lines in ledger.lines.items()
    }
    scale = lcm(*(len(met) for met in opponents.values() if met))
    values = {
        entry: sum(worth[opponent] for opponent in met) * (scale // len(met)) if met else None
        for entry, met in opponents.items()
    }
    return Column(values, ledger.scale * scale)


def direct_encounter(ledger: Ledger, group: list[int]) -> tuple[dict[int, Fraction], list[list[int]]]:
    """The points of a group from its own matches, and the group in smaller ones, the best first.

    Those who are tied again are compared by the matches among them alone, and so on (C.07 6.2). Matches of a pair
    that met more than once count as their average (6.1.2). If two of the group have not met, there are no points and
    the group stays one: unlike in C.07 6.3, nobody is put first that the missing matches could not overtake.
    """
    points = _separate_points(ledger, group)
    if points is None:
        return {}, [group]
    by_points: dict[Fraction, list[int]] = {}
    for entry in group:
        by_points.setdefault(points[entry], []).append(entry)
    if len(by_points) == 1:
        return points, [group]
    parts: list[list[int]] = []
    for value in sorted(by_points, reverse=True):
        level = by_points[value]
        parts += direct_encounter(ledger, level)[1] if len(level) > 1 else [level]
    return points, parts


def _separate_points(ledger: Ledger, group: list[int]) -> dict[int, Fraction] | None:
    """Each one's points from its matches with the others of the group; nothing if some have not met."""
    members = set(group)
    points: dict[int, Fraction] = {}
    for entry in group:
        against: dict[int, list[int]] = {}
        for line in ledger.lines[entry]:
            for opponent, result in zip(line.opponents, line.results, strict=True):
                if opponent in members:
                    against.setdefault(opponent, []).append(result)
        if len(against) < len(group) - 1:
            return None
        points[entry] = sum((Fraction(sum(each), len(each) * ledger.scale) for each in against.values()), Fraction(0))
    return points
