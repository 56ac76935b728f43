"""Standing orders: moves and answers that a player wants at once when it is their turn.

A seat stores `{"answer": "yes", "no" or "points", "points": N, "draw": true}`, with the wanted parts only.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_lazy

from engine.play.moves import DRAW, NO, YES, Move
from engine.play.state import ANSWERING, DRAWING
from engine.play.view import View
from web.errors import Refused
from web.text import number

MOST_POINTS = 2000

ANSWERS = {
    "": gettext_lazy("Ask me each time"),
    "yes": gettext_lazy("Always yes"),
    "no": gettext_lazy("Always no"),
    "points": gettext_lazy("Yes, if I have at most this many points in hand"),
}
"""Answers in advance to `May I go out?`."""


class Standing(NamedTuple):
    """The standing orders of a player."""

    answer: str = ""
    """A key of `ANSWERS`."""
    points: int = 0
    """For `points`: the most that the cards in hand may be worth."""
    draw: bool = False
    """Draw when the discard pile cannot be taken."""

    def to_json(self) -> dict[str, Any]:
        """The stored form; empty if nothing is wanted."""
        data: dict[str, Any] = {"answer": self.answer} if self.answer else {}
        if self.answer == "points":
            data["points"] = self.points
        if self.draw:
            data["draw"] = True
        return data

    def sentences(self) -> list[str]:
        """Descriptions of the orders, shown to the player."""
        lines = {
            "yes": gettext("If your partner asks to go out, you say yes."),
            "no": gettext("If your partner asks to go out, you say no."),
            "points": gettext(
                "If your partner asks to go out, you say yes if you have %(points)s points or fewer in hand."
            )
            % {"points": self.points},
        }
        sentences = [lines[self.answer]] if self.answer else []
        return [*sentences, gettext("If you cannot take the pile, you draw.")] if self.draw else sentences


def read_standing(data: Mapping[str, Any]) -> Standing:
    """The orders of a form, a program or a seat. Raises `Refused` if they make no sense."""
    answer, points, draw = data.get("answer") or "", data.get("points") or 0, data.get("draw") or False
    if not isinstance(answer, str) or answer not in ANSWERS:
        raise Refused("bad_standing", gettext("Choose yes, no, or yes up to a number of points."), field="answer")
    if isinstance(points, str) and points.isascii() and points.isdigit() and len(points) < 6:
        points = int(points)
    if isinstance(points, bool) or not isinstance(points, int) or not 0 <= points <= MOST_POINTS:
        raise Refused(
            "bad_standing",
            gettext("Enter a whole number of points from 0 to %(most_points)s.") % {"most_points": number(MOST_POINTS)},
            field="points",
        )
    return Standing(answer, points if answer == "points" else 0, draw in (True, "true", "on", "1", "yes"))


def move_for(view: View, standing: Standing) -> Move | None:
    """The move that the player to act has ordered for this position; `None` if they decide themselves."""
    state = view.position
    if state.phase == ANSWERING:
        return _answer_for(view, standing)
    if state.phase != DRAWING or not standing.draw:
        return None
    kinds = {move.kind for move in view.legal_moves()}
    # Who may still look at the foot loses that by drawing.
    return DRAW if "draw" in kinds and not kinds & {"take", "peek"} else None


def _answer_for(view: View, standing: Standing) -> Move | None:
    if standing.answer != "points":
        return {"yes": YES, "no": NO}.get(standing.answer)
    state = view.position
    if view.seat is None or state.feet[view.seat] is not None:
        return None  # a foot that nobody has seen counts too
    return YES if sum(state.rules.card_values[card] for card in view.hand) <= standing.points else None
