"""Views of seats: the only door through which a running game leaves the server.

A view is the position with a blank in the place of every hidden card. Because every rule looks only at cards the
player may see, a view answers for its seat as the position would: the same legal moves, the same refusals.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.play.cards import BLANK, Cards, write_cards
from engine.play.choices import legal_moves
from engine.play.events import NOTHING_SEEN, PublicLog
from engine.play.legality.card_verdicts import why_pile_shut
from engine.play.legality.going_out import contract_missing, red_threes_missing, why_not_out
from engine.play.legality.legal import why_not
from engine.play.moves import Move, write_move
from engine.play.options import CLEAN_BOOK
from engine.play.position import write_meld
from engine.play.refusals import Refusal
from engine.play.scoring import Outcome, outcome
from engine.play.state import DRAWING, LIFT, OVER, State, put

_BLANK = bytes([BLANK])


class View(NamedTuple):
    """A position as one seat sees it, or a spectator where `seat` is `None`."""

    position: State
    """The position with blanks for the hidden cards; a deal that is over lies open, unless it is sealed."""
    seat: int | None
    sealed_outcome: Outcome | None = None
    """Outcome of a sealed deal: its cards do not show that."""
    log: PublicLog = NOTHING_SEEN
    """What the table saw in this deal, as far as it was given."""

    def legal_moves(self) -> list[Move]:
        """The choices of this seat; none if another seat has to act."""
        return [*legal_moves(self.position)] if self.seat == self.position.actor else []

    def why_not(self, move: Move) -> Refusal | None:
        """Why this seat may not make the move now, or `None` where it may."""
        return why_not(self.position, move, -1 if self.seat is None else self.seat)

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the deal, or `None` while it is being played."""
        return outcome(self.position) if self.sealed_outcome is None else self.sealed_outcome

    @property
    def hand(self) -> Cards:
        """The cards in this seat's own hand; none for a spectator."""
        return b"" if self.seat is None else self.position.hands[self.seat]

    def __repr__(self) -> str:
        viewer = "a spectator" if self.seat is None else f"seat {self.seat}"
        return f"<View of {self.position!r} by {viewer}>"


def view(state: State, seat: int | None, *, is_sealed: bool = False, log: PublicLog = NOTHING_SEEN) -> View:
    """The position as `seat` may see it; `None` is a spectator.

    A deal that is over lies open to all, unless it `is_sealed`: others still play the same cards elsewhere. `log` is
    the public side of what has happened in the deal; it is the same for all seats.
    """
    draft = state.draft()
    draft.seed = None
    if state.phase == OVER and not is_sealed:
        return View(draft.freeze(), seat, log=log)
    held = None if seat is None or (state.phase == LIFT and state.grabs[seat] is None) else seat  # dealt once lifted
    draft.hands = tuple([cards if other == held else _BLANK * len(cards) for other, cards in enumerate(state.hands)])
    feet = tuple([None if cards is None else _BLANK * len(cards) for cards in state.feet])
    draft.knees = tuple([None if cards is None else _BLANK * len(cards) for cards in state.knees])
    draft.feet = feet if seat is None or not sees_foot(state, seat) else put(feet, seat, state.feet[seat])
    draft.stock = _BLANK * len(state.stock)
    draft.stacks = tuple([pair and (_BLANK * len(pair[0]), _BLANK * len(pair[1])) for pair in state.stacks])
    if state.undo and state.turn != seat:
        draft.undo = tuple([step._replace(hand=_BLANK * len(step.hand)) for step in state.undo])
    return View(draft.freeze(), seat, outcome(state), log)


def sees_foot(state: State, seat: int) -> bool:
    """Whether the seat is looking at its own foot: from `peek` until it draws or takes in its first turn."""
    return state.phase == DRAWING and state.turn == seat and state.peeked[seat] and state.first_turn[seat]


def view_to_json(seat_view: View) -> dict[str, Any]:
    """A view as JSON, in the words of notation: hidden cards are given by their number only."""
    state = seat_view.position
    is_over = state.phase == OVER
    minimums = [state.rules.opening.minimum(state.deal, score) for score in state.scores]
    data: dict[str, Any] = {
        "seat": seat_view.seat,
        "rules": state.rules.name,
        "phase": state.phase,
        "hands": [_pile_of(cards) for cards in state.hands],
        "feet": [None if cards is None else _pile_of(cards) for cards in state.feet],
        "knees": [None if cards is None else _pile_of(cards) for cards in state.knees],
        "melds": [[write_meld(meld) for meld in melds] for melds in state.melds],
        "red_threes": [write_cards(cards) for cards in state.red_threes],
        "laid_sevens": [write_cards(cards) for cards in state.laid_sevens],
        "pile": write_cards(state.pile),
        "stock": _pile_of(state.stock) if is_over else len(state.stock),
        "actor": None if is_over else state.actor,
        "minimum": [max(0, minimum) for minimum in minimums],
        "clean_book_opens": CLEAN_BOOK in minimums,
        **{name: getattr(state, name) for name in _SHOWN},
        **{name: list(getattr(state, name)) for name in _SHOWN_LISTS},
    }
    if not is_over:
        data |= _reasons(seat_view)
    elif result := seat_view.outcome:
        data["outcome"] = outcome_to_json(result)
    return data


_SHOWN = (
    *("seats", "team_size", "deal", "dealer", "turn", "frozen", "assist", "allowed", "refused", "answers"),
    *("foot_due", "last_red_three", "went_out", "out_by"),
)
_SHOWN_LISTS = ("scores", "foot_turns", "opened", "opened_by", "books_by", "grabs", "penalties", "first_turn", "peeked")


def _pile_of(cards: Cards) -> dict[str, Any]:
    """Cards by number, and by name where they are seen."""
    return {"count": len(cards)} if BLANK in cards else {"count": len(cards), "cards": write_cards(cards)}


def _reasons(seat_view: View) -> dict[str, Any]:
    """Legal moves and the reasons against others: the same for everyone, apart from the moves."""
    state = seat_view.position
    shut = why_pile_shut(state)
    forbidden = why_not_out(state, state.melds[state.team])
    return {
        "legal_moves": [write_move(move) for move in seat_view.legal_moves()],
        "pile_shut": None if shut is None else {"code": shut.code.value, "sentence": shut.sentence},
        "not_out": None if forbidden is None else {"code": forbidden.code.value, "sentence": forbidden.sentence},
        "contract_missing": [contract_missing(state, team, state.melds[team]) for team in range(state.teams)],
        "red_threes_missing": red_threes_missing(state),
        "can_undo": seat_view.seat == state.actor and bool(state.undo),
    }


def outcome_to_json(result: Outcome) -> dict[str, Any]:
    """Outcome of a deal, as JSON."""
    return {
        "sheets": [[dict(item._asdict()) for item in sheet] for sheet in result.sheets],
        "deal_score": list(result.deal_score),
        "totals": list(result.totals),
        "winners": None if result.winners is None else list(result.winners),
    }
