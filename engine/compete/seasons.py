"""Between two seasons: promotion, relegation, and divisions of the right size."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from engine.errors import BadInput
from engine.words import say


def move(
    divisions: Sequence[Sequence[int]],
    up: int | Sequence[int],
    down: int | Sequence[int],
    *,
    sizes: Sequence[int] | None = None,
    least: int = 2,
    undersized: Literal["merge", "fill"] = "merge",
    leaving: Collection[int] = (),
    joining: Sequence[int] = (),
) -> tuple[tuple[int, ...], ...]:
    """The divisions of the next season, the top one first, each in seed order, from their final orders.

    Between two neighbouring divisions the top `up` of the lower and the bottom `down` of the upper change places; a
    number, or one for each border from the top. An entry moves by one division or not at all, and nobody is both among
    the first and among the last. Those `leaving` are passed over, those `joining` begin in the bottom division.

    With `sizes` (of all divisions but the bottom one, which takes the rest), a division that is short keeps the best of
    those that would go down, then takes the next best from below; one that is too full sends its next lowest down. A
    bottom division of fewer than `least` is merged into the one above, or filled with the lowest from there. A size
    stays unmet if no entry that has not moved yet could change it.

    The new order has first entries from above, then those that stay, then entries from below, then those that join. The
    same final orders always give the same divisions.

    Raises `BadInput` if an entry is in two divisions, or a number does not fit the divisions.
    """
    joining = [entry for entry in joining if entry not in leaving]
    entries = [entry for division in divisions for entry in division] + joining
    if len(set(entries)) < len(entries):
        raise BadInput(say("An entry cannot be in two divisions, or twice in one."))
    orders = [[entry for entry in division if entry not in leaving] for division in divisions]
    borders = max(0, len(orders) - 1)
    ups, downs = _each(up, borders), _each(down, borders)
    if sizes is not None and len(sizes) != borders:
        raise BadInput(
            say(
                "Each of the %(count)s divisions needs a wanted size, except the bottom one: %(borders)s in all.",
                count=len(orders),
                borders=borders,
            )
        )
    moves = _exchange(orders, ups, downs)
    for number, size in enumerate(sizes or ()):
        _fit(orders, moves, number, size)
    if undersized == "fill" and borders > 0:
        _fill_bottom(orders, moves, least - len(joining))
    result = [_division_after(orders, moves, number) for number in range(len(orders))]
    if result:
        result[-1] += joining
    while undersized == "merge" and len(result) > 1 and len(result[-1]) < least:
        result[-2:] = [result[-2] + result[-1]]
    return tuple(map(tuple, result))


def _each(count: int | Sequence[int], borders: int) -> list[int]:
    counts = [count] * borders if isinstance(count, int) else list(count)
    if len(counts) != borders or any(number < 0 for number in counts):
        raise BadInput(
            say(
                "Promotion and relegation need a number of 0 or more for each two neighbouring "
                "divisions: %(borders)s in all.",
                borders=borders,
            )
        )
    return counts


def _exchange(orders: list[list[int]], ups: list[int], downs: list[int]) -> dict[int, int]:
    """By entry, the divisions it moves: -1 up, 1 down. Entries that stay are left out."""
    moves: dict[int, int] = {}
    for border, count in enumerate(ups):
        moves.update(dict.fromkeys(orders[border + 1][:count], -1))
    for border, count in enumerate(downs):
        last = orders[border][max(0, len(orders[border]) - count) :]
        moves.update({entry: 1 for entry in last if entry not in moves})
    return moves


def _division_after(orders: list[list[int]], moves: dict[int, int], number: int) -> list[int]:
    """The division of this number after the moves."""
    neighbours = [(number - 1, 1), (number, 0), (number + 1, -1)]
    return [
        entry
        for source, step in neighbours
        if 0 <= source < len(orders)
        for entry in orders[source]
        if moves.get(entry, 0) == step
    ]


def _fit(orders: list[list[int]], moves: dict[int, int], number: int, size: int) -> None:
    """Bring a division to its wanted size, as far as moves with the one below allow."""
    while len(_division_after(orders, moves, number)) < size:
        spared = next((entry for entry in orders[number] if moves.get(entry) == 1), None)
        if spared is not None:
            del moves[spared]
            continue
        raised = next((entry for entry in orders[number + 1] if entry not in moves), None)
        if raised is None:
            return
        moves[raised] = -1
    while len(_division_after(orders, moves, number)) > size:
        lowered = next((entry for entry in reversed(orders[number]) if entry not in moves), None)
        if lowered is None:
            return
        moves[lowered] = 1


def _fill_bottom(orders: list[list[int]], moves: dict[int, int], least: int) -> None:
    """Send the lowest of the last but one division down until the bottom one is large enough."""
    while len(_division_after(orders, moves, len(orders) - 1)) < least:
        lowered = next((entry for entry in reversed(orders[-2]) if entry not in moves), None)
        if lowered is None:
            return
        moves[lowered] = 1
