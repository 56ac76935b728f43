"""What any act would bring about, seen without its being done."""

from __future__ import annotations

from collections.abc import Callable

from tournaments.models import Act
from tournaments.services import again
from tournaments.services.again import Preview
from tournaments.services.history import rolled_back


def preview_of(tournament_id: int, act: Callable[[], Act]) -> tuple[str, Preview]:
    """The sentence of an act, and what it and all that follows from it would change. Nothing is changed.

    `act` does it by its service, without a request key. Raises what that raises.
    """
    with rolled_back(tournament_id) as tournament:
        before = again.look(tournament)
        done = act()
        tournament.refresh_from_db()
        return done.sentence, again.between(before, again.look(tournament))
