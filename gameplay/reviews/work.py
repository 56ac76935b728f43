"""The work on a review, in slices of about a second, so that bots’ turns never wait long for it.

A review’s `progress` holds what is worked out so far:

    {"done": slices done, "turns": [[last move, seat, [lead of each team]]], "bots": [[points of each team]],
     "screened": [[move, seat, points]], "costs": [[move, seat, better move, points]]}

First comes the course of the deal, then what bots make of the same cards. Then every decision of a person is weighed in a
few imagined deals, and the dearest of each person again in many others, so that none is named by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from engine.bots.review import better_act, leads, scores_of_bots
from engine.play.moves import write_move
from engine.play.state import State
from gameplay.models import DealReview, Table
from gameplay.reviews.positions import Played, beginning_of, played

BATCH = 8
"""Decisions weighed in one slice."""
MOST_DECISIONS = 240
"""Decisions weighed of a deal; those that follow are left out."""
SCREENED, WEIGHED = 6, 30
"""Imagined deals for every decision, and for the dearest ones again."""
DEAREST = 6
"""Decisions of each person that are weighed again."""
MOST_COSTS = 3
"""Costly acts named of each person."""

Slice = Callable[[dict[str, Any]], None]


def work_on(review: DealReview) -> None:
    """Do the next slice; `is_done` and `progress` say what is left. The caller saves."""
    table, number = review.deal.table, review.deal.number
    state = beginning_of(table, number)
    moves = list(played(table, number, state))
    progress: dict[str, Any] = review.progress or {
        "done": 0, "turns": [], "bots": [], "screened": [], "costs": []
    }  # fmt: skip
    slices = _slices(table, state, moves, progress)
    if progress["done"] < len(slices):
        slices[progress["done"]](progress)
        progress["done"] += 1
    review.progress, review.is_done = progress, progress["done"] >= len(slices)


def _slices(table: Table, state: State, moves: list[Played], progress: dict[str, Any]) -> list[Slice]:
    """All slices in order; those that weigh the dearest decisions are known once all were screened."""
    decisions = _decisions(moves)
    batches = [decisions[at : at + BATCH] for at in range(0, len(decisions), BATCH)]
    slices: list[Slice] = [partial(_follow, state, moves), partial(_play, state)]
    slices += [partial(_screen, batch) for batch in batches]
    by_number = {each.number: each for each in moves}
    dear = _dearest(progress) if progress["done"] >= len(slices) else []
    return slices + [partial(_weigh, by_number[number]) for number in dear] + [_choose]


def _decisions(moves: list[Played]) -> list[Played]:
    """Moves of people, without melds that were undone."""
    decisions: list[Played] = []
    for each in moves:
        if not each.is_player:
            continue
        if each.move.kind == "undo":
            while decisions and decisions.pop().move.kind != "meld":
                pass
            continue
        decisions.append(each)
    return decisions[:MOST_DECISIONS]


def _follow(state: State, moves: list[Played], progress: dict[str, Any]) -> None:
    """Who was ahead after each turn."""
    turns: list[list[Any]] = [[0, -1, leads(state)]]
    for each, following in zip(moves, [*moves[1:], None], strict=True):
        if following is None or following.before.turn != each.before.turn:
            turns.append([each.number, each.before.turn, leads(each.after)])
    progress["turns"] = turns


def _play(state: State, progress: dict[str, Any]) -> None:
    progress["bots"] = [list(scores) for scores in scores_of_bots(state)]


def _screen(batch: list[Played], progress: dict[str, Any]) -> None:
    for each in batch:
        # What is found by few deals is looked for, not said: without errors, so that little is overlooked.
        better = better_act(each.view(), each.move, samples=SCREENED, seed=each.number, errors=0.0)
        if better is not None:
            progress["screened"].append([each.number, each.seat, round(better.gain)])


def _dearest(progress: dict[str, Any]) -> list[int]:
    """Numbers of the decisions to weigh again, of each person the dearest."""
    dear: list[int] = []
    for seat in sorted({seat for _, seat, _ in progress["screened"]}):
        rows = sorted((row for row in progress["screened"] if row[1] == seat), key=lambda row: (-row[2], row[0]))
        dear += [number for number, _, _ in rows[:DEAREST]]
    return dear


def _weigh(each: Played, progress: dict[str, Any]) -> None:
    better = better_act(each.view(), each.move, samples=WEIGHED, seed=-each.number)
    if better is not None:
        progress["costs"].append([each.number, each.seat, write_move(better.move), round(better.gain)])


def _choose(progress: dict[str, Any]) -> None:
    """Keep the costliest acts of each person, and nothing that only led to them."""
    costs = sorted(progress["costs"], key=lambda row: (-row[3], row[0]))
    seats = {seat for _, seat, _, _ in costs}
    progress["costs"] = [row for seat in sorted(seats) for row in [r for r in costs if r[1] == seat][:MOST_COSTS]]
    progress["screened"] = []
