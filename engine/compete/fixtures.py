"""Round robins: pairings of all rounds, groups by seed, and the effect of a withdrawal.

The order of rounds and of seats is that of the Berger tables (FIDE Handbook, C.05, annex on round robins). The
circle method gives them: the highest number keeps its place, all others form a circle of the other numbers, and from
round to round the circle turns by half the number of entries.
"""

from __future__ import annotations

from engine.compete.records import CannotPair, Drawn
from engine.words import say

MOST = 512
"""More entries than any round robin has."""


def round_robin(entries: int, *, double: bool = False) -> tuple[Drawn, ...]:
    """Everyone against everyone, in Berger order; the first of a table has the first seat.

    With an odd number the highest number of the table (one more than there are entries) is the bye. `double` plays a
    second cycle with the seats changed, before which the last two rounds of the first one swap places, so that
    nobody has the same seat three times running (C.05). Raises `CannotPair`.
    """
    if not 2 <= entries <= MOST:
        raise CannotPair(
            say("A round robin is for 2 to %(most)s entries, not %(entries)s.", most=MOST, entries=entries)
        )
    size = entries + entries % 2
    rounds = [_berger_round(size, number) for number in range(size - 1)]
    if double:
        second = [tuple((away, home) for home, away in pairs) for pairs in rounds]
        rounds = [*rounds[:-2], *reversed(rounds[-2:]), *second]
    return tuple(_without_bye(pairs, entries) for pairs in rounds)


def _berger_round(size: int, number: int) -> tuple[tuple[int, int], ...]:
    """Round `number` (from 0) of the table for `size` entries, an even number."""
    circle = size - 1
    turned = number * size // 2
    top = turned % circle + 1
    last = (top, size) if number % 2 == 0 else (size, top)
    return (last, *(((turned + i) % circle + 1, (turned - i) % circle + 1) for i in range(1, size // 2)))


def _without_bye(pairs: tuple[tuple[int, int], ...], entries: int) -> Drawn:
    tables = tuple(pair for pair in pairs if max(pair) <= entries)
    return Drawn(tables, tuple(min(pair) for pair in pairs if max(pair) > entries))


def groups(entries: int, count: int) -> tuple[tuple[int, ...], ...]:
    """The entries in `count` groups as a snake by seed: 1 to A, 2 to B, then back from B to A; best seeds first.

    Raises `CannotPair` where a group would have fewer than two.
    """
    if count < 1 or entries < 2 * count:
        raise CannotPair(
            say("%(entries)s entries do not make %(count)s groups of two or more.", entries=entries, count=count)
        )
    snake = [*range(count), *reversed(range(count))]
    groups: list[list[int]] = [[] for _ in range(count)]
    for entry in range(1, entries + 1):
        groups[snake[(entry - 1) % len(snake)]].append(entry)
    return tuple(tuple(group) for group in groups)


def withdrawal_counts(played: int, total: int) -> bool:
    """Whether the games of an entry that left a round robin count: if it played at least half of them (C.05).

    `total` is the number of its games in all, without byes. If they count, the unplayed ones are walkovers: wins for
    the opponents, losses for the entry. If not, its games stay on show, but neither it nor its opponents have points
    for them, and the games left to play fall away.
    """
    if not 0 <= played <= total:
        raise CannotPair(
            say("An entry cannot have played %(played)s of %(total)s matches.", played=played, total=total)
        )
    return total > 0 and 2 * played >= total
