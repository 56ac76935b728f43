"""A tie-break's value for every entry, in whole numbers that compare fast."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple


class Column(NamedTuple):
    """The values of one tie-break by entry, each times `scale`; nothing where there is no value.

    More is better, unless `fewer_wins`; no value is worse than any.
    """

    values: Mapping[int, int | None]
    scale: int = 1
    fewer_wins: bool = False

    def value(self, entry: int) -> Fraction | None:
        """The value as people know it."""
        value = self.values[entry]
        return None if value is None else Fraction(value, self.scale)

    def key(self, entry: int) -> tuple[bool, int]:
        """Sort keys of the entries, the best first."""
        value = self.values[entry]
        return (True, 0) if value is None else (False, value if self.fewer_wins else -value)
