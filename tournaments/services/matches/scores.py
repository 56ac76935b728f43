"""What a confirmed result makes of a match: card points, match points and places of each seat."""

from __future__ import annotations

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
    """What one place of a table comes to."""

    score: int | None
    points: Fraction
    rank: int


def settle(state: StageState, now: datetime) -> bool:
    """Make the places of every table what its confirmed result says; whether anything changed."""
    changed = False
    against_field = _against_field(state)
    for one in state.rounds:
        for table in one.tables:
            if table.row.result is not None:
                changed |= _settle(state.plan, table, table.row.result, against_field, now)
            elif not table.row.is_walkover and _looks_decided(table):
                clear(table)
                changed = True
    return changed


def _looks_decided(table: TableState) -> bool:
    """Whether a match without a result still has what one made of it."""
    return table.row.status == Pairing.Status.DONE or any(place.rank is not None for place in table.places)


def _settle(
    plan: Plan, table: TableState, result: Result, against_field: dict[int, dict[int, Fraction]], now: datetime
) -> bool:
    lines = list(result.lines)
    changed = _seat(table, lines)
    scored = score_lines(plan, result.kind, lines, [place.side for place in table.places], result.winner_id)
    if table.row.pk in against_field:
        scored = [
            one._replace(points=against_field[table.row.pk][place.side])
            for one, place in zip(scored, table.places, strict=True)
        ]
    for place, one in zip(table.places, scored, strict=True):
        if (place.score, place.points, place.rank) != (one.score, one.points, one.rank):
            place.score, place.points, place.rank = one.score, one.points, one.rank
            place.save(update_fields=["score", "points", "rank"])
            changed = True
    if table.row.status != Pairing.Status.DONE or table.row.is_walkover:
        table.row.status, table.row.is_walkover = Pairing.Status.DONE, False
        table.row.done_at = table.row.done_at or result.confirmed_at or now
        table.row.save(update_fields=["status", "done_at", "is_walkover"])
        changed = True
    return changed


def _seat(table: TableState, lines: list[dict[str, Any]]) -> bool:
    """A match that was played was played by whom its result names, whatever was drawn since."""
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
    """What each line of a result comes to. Raises `BadInput` for a scoring that does not fit the table.

    A line with `forfeit` loses to those without; partners share one score, that of their side.
    """
    by_side: dict[int, list[int]] = defaultdict(list)
    for index, side in enumerate(sides):
        by_side[side].append(index)
    order = sorted(by_side)
    kept: list[int | None]
    lost = [any(lines[index].get("forfeit") for index in by_side[side]) for side in order]
    totals = [_total(lines[by_side[side][0]]) for side in order]
    came = [total for total, gone in zip(totals, lost, strict=True) if not gone]
    if any(lost) and len(came) > 1 and None not in came:
        points, ranks, kept = _without_absent(plan, totals, lost)
    elif any(lost) or kind in (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT):
        points = [plan.worth("forfeit_loss" if gone else "forfeit_win") for gone in lost]
        ranks = [2 if gone and not all(lost) else 1 if not gone else len(order) for gone in lost]
        kept = [None] * len(order)
    else:
        scores = [total or 0 for total in totals]
        points = match_points(plan, scores)
        ranks = [1 + sum(other > own for other in scores) for own in scores]
        kept = list(scores)
        if winner is not None:
            ahead = next((at for at, side in enumerate(order) if lines[by_side[side][0]]["entry"] == winner), None)
            if ahead is not None:
                ranks = [1 if at == ahead else max(rank, 2) for at, rank in enumerate(ranks)]
    of_side = {side: Scored(kept[at], points[at], ranks[at]) for at, side in enumerate(order)}
    return [of_side[side] for side in sides]


def _without_absent(
    plan: Plan, totals: Sequence[int | None], lost: Sequence[bool]
) -> tuple[list[Fraction], list[int], list[int | None]]:
    """A bigger table that was played without somebody: the others have what they made, as if that one had come last.

    Points, places and card points of each side.
    """
    kept = [None if gone else total for total, gone in zip(totals, lost, strict=True)]
    least = min(score for score in kept if score is not None)
    scores = [least - 1 if score is None else score for score in kept]
    points = match_points(plan, scores)
    absent = plan.worth("forfeit_loss")
    ranks = [1 + sum(other > own for other in scores) for own in scores]
    return [absent if gone else one for gone, one in zip(lost, points, strict=True)], ranks, kept


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
    """In a duplicate: points by side of each table, against every table that played the same deals, whenever it did."""
    if not scoring.SCORINGS[state.plan.scoring].is_for_field:
        return {}
    fields: dict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    for one in state.rounds:
        for table in one.tables:
            result = table.row.result
            if result is not None and len(table.places) == 2 and not any(line.get("forfeit") for line in result.lines):
                totals = [_total(line) or 0 for line in result.lines]
                boards = tuple(table.row.boards) or (-one.row.number,)
                fields[boards].append((table.row.pk, totals[0] - totals[1]))
    return {pk: points for field in fields.values() for pk, points in _compare(state.plan.scoring, field)}


def _compare(name: str, field: list[tuple[int, int]]) -> list[tuple[int, dict[int, Fraction]]]:
    margins = [margin for _, margin in field]
    first, second = scoring.score(name, margins), scoring.score(name, [-margin for margin in margins])
    return [(pk, {0: first[at], 1: second[at]}) for at, (pk, _) in enumerate(field)]


def walk_over(state: StageState, table: TableState, gone: Sequence[int], now: datetime) -> None:
    """Decide a match without its being played: who is still there wins."""
    lost_sides = {place.side for at, place in zip(table.entries, table.places, strict=True) if at in gone}
    everybody = len(lost_sides) == len({place.side for place in table.places})
    for place in table.places:
        has_lost = place.side in lost_sides
        place.points = state.plan.worth("forfeit_loss" if has_lost else "forfeit_win")
        place.rank, place.score = (2 if has_lost or everybody else 1), None
        place.save(update_fields=["points", "rank", "score"])
    table.row.status, table.row.is_walkover, table.row.done_at = Pairing.Status.DONE, True, now
    table.row.save(update_fields=["status", "is_walkover", "done_at"])


def clear(table: TableState) -> None:
    """Let a match be open again, with nothing scored, but for what its sides have said of it.

    Where they have said nothing, an online table that is over counts no longer.
    """
    Place.objects.filter(pairing=table.row).update(points=None, score=None, rank=None)
    table.row.status, table.row.is_walkover, table.row.done_at = _open_status(table.row), False, None
    if table.row.status == Pairing.Status.READY:
        table.row.opened_at = table.row.table = None
    table.row.save(update_fields=["status", "is_walkover", "done_at", "opened_at", "table"])


def _open_status(row: Pairing) -> Pairing.Status:
    """The status of a match without a confirmed result, by what was reported of it."""
    said = set(row.results.values_list("status", flat=True))
    if Result.Status.DISPUTED in said:
        return Pairing.Status.DISPUTED
    if Result.Status.REPORTED in said:
        return Pairing.Status.REPORTED
    return Pairing.Status.PLAYING if row.begun_at else Pairing.Status.READY
