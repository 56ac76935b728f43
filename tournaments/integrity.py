"""Whether events and ratings agree with what they follow from: every bracket with its results, every rating with its games.

What follows is worked out again in a transaction that is taken back, so nothing is changed.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import timezone

from acts.recording import thrown_away
from tournaments import expected_rounds
from tournaments.models import Rating, RatingPool, Stage, Tournament
from tournaments.ratings import services as ratings
from tournaments.services.history import rolled_back
from tournaments.services.stages import progress
from tournaments.stage_state import StageState, load

CLOSE = 1e-6
"""Ratings are floats, worked out in the same order each time; databases keep them whole."""


def events() -> Iterator[tuple[str, list[str]]]:
    """Every event that has begun, oldest first: its address, and what is wrong with it in sentences."""
    for pk in list(Tournament.objects.order_by("pk").values_list("pk", flat=True)):
        event = Tournament.objects.get(pk=pk)
        if event.has_begun:
            yield event.get_absolute_url(), list(_wrong(event))


def _wrong(event: Tournament) -> Iterator[str]:
    for stage in Stage.objects.filter(tournament=event).exclude(status=Stage.Status.WAITING).order_by("number"):
        state = load(stage, event)
        if state.plan.is_bracket:
            yield from _bracket(state)
    # What waits for the worker, or for the clock, is no fault.
    if event.look_at is None:
        with rolled_back(event.pk) as locked:
            if progress.advance_locked(locked, timezone.now()):
                yield "its tables are not those that its results lead to"


def _bracket(state: StageState) -> Iterator[str]:
    have = {table.row.name: table for one in state.rounds for table in one.tables if not table.row.is_fixed}
    for wanted in expected_rounds.bracket_rounds(state):
        for table in wanted.tables:
            kept = have.get(table.name)
            if kept is not None and kept.entries != table.entries:
                yield f"match {table.name} is not between those that its results lead to"


def pools() -> Iterator[tuple[str, list[str]]]:
    """Every pool of ratings that waits for nothing: its name, and what is wrong with it in sentences."""
    for name in list(RatingPool.objects.filter(dirty_since=None).order_by("name").values_list("name", flat=True)):
        before = _ratings(name)
        with thrown_away():
            ratings.rate_whole(name)
            after = _ratings(name)
        wrong = [key for key in before.keys() | after.keys() if not _same(before.get(key), after.get(key))]
        yield name, [f"{len(wrong)} of {len(before)} ratings are not what their games come to"] if wrong else []


def _ratings(name: str) -> dict[tuple[int, int | None], tuple[float, float, int]]:
    rows = Rating.objects.filter(pool=name).values_list("user", "partner", "mu", "sigma", "matches")
    return {(user, partner): (mu, sigma, matches) for user, partner, mu, sigma, matches in rows}


def _same(one: tuple[float, float, int] | None, other: tuple[float, float, int] | None) -> bool:
    if one is None or other is None:
        return one is other
    return abs(one[0] - other[0]) < CLOSE and abs(one[1] - other[1]) < CLOSE and one[2] == other[2]
