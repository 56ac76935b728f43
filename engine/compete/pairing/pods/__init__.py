"""Rounds at tables of three to seven: the sizes of the tables and their players.

Goals of a draw: entries to be kept apart are kept apart, or the draw is refused; few sit together that have met
before; and all at a table have similar scores. The latter two are weighed against each other by the number of tables
that an entry may move from the place of its score so that two do not meet again (`seating.REACH`).
"""

from __future__ import annotations

from engine.compete.pairing.pods.draw import pair
from engine.compete.pairing.pods.table_sizes import sizes

__all__ = ["pair", "sizes"]
