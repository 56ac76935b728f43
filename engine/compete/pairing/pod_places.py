"""Places of a whole knockout at tables of several that each entry of a level can still have.

Places are as in the `standings` of such a knockout: entries that go through are ahead of those that go out; of the
latter at one level the better place at the table is ahead, then more card points; entries tied in both share a place.

A range is never wrong, and it never widens as tables finish. It is exact once a level is complete, but for the order
of those who play on. While tables are open, it counts only how many must, and how many can, come out ahead of an
entry.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from engine.compete.pairing.knockout_pods import Level, by_place, shares
from engine.compete.records import Played

Span = tuple[int, int]
"""The best and the worst place."""


class _Finished(NamedTuple):
    """An entry of a finished table that does not go through by place alone: its place there and its card points."""

    entry: int
    place: int
    score: int

    def is_ahead(self, other: _Finished) -> bool:
        """Whether it has the better place, should both go out."""
        return (self.place, -self.score) < (other.place, -other.score)


def possible_places(
    level: Level,
    played: Sequence[Played],
    open_tables: Sequence[Collection[int]],
    rank: Callable[[int], Any],
    *,
    out: Collection[int] = (),
    is_settled: bool = True,
) -> dict[int, Span]:
    """By entry, the places that are left to everyone at a level, from its finished and its open tables.

    `rank` decides between equals, as in `knockout_pods.advancing_entries`; of the best others only if `is_settled`.
    Those in `out` are at no table that counts, and do not go through.
    """
    sizes = [len(table.entries) for table in played] + [len(table) for table in open_tables]
    by_seat = sum(min(level.advance, size) for size in sizes)
    best_others = min(level.best_others, sum(sizes) - by_seat)
    through, everyone = by_seat + best_others, sum(sizes) + len(out)
    spans: dict[int, Span] = dict.fromkeys(out, (through + 1, everyone))
    waiting: list[_Finished] = []
    for table in played:
        order = by_place(table, rank)
        spans |= dict.fromkeys(order[: level.advance], (1, through))
        waiting += [_finished(table, entry) for entry in order[level.advance :]]
    still_open = [max(0, len(table) - level.advance) for table in open_tables]
    chances = _chances(waiting, played, rank if is_settled else None, best_others, sum(still_open))
    eliminated = [player for player in waiting if chances[player.entry] is False]
    for player in waiting:
        if chances[player.entry]:
            spans[player.entry] = 1, through
            continue
        ahead = [other for other in waiting if other.is_ahead(player)]
        must = sum(max(0, min(player.place - 1, len(table)) - level.advance) for table in open_tables)
        fewest = max(len(ahead) + must - best_others, sum(other in eliminated for other in ahead), 0)
        most = sum(not chances[other.entry] for other in ahead) + sum(still_open) + len(out)
        behind = sum(player.is_ahead(other) for other in eliminated)
        is_out = chances[player.entry] is False
        spans[player.entry] = through + 1 + fewest if is_out else 1, min(through + 1 + most, everyone - behind)
    for company in open_tables:
        behind = sum(player.place > len(company) for player in eliminated)
        spans |= dict.fromkeys(company, (1, everyone - behind))
    return dict(sorted(spans.items()))


def _finished(table: Played, entry: int) -> _Finished:
    scores = table.scores or (0,) * len(table.entries)
    results = dict(zip(table.entries, zip(table.points, scores, strict=True), strict=True))
    place = 1 + sum(result > results[entry] for result in results.values())
    return _Finished(entry, place, results[entry][1])


def _chances(
    waiting: Sequence[_Finished],
    played: Sequence[Played],
    rank: Callable[[int], Any] | None,
    best_others: int,
    still_open: int,
) -> dict[int, bool | None]:
    """Whether each goes through as one of the best others; nothing while that is open.

    `still_open` is how many more will come to wait with them, from tables that are open. Without a `rank` it is open
    between equals.
    """
    share = {entry: share for table in played for entry, share in shares(table).items()}
    order = {entry: at for table in played for at, entry in enumerate(by_place(table, rank))} if rank else {}

    def value(player: _Finished) -> tuple[Any, ...]:
        if rank is None:
            return -share[player.entry], player.place, -player.score
        return -share[player.entry], order[player.entry], rank(player.entry)

    chances: dict[int, bool | None] = {}
    for player in waiting:
        better = sum(value(other) < value(player) for other in waiting)
        equal = sum(value(other) == value(player) for other in waiting) - 1
        is_in = better + equal + still_open < best_others
        chances[player.entry] = False if better >= best_others else True if is_in else None
    return chances
