"""What any act would bring about, seen without its being done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from accounts.models import User
from tournaments.models import Act, Pairing
from tournaments.services.history import rolled_back
from tournaments.services.matches import results
from tournaments.services.matches.result_lines import Line
from tournaments.services.stages import redraws
from tournaments.services.stages.redraws import Preview


def preview_of(tournament_id: int, act: Callable[[], Act]) -> tuple[str, Preview]:
    """The sentence of an act, and what it and all that follows from it would change. Nothing is changed.

    `act` does it by its service, without a request key. Raises what that raises.
    """
    with rolled_back(tournament_id) as tournament:
        before = redraws.look(tournament)
        done = act()
        tournament.refresh_from_db()
        return done.sentence, redraws.between(before, redraws.look(tournament))


def preview_of_result(pairing: Pairing, lines: Sequence[Line], *, by: User, **what: Any) -> Preview:
    """What entering or correcting a result would change, and what would fall where nothing that has begun is kept."""
    deciding = partial(results.deciding, pairing.pk, lines, **what)
    event = pairing.round.stage.tournament_id
    return redraws.preview(event, results.DECIDE, by, deciding(), deciding(pair_again=True))
