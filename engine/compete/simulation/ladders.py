"""A ladder with as many challenges as possible in every round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from engine.compete import ladder
from engine.compete.records import Drawn
from engine.compete.simulation.meetings import round_name, sessions
from engine.compete.simulation.results import WIN, Request
from engine.compete.simulation.schedule import Course, Standing

REACH = 3
"""Reach of a challenge, in places."""


def climb(request: Request) -> Course:
    """Challenges of up to three places above; the winner of one takes the place."""
    length = request.rounds or 2 * REACH
    order: Sequence[int] = tuple(range(1, request.entries + 1))
    drawn: list[Drawn] = []
    wins: Counter[int] = Counter()
    for number in range(1, length + 1):
        challenges = _challenges(order, REACH - (number - 1) % REACH)
        drawn.append(Drawn(tuple(challenges)))
        for challenged, challenger in challenges:
            winner = request.winner((challenged, challenger), f"{round_name(number)}/{challenger}")
            wins[winner] += WIN
            order = ladder.after_match(order, challenger, challenged, winner)
    standings = tuple(Standing(rank, entry, Fraction(wins[entry])) for rank, entry in enumerate(order, start=1))
    return Course(sessions(drawn), standings, settings={"rounds": length, "reach": REACH})


def _challenges(order: Sequence[int], distance: int) -> list[tuple[int, int]]:
    """Challenges of a round: every free entry challenges the free entry so many places above."""
    distance = min(distance, len(order) - 1)
    busy: set[int] = set()
    challenges: list[tuple[int, int]] = []
    for challenged, challenger in zip(order, order[distance:], strict=False):
        if not busy & {challenged, challenger} and not ladder.why_not(
            order, challenger, challenged, reach=REACH, busy=tuple(busy)
        ):
            challenges.append((challenged, challenger))
            busy |= {challenged, challenger}
    return challenges
