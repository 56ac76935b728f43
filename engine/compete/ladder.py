"""A ladder: legal challenges, and changes of places after a match or without one.

An order is the entries from the top of the ladder to its foot. Nothing here knows of dates: callers decide which
entries are busy or have been idle too long.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.compete.records import CannotPair
from engine.words import say, say_several


def why_not(
    order: Sequence[int], challenger: int, challenged: int, *, reach: int, busy: Collection[int] = ()
) -> str | None:
    """Reason against the challenge, in a sentence to the challenger; nothing if it is allowed.

    A challenge may go up to `reach` places above. Neither side may be `busy`: have an open challenge or a match to
    finish.
    """
    _check(order)
    if challenger not in order:
        return say("You are not on this ladder.")
    if challenged not in order:
        return say("They are not on this ladder.")
    places = order.index(challenger) - order.index(challenged)
    if places == 0:
        return say("Nobody can challenge themselves.")
    if places < 0:
        return say("They are below you. You can only challenge entries above you.")
    if places > reach:
        return say_several(
            "They are %(places)s places above you. A challenge can reach at most %(count)s place.",
            "They are %(places)s places above you. A challenge can reach at most %(count)s places.",
            reach,
            places=places,
        )
    if challenger in busy:
        return say("You have a challenge or a match that is still open.")
    if challenged in busy:
        return say("They have a challenge or a match that is still open.")
    return None


def after_match(order: Sequence[int], challenger: int, challenged: int, winner: int) -> tuple[int, ...]:
    """The order after a match: a challenger who won takes the place of the challenged, and those between slide down.

    A challenger who has risen above the challenged during the match keeps the better place.
    """
    _check(order)
    if {challenger, challenged} - set(order) or challenger == challenged:
        raise CannotPair(say("A ladder match is between two different entries of the ladder."))
    if winner not in (challenger, challenged):
        raise CannotPair(say("The winner of a ladder match must be one of its two entries."))
    old, new = order.index(challenger), order.index(challenged)
    if winner == challenged or old < new:
        return tuple(order)
    return (*order[:new], challenger, *order[new:old], *order[old + 1 :])


def after_inactivity(order: Sequence[int], idle: Collection[int], *, drop: int = 1) -> tuple[int, ...]:
    """The order after each idle entry has dropped below `drop` active ones, or as many as there are below it.

    The active keep their order among themselves, and so do the idle.
    """
    _check(order)
    if drop < 0:
        raise CannotPair(say("An idle entry slides down the ladder, not up."))
    active = [entry for entry in order if entry not in idle]
    slots: list[list[int]] = [[] for _ in range(len(active) + 1)]
    passed = 0
    for entry in order:
        if entry in idle:
            slots[min(passed + drop, len(active))].append(entry)
        else:
            passed += 1
    after = list(slots[0])
    for entry, slot in zip(active, slots[1:], strict=True):
        after += [entry, *slot]
    return tuple(after)


def _check(order: Sequence[int]) -> None:
    if len(set(order)) != len(order):
        raise CannotPair(say("Nobody can be on a ladder twice."))
