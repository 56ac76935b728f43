"""Integrity checks: brackets agree with their results, ratings with their games.

Everything is worked out again in a transaction that is rolled back, so nothing is changed.
"""

from collections.abc import Iterator

from django.utils import timezone

from acts.recording import rollback
from tournaments import expected_rounds
from tournaments.models import Rating, RatingPool, Stage, Tournament
from tournaments.ratings import services as ratings
from tournaments.services.history import rolled_back
from tournaments.services.stages import progress
from tournaments.stage_state import StageState, load

CLOSE = 1e-6
"""Ratings are floats, worked out in the same order each time; databases keep them whole."""


def events() -> Iterator[tuple[str, list[str]]]:
    """Problems of every started event, oldest first: its address and sentences."""
    for pk in list(Tournament.objects.order_by("pk").values_list("pk", flat=True)):
        event = Tournament.objects.get(pk=pk)
        if event.has_begun:
            yield event.get_absolute_url(), list(_wrong(event))


def _wrong(event: Tournament) -> Iterator[str]:
    for stage in Stage.objects.filter(tournament=event).exclude(status=Stage.Status.WAITING).order_by("number"):
        state = load(stage, event)
        if state.plan.is_bracket:
            yield from _bracket(state)
    # Work pending for the worker or the clock is not a fault.
    if event.look_at is None:
        with rolled_back(event.pk) as locked:
            if progress.advance_locked(locked, timezone.now()):
                yield "its tables are not those that its results lead to"


def _bracket(state: StageState) -> Iterator[str]:
    have = {table.row.name: table for round_ in state.rounds for table in round_.tables if not table.row.is_fixed}
    for expected in expected_rounds.bracket_rounds(state):
        for table in expected.tables:
            present = have.get(table.name)
            if present is not None and present.entries != table.entries:
                yield f"match {table.name} is not between those that its results lead to"


def pools() -> Iterator[tuple[str, list[str]]]:
    """Problems of every rating pool without pending work: its name and sentences."""
    for name in list(RatingPool.objects.filter(dirty_since=None).order_by("name").values_list("name", flat=True)):
        before = _ratings(name)
        with rollback():
            ratings.rate_whole(name)
            after = _ratings(name)
        wrong = [key for key in before.keys() | after.keys() if not _same(before.get(key), after.get(key))]
        yield name, [f"{len(wrong)} of {len(before)} ratings are not what their games come to"] if wrong else []


def _ratings(name: str) -> dict[tuple[int, int | None], tuple[float, float, int]]:
    rows = Rating.objects.filter(pool=name).values_list("user", "partner", "mu", "sigma", "matches")
    return {(user, partner): (mu, sigma, matches) for user, partner, mu, sigma, matches in rows}


def _same(before: tuple[float, float, int] | None, after: tuple[float, float, int] | None) -> bool:
    if before is None or after is None:
        return before is after
    return abs(before[0] - after[0]) < CLOSE and abs(before[1] - after[1]) < CLOSE and before[2] == after[2]
