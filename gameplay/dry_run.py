"""Whether staged moves would do, asked before they are sent. It works on a view, so it can tell nothing hidden."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.play.game import apply
from engine.play.moves import GARBAGE, Group, Move
from engine.play.refusals import Refusal
from engine.play.view import View


@dataclass(frozen=True)
class Verdict:
    """What the rules say of some moves: the refusal, if any, and what the melds are worth against the minimum."""

    refusal: Refusal | None
    points: int
    minimum: int
    """0 once the team has opened."""


def dry_run(seen: View, moves: Sequence[Move]) -> Verdict:
    """The verdict on moves of this seat, in order, as far as it can be known without what is hidden."""
    state = seen.position
    minimum = 0 if seen.seat is None or state.opened[seen.seat % state.teams] else _minimum(seen)
    return Verdict(_refusal(seen, moves), points_of(seen, moves), minimum)


def _minimum(seen: View) -> int:
    state = seen.position
    team = (seen.seat or 0) % state.teams
    return state.rules.opening.minimum(state.deal, state.scores[team])


def _refusal(seen: View, moves: Sequence[Move]) -> Refusal | None:
    for move in moves:
        if (refusal := seen.why_not(move)) is not None:
            return refusal
        if move.kind != "meld":
            return None  # what follows would look at cards that this seat has not seen
        step = apply(seen.position, move)
        if any(event.kind == "foot_picked_up" for event in step.events):
            return None
        seen = View(step.state, seen.seat)
    return None


def points_of(seen: View, moves: Sequence[Move]) -> int:
    """What the groups of these moves are worth towards opening; a claim counts the pile's top card."""
    state, values = seen.position, seen.position.rules.card_values
    groups: list[Group] = [group for move in moves for group in move.groups if group.name != GARBAGE]
    worth = sum(values[card] for group in groups for card in group.cards)
    claims = any(move.kind == "take" for move in moves) and bool(state.pile)
    return worth + (values[state.pile[0]] if claims else 0)
