"""Number of tables, and of seats at each."""

from __future__ import annotations

from engine.compete.records import CannotPair
from engine.errors import BadInput


def sizes(entries: int, seats: int, *, least: int = 3, most: int = 7, may_bye: bool = False) -> tuple[int, ...]:
    """Table sizes for so many entries, the biggest first, none below `least` or above `most`.

    Tables differ by one seat at most, and their number brings them nearest to `seats`: the sum over all entries of
    the squared difference of their table's size from it is least; of two equally near ways, the one with the smaller
    tables. With `may_bye` as few entries as possible have no seat, if there is no other way: the sizes then add up
    to less than `entries`. Raises `CannotPair` if there is no way at all, and `BadInput` if `seats` is not from
    `least` to `most`.
    """
    if not 2 <= least <= seats <= most:
        raise BadInput(f"Tables of {seats} are not among those from {max(least, 2)} to {most} seats.")
    for seated in range(entries, least - 1, -1) if may_bye else [entries]:
        # So many tables that the smallest has `least` at the least and the biggest no more than `most`.
        ways = [_even(seated, tables) for tables in range(max(1, -(-seated // most)), seated // least + 1)]
        if ways:
            return min(ways, key=lambda way: (sum(size * (size - seats) ** 2 for size in way), -len(way)))
    allowed = f"tables of {least}" if least == most else f"tables of {least} to {most}"
    raise CannotPair(f"{entries} {'entry' if entries == 1 else 'entries'} cannot be seated at {allowed}.")


def _even(entries: int, tables: int) -> tuple[int, ...]:
    """Sizes that differ by one at most, the biggest first."""
    size, bigger = divmod(entries, tables)
    return (size + 1,) * bigger + (size,) * (tables - bigger)
