"""Each tie-break by its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.compete.records import Round
from engine.compete.tiebreaks import opponents, own_results
from engine.compete.tiebreaks.column import Column
from engine.compete.tiebreaks.ledger import Ledger


@dataclass(frozen=True)
class Work:
    """Input of all tie-breaks; the opponents are looked up once, however many tie-breaks ask.

    `ledger` has the points of the standings, `by_matches` match points even where card points count.
    """

    ledger: Ledger
    by_matches: Ledger
    rounds: Sequence[Round]
    unplayed_rule: str
    lots: str = ""
    best_of: int = 0
    spread_cap: int | None = None

    @cached_property
    def met(self) -> dict[int, list[opponents.Met]]:
        """Everyone each entry met."""
        return opponents.meetings(self.ledger, self.unplayed_rule)

    def column(self, name: str) -> Column:
        """The values of the tie-break of this name, except direct encounter, which needs to know the tied entries."""
        return _MAKERS[name](self)


_MAKERS: Final[dict[str, Callable[[Work], Column]]] = {
    "match_points": lambda work: own_results.match_points(work.by_matches),
    "wins": lambda work: own_results.wins(work.ledger),
    "spread": lambda work: own_results.spread(work.ledger, work.rounds),
    "capped_spread": lambda work: own_results.spread(work.ledger, work.rounds, work.spread_cap),
    "points_scored": lambda work: own_results.points_scored(work.ledger, work.rounds),
    "buchholz": lambda work: opponents.buchholz(work.ledger, work.met),
    "buchholz_cut1": lambda work: opponents.buchholz(work.ledger, work.met, low=1),
    "buchholz_cut2": lambda work: opponents.buchholz(work.ledger, work.met, low=2),
    "median_buchholz": lambda work: opponents.buchholz(work.ledger, work.met, low=1, high=1),
    "median_buchholz2": lambda work: opponents.buchholz(work.ledger, work.met, low=2, high=2),
    "sonneborn_berger": lambda work: opponents.sonneborn_berger(work.ledger, work.met),
    "sonneborn_berger_cut1": lambda work: opponents.sonneborn_berger(work.ledger, work.met, low=1),
    "cumulative": lambda work: own_results.cumulative(work.ledger),
    "koya": lambda work: opponents.koya(work.ledger),
    "opponents_average": lambda work: opponents.opponents_average(work.ledger, work.unplayed_rule),
    "books": lambda work: own_results.books(work.ledger, work.rounds),
    "going_out": lambda work: own_results.going_out(work.ledger, work.rounds),
    "best_rounds": lambda work: own_results.best_rounds(work.ledger, work.best_of),
    "fewest_walkovers": lambda work: own_results.fewest_walkovers(work.ledger),
    "lots": lambda work: own_results.lots(work.ledger, work.lots),
}
