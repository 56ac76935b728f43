"""Formats in which everyone plays every round: round robins, Swiss rounds, and evenings on which partners rotate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from engine.compete import fixtures
from engine.compete.movements import whist, whist_designs
from engine.compete.pairing import players, pods, swiss
from engine.compete.records import Drawn, Kind, Round
from engine.compete.simulation.results import Request, byes
from engine.compete.simulation.schedule import Course, Seated, Session, by_points

EVENING: Final = 12
"""Rounds of an evening on which partners rotate, if nothing is said and no design says it."""


def round_robin(request: Request) -> Course:
    """Everyone meets everyone once."""
    return _all_meet(request, double=False)


def double_round_robin(request: Request) -> Course:
    """Everyone meets everyone twice."""
    return _all_meet(request, double=True)


def _all_meet(request: Request, *, double: bool) -> Course:
    drawn = fixtures.round_robin(request.entries, double=double)
    rounds = [request.round(each, round_name(number), bye=Kind.ZERO_BYE) for number, each in enumerate(drawn, start=1)]
    standings = by_points(rounds, request.entries, "direct_encounter", "sonneborn_berger")
    return Course(sessions(drawn), standings)


def swiss_rounds(request: Request) -> Course:
    """Entries of like scores meet, at tables of two."""
    length = request.rounds or swiss.rounds_for(request.entries)
    drawn, rounds = _by_score(request, length, swiss.pair)
    standings = by_points(rounds, request.entries, "buchholz_cut1", "buchholz", "sonneborn_berger")
    return Course(sessions(drawn), standings, settings={"rounds": length})


def swiss_pods(request: Request) -> Course:
    """Entries of like scores meet, at tables of several."""
    seats = request.seats or 4
    sizes = pods.sizes(request.entries, seats)
    length = request.rounds or _usual_rounds(request.entries, seats)
    drawn, rounds = _by_score(request, length, lambda standing: pods.pair(standing, sizes))
    standings = by_points(rounds, request.entries, "wins", "buchholz")
    return Course(sessions(drawn), standings, settings={"seats": seats, "rounds": length})


def _usual_rounds(entries: int, seats: int) -> int:
    """One round more than a single winner of all matches needs at tables of so many."""
    rounds = 1
    while seats ** (rounds - 1) < entries:
        rounds += 1
    return rounds


def _by_score(
    request: Request, length: int, pair: Callable[[tuple[players.Player, ...]], Drawn]
) -> tuple[list[Drawn], list[Round]]:
    """So many rounds, each drawn from the scores before."""
    entries = range(1, request.entries + 1)
    drawn: list[Drawn] = []
    rounds: list[Round] = []
    for number in range(1, length + 1):
        drawn.append(pair(players.after(rounds, entries)))
        rounds.append(request.round(drawn[-1], round_name(number)))
    return drawn, rounds


def rotating_partners(request: Request) -> Course:
    """Four to a table, in each round with another partner; as long as the design, or no longer than an evening."""
    rounds = request.rounds
    if rounds is None and not whist_designs.design(request.entries):
        rounds = min(request.entries - (request.entries % 2 == 0), EVENING)
    drawn = whist.rotating_partners(request.entries, rounds=rounds)
    played = []
    for number, each in enumerate(drawn, start=1):
        name = round_name(number)
        tables = [request.partners(entries, f"{name}/{table}") for table, entries in enumerate(each.tables)]
        played.append(Round(tuple(tables), byes(each, Kind.HALF_BYE), name))
    standings = by_points(played, request.entries, "wins", "spread")
    return Course(sessions(drawn), standings, settings={"seats": 4, "rounds": len(drawn)})


def sessions(drawn: Sequence[Drawn]) -> tuple[Session, ...]:
    """Rounds as they were drawn, numbered."""
    return tuple(
        Session(round_name(number), tuple(Seated(entries) for entries in each.tables), each.byes)
        for number, each in enumerate(drawn, start=1)
    )


def round_name(number: int) -> str:
    """`Round 1`."""
    return f"Round {number}"
