"""The matchday that a division has come to, by date, and the matches that are played on other days than theirs."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from clubs.league.fixtures import LATEST, Match, Matchday
from tournaments.models import Pairing


@dataclass(frozen=True)
class Agenda:
    """What a division plays now. A match that waits for its new day never holds the league at its matchday."""

    current: Matchday | None
    """The matchday that is played now, or is next: not ended, with a match that is still to be played on its days."""
    apart: tuple[Match, ...]
    """Open matches that were put off, or whose matchday has ended, by time."""
    complete: int
    """From the first, the matchdays that are over, but for matches apart."""

    def left_of(self, day: Matchday) -> tuple[Match, ...]:
        """The matches that are still to be played on the days of a matchday."""
        apart = {match.pairing.pk for match in self.apart}
        return tuple(match for match in day.matches if not match.is_done and match.pairing.pk not in apart)


def agenda(days: Sequence[Matchday], now: datetime) -> Agenda:
    """What the matchdays of a division, in order, come to at this time."""
    left: list[list[Match]] = []
    apart: list[Match] = []
    for at, day in enumerate(days):
        has_ended = _has_ended(days[at:], now)
        left.append([])
        for match in day.matches:
            if not match.is_done:
                (apart if has_ended or is_put_off(match.pairing) else left[at]).append(match)
    is_complete = [not left[at] and any(match.is_done for match in day.matches) for at, day in enumerate(days)]
    return Agenda(
        next((day for at, day in enumerate(days) if left[at]), None),
        tuple(sorted(apart, key=lambda match: (match.at or LATEST, match.matchday, match.pairing.number))),
        next((at for at, done in enumerate(is_complete) if not done), len(days)),
    )


def is_put_off(pairing: Pairing) -> bool:
    """Whether a match waits for a day after its matchday: its own time or deadline is later than the last day of that."""
    last = pairing.round.deadline_at
    times = [at for at in (pairing.starts_at, pairing.deadline_at) if at is not None]
    return pairing.is_open and last is not None and any(at > last for at in times)


def _has_ended(days: Sequence[Matchday], now: datetime) -> bool:
    """Whether the first of these matchdays has ended: its last day is past or, without one, the next has a result."""
    first, *later = days
    if first.deadline_at is not None:
        return first.deadline_at < now
    return bool(later) and any(match.is_done for match in later[0].matches)
