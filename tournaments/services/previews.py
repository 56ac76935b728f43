"""Previews of actions."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from accounts.models import User
from tournaments.models import Act, Pairing
from tournaments.services.history import rolled_back
from tournaments.services.matches import results
from tournaments.services.matches.result_lines import ResultLine
from tournaments.services.stages import redraws
from tournaments.services.stages.redraws import Preview


def preview_of(tournament_id: int, act: Callable[[], Act]) -> tuple[str, Preview]:
    """The sentence of an action, and a preview of everything that follows. Nothing is changed.

    `act` performs it by its service, without a request key. Raises what that raises.
    """
    with rolled_back(tournament_id) as tournament:
        before = redraws.take_snapshot(tournament)
        outcome = act()
        tournament.refresh_from_db()
        return outcome.sentence, redraws.compare_snapshots(before, redraws.take_snapshot(tournament))


def preview_of_result(pairing: Pairing, lines: Sequence[ResultLine], *, by: User, **options: Any) -> Preview:
    """Preview of entering or correcting a result, with the results lost if matches already started are redrawn."""
    deciding = partial(results.decision, pairing.pk, lines, **options)
    event = pairing.round.stage.tournament_id
    return redraws.preview(event, results.DECIDE, by, deciding(), deciding(pair_again=True))
