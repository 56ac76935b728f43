"""Rounds at tables of three to seven: which sizes of table, and who sits at which.

What makes one draw better than another: nobody sits with whom they are kept apart from, or the draw is refused; few
sit together who have met before; and all at a table stand alike. The latter two are weighed against each other, by
how many tables away from where its score would put it an entry may be seated so that two do not meet again
(`seating.REACH`).
"""

from __future__ import annotations

from engine.compete.pairing.pods.draw import pair
from engine.compete.pairing.pods.table_sizes import sizes

__all__ = ["pair", "sizes"]
