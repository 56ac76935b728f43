"""Scores of confirmed results: card points, match points and ranks of each seat."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, NamedTuple

from engine.compete import scoring
from tournaments.models import Pairing, Place, Result
from tournaments.plan import Plan
from tournaments.stage_state import StageState, TableState


class Scored(NamedTuple):
    """Score of one place of a table."""

    score: int | None
    points: Fraction
    rank: int


def apply_scores(state: StageState, now: datetime) -> bool:
    """Apply the confirmed results to the places of every table. Returns whether anything changed."""
    changed = False
    against_field = _against_field(state)
    for round_ in state.rounds:
        for table in round_.tables:
            if table.row.result is not None:
                changed |= _apply_result(state.plan, table, table.row.result, against_field, now)
            elif not table.row.is_walkover and _looks_decided(table):
                clear_scores(table)
                changed = True
    return changed


def _looks_decided(table: TableState) -> bool:
    """Whether a match without a result still has scores of an old one."""
    return table.row.status == Pairing.Status.DONE or any(place.rank is not None for place in table.places)


def _apply_result(
    plan: Plan, table: TableState, result: Result, against_field: dict[int, dict[int, Fraction]], now: datetime
) -> bool:
    lines = list(result.lines)
    changed = _seat(table, lines)
    scored = score_lines(plan, result.kind, lines, [place.side for place in table.places], result.winner_id)
    if table.row.pk in against_field:
        scored = [
            score._replace(points=against_field[table.row.pk][place.side])
            for score, place in zip(scored, table.places, strict=True)
        ]
    for place, score in zip(table.places, scored, strict=True):
        if (place.score, place.points, place.rank) != (score.score, score.points, score.rank):
            place.score, place.points, place.rank = score.score, score.points, score.rank
            place.save(update_fields=["score", "points", "rank"])
            changed = True
    if table.row.status != Pairing.Status.DONE or table.row.is_walkover:
        table.row.status, table.row.is_walkover = Pairing.Status.DONE, False
        table.row.done_at = table.row.done_at or result.confirmed_at or now
        table.row.save(update_fields=["status", "done_at", "is_walkover"])
        changed = True
    return changed


def _seat(table: TableState, lines: list[dict[str, Any]]) -> bool:
    """Seat the entries that the result names, whatever was drawn since. Returns whether anything changed."""
    entries = [line["entry"] for line in lines]
    if [place.entry_id for place in table.places] == entries:
        return False
    if len(table.places) == len(entries):
        for place, entry in zip(table.places, entries, strict=True):
            place.entry_id = entry
            place.save(update_fields=["entry"])
        return True
    Place.objects.filter(pairing=table.row).delete()
    table.places = [
        Place.objects.create(pairing=table.row, number=number, entry_id=entry, side=lines[number].get("side", number))
        for number, entry in enumerate(entries)
    ]
    return True


def score_lines(
    plan: Plan, kind: str, lines: Sequence[dict[str, Any]], sides: Sequence[int], winner: int | None = None
) -> list[Scored]:
    """Score each line of a result. Raises `BadInput` if the scoring does not fit the table.

    A line with `forfeit` loses to those without. Partners share the score of their side.
    """
    by_side: dict[int, list[int]] = defaultdict(list)
    for index, side in enumerate(sides):
        by_side[side].append(index)
    order = sorted(by_side)
    shown_scores: list[int | None]
    lost = [any(lines[index].get("forfeit") for index in by_side[side]) for side in order]
    totals = [_total(lines[by_side[side][0]]) for side in order]
    came = [total for total, gone in zip(totals, lost, strict=True) if not gone]
    if any(lost) and len(came) > 1 and None not in came:
        points, ranks, shown_scores = _without_absent(plan, totals, lost)
    elif any(lost) or kind in (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT):
        points = [plan.worth("forfeit_loss" if gone else "forfeit_win") for gone in lost]
        ranks = [2 if gone and not all(lost) else 1 if not gone else len(order) for gone in lost]
        shown_scores = [None] * len(order)
    else:
        scores = [total or 0 for total in totals]
        points = match_points(plan, scores)
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        shown_scores = list(scores)
        if winner is not None:
            ahead = next((at for at, side in enumerate(order) if lines[by_side[side][0]]["entry"] == winner), None)
            if ahead is not None:
                ranks = [1 if at == ahead else max(rank, 2) for at, rank in enumerate(ranks)]
    of_side = {side: Scored(shown_scores[at], points[at], ranks[at]) for at, side in enumerate(order)}
    return [of_side[side] for side in sides]


def _without_absent(
    plan: Plan, totals: Sequence[int | None], lost: Sequence[bool]
) -> tuple[list[Fraction], list[int], list[int | None]]:
    """Score a bigger table played without some entries, as if these came last.

    Returns points, ranks and card points of each side.
    """
    shown_scores = [None if gone else total for total, gone in zip(totals, lost, strict=True)]
    least = min(score for score in shown_scores if score is not None)
    scores = [least - 1 if score is None else score for score in shown_scores]
    points = match_points(plan, scores)
    absent = plan.worth("forfeit_loss")
    ranks = [1 + sum(other > score for other in scores) for score in scores]
    return [absent if gone else value for gone, value in zip(lost, points, strict=True)], ranks, shown_scores


def match_points(plan: Plan, scores: Sequence[int]) -> list[Fraction]:
    """Match points of each side of a table from its card points."""
    if scoring.SCORINGS[plan.scoring].is_for_field:
        return [Fraction(0)] * len(scores)  # worked out against the field, as it comes in
    settings = plan.scoring_settings
    if "points" in settings:  # tables may be smaller than planned
        settings["points"] = (settings["points"] + [Fraction(0)] * len(scores))[: len(scores)]
    return list(scoring.score(plan.scoring, scores, **settings))


def _total(line: dict[str, Any]) -> int | None:
    return None if line.get("score") is None else int(line["score"])


def _against_field(state: StageState) -> dict[int, dict[int, Fraction]]:
    """Duplicate points by side of each table, against every table that played the same deals at any time."""
    if not scoring.SCORINGS[state.plan.scoring].is_for_field:
        return {}
    fields = duplicate_fields(state)
    return {pk: points for field in fields.values() for pk, points in _compare(state.plan.scoring, field)}


def count_against_field(state: StageState) -> None:
    """Set the duplicate points of every table as its results have them, without saving."""
    against_field = _against_field(state)
    for round_ in state.rounds:
        for table in round_.tables:
            for place in table.places if table.row.pk in against_field else ():
                place.points = against_field[table.row.pk][place.side]


def duplicate_fields(state: StageState) -> dict[tuple[int, ...], list[tuple[int, list[int]]]]:
    """Decided tables (id, margins in card points) by the deals that they played."""
    fields: dict[tuple[int, ...], list[tuple[int, list[int]]]] = defaultdict(list)
    for round_ in state.rounds:
        for table in round_.tables:
            result = table.row.result
            if result is not None and len(table.places) == 2 and not any(line.get("forfeit") for line in result.lines):
                boards = tuple(table.row.boards) or (-round_.row.number,)
                fields[table.row.issue, *boards].append((table.row.pk, margins_of(result)))
    return fields


def margins_of(result: Result) -> list[int]:
    """How many card points the first side is ahead: in each deal where that is known, else in the whole match."""
    by_deal = points_by_deal(result)
    if len(by_deal) == 2 and len(by_deal[0]) == len(by_deal[1]) and by_deal[0]:
        return [first - second for first, second in zip(*by_deal, strict=True)]
    totals = [_total(line) or 0 for line in result.lines]
    return [totals[0] - totals[1]]


def points_by_deal(result: Result) -> list[list[int]]:
    """Card points of each side by deal; empty where only those of the whole match are known."""
    by_deal = [list(line.get("deals") or ()) for line in result.lines]
    return by_deal if by_deal and all(by_deal) else _deals_of_sheet(result)


def _deals_of_sheet(result: Result) -> list[list[int]]:
    """Card points of each side by deal, where a score sheet has them and adds up to the result."""
    deals = [deal["points"] for deal in (result.sheet or {}).get("deals") or () if "points" in deal]
    by_side = [[int(points[side]) for points in deals] for side in (0, 1)] if deals else []
    is_whole = [sum(points) for points in by_side] == [_total(line) for line in result.lines]
    return by_side if is_whole else []


def _compare(name: str, field: list[tuple[int, list[int]]]) -> list[tuple[int, dict[int, Fraction]]]:
    """Points of both sides of each table, deal by deal; over the whole match where a table has no deals."""
    if len({len(margins) for _, margins in field}) > 1:
        field = [(pk, [sum(margins)]) for pk, margins in field]
    points = {pk: {0: Fraction(0), 1: Fraction(0)} for pk, _ in field}
    for deal in range(len(field[0][1])):
        margins = [by_deal[deal] for _, by_deal in field]
        first, second = scoring.score(name, margins), scoring.score(name, [-margin for margin in margins])
        for at, (pk, _) in enumerate(field):
            points[pk][0] += first[at]
            points[pk][1] += second[at]
    return list(points.items())


def score_walkover(state: StageState, table: TableState, gone: Sequence[int], now: datetime) -> None:
    """Decide an unplayed match in favour of the entries still there."""
    lost_sides = {place.side for at, place in zip(table.entries, table.places, strict=True) if at in gone}
    everybody = len(lost_sides) == len({place.side for place in table.places})
    for place in table.places:
        has_lost = place.side in lost_sides
        place.points = state.plan.worth("forfeit_loss" if has_lost else "forfeit_win")
        place.rank, place.score = (2 if has_lost or everybody else 1), None
        place.save(update_fields=["points", "rank", "score"])
    table.row.status, table.row.is_walkover, table.row.done_at = Pairing.Status.DONE, True, now
    table.row.save(update_fields=["status", "is_walkover", "done_at"])


def clear_scores(table: TableState) -> None:
    """Reopen a match without scores, keeping its reports.

    If there are none, a finished online table no longer counts.
    """
    Place.objects.filter(pairing=table.row).update(points=None, score=None, rank=None)
    table.row.status, table.row.is_walkover, table.row.done_at = _open_status(table.row), False, None
    if table.row.status == Pairing.Status.READY:
        table.row.opened_at = table.row.table = None
    table.row.save(update_fields=["status", "is_walkover", "done_at", "opened_at", "table"])


def _open_status(pairing: Pairing) -> Pairing.Status:
    """The status of a match without a confirmed result, by its reports."""
    statuses = set(pairing.results.values_list("status", flat=True))
    if Result.Status.DISPUTED in statuses:
        return Pairing.Status.DISPUTED
    if Result.Status.REPORTED in statuses:
        return Pairing.Status.REPORTED
    return Pairing.Status.PLAYING if pairing.begun_at else Pairing.Status.READY
