"""Whether staged moves would do, asked before they are sent. It works on a view, so it can tell nothing hidden."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.play.game import apply
from engine.play.moves import GARBAGE, Group, Move
from engine.play.refusals import Refusal
from engine.play.view import View


@dataclass(frozen=True)
class Verdict:
    """Dry run of moves: the refusal, if any, and the value of the melds against the minimum."""

    refusal: Refusal | None
    points: int
    minimum: int
    """0 once the team has opened."""


def dry_run(view: View, moves: Sequence[Move]) -> Verdict:
    """The verdict on moves of this seat, in order, as far as hidden cards allow."""
    state = view.position
    minimum = 0 if view.seat is None or state.opened[view.seat % state.teams] else _minimum(view)
    return Verdict(_refusal(view, moves), points_of(view, moves), minimum)


def _minimum(view: View) -> int:
    state = view.position
    team = (view.seat or 0) % state.teams
    return max(0, state.rules.opening.minimum(state.deal, state.scores[team]))


def _refusal(view: View, moves: Sequence[Move]) -> Refusal | None:
    for move in moves:
        if (refusal := view.why_not(move)) is not None:
            return refusal
        if move.kind != "meld":
            return None  # what follows would look at cards that this seat has not seen
        step = apply(view.position, move)
        if any(event.kind in ("knee_picked_up", "foot_picked_up") for event in step.events):
            return None
        view = View(step.state, view.seat)
    return None


def points_of(view: View, moves: Sequence[Move]) -> int:
    """The value of the groups in these moves towards opening; a claim counts the pile's top card."""
    state, values = view.position, view.position.rules.opening_values
    groups: list[Group] = [group for move in moves for group in move.groups if group.name != GARBAGE]
    worth = sum(values[card] for group in groups for card in group.cards)
    claims = any(move.kind in ("take", "draw_top") for move in moves) and bool(state.pile)
    return worth + (values[state.pile[0]] if claims else 0)
