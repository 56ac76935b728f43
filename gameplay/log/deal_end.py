"""The end of a deal from its log: the results so far, who went out, and the turns worth another look."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.play.scoring import Outcome
from gameplay.log.match_history import read_outcome
from gameplay.log.story import StoryLine, read_events, tell
from gameplay.models import Deal, Move, Seat, Table

MOST_MOMENTS = 3
_LEAST_WEIGHT = 3
_WEIGHTS = {"book_completed": 5, "went_out": 4, "foot_picked_up": 2, "opened": 2, "penalty": 2}
"""How much an event makes a turn worth another look; cards taken from the pile count one half each."""


class DealEnd(NamedTuple):
    """What the log tells of a deal that is over."""

    outcomes: Sequence[Outcome] = ()
    """Of all deals that are over, oldest first."""
    how: str = ""
    """Why the deal ended, in the word of its event `deal_over`; empty if it is not known."""
    out_by: int | None = None
    """The seat that went out."""
    moments: Sequence[StoryLine] = ()
    """The turns worth another look, oldest first."""


def read_deal_end(table: Table, reader: int | None, seats: Sequence[Seat]) -> DealEnd:
    """The end of the table's last deal, as the seat `reader` (or a spectator) can know it. Two queries."""
    results = Deal.objects.filter(table=table, result__isnull=False).values_list("result", flat=True)
    moves = list(Move.objects.filter(table=table, deal=table.deal_number).defer("request_key", "text"))
    how, out_by = "", None
    weights: dict[int, float] = {}
    for move in moves:
        for event in read_events(move.events, reader):
            weight = event.number / 2 if event.kind == "took_pile" else _WEIGHTS.get(event.kind, 0)
            weights[move.number] = weights.get(move.number, 0) + weight
            if event.kind == "deal_over":
                how = event.text
            elif event.kind == "went_out":
                out_by = event.seat
    return DealEnd(
        [read_outcome(result) for result in results if result is not None],
        how,
        out_by,
        _moments(moves, weights, reader, seats),
    )


def _moments(
    moves: Sequence[Move], weights: dict[int, float], reader: int | None, seats: Sequence[Seat]
) -> list[StoryLine]:
    weighed = [
        (sum(weights.get(number, 0) for number in range(line.first, line.last + 1)), line)
        for line in tell(moves, seats, reader)
    ]
    best = sorted(weighed, key=lambda pair: -pair[0])[:MOST_MOMENTS]
    return sorted((line for weight, line in best if weight >= _LEAST_WEIGHT), key=lambda line: line.first)
