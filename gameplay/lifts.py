"""What players do before a deal is played, at the same time: lift from the stock, and choose a stack.

A lift is a real guess also on a screen.

The player marks a place on a stack without numbers, from 0 to 100. The number of cards above it is the mark on a
stack of twice the cards needed, moved by up to three cards either way as the deal's secret seed says; so that nobody
can learn the place that wins, and everyone can check it afterwards.
"""

import hmac
from collections.abc import Mapping
from secrets import SystemRandom
from typing import Any

from engine.bots.bot import guess_lift
from engine.play.moves import KEEP_FIRST, KEEP_SECOND, Move, grab
from engine.play.state import CHOOSE, LIFT, State

SPREAD = 3


BEFORE_PLAY = (LIFT, CHOOSE)
"""Phases in which all players act at the same time. Their moves are made in order, each once those before it are."""
STACKS = {1: KEEP_FIRST, 2: KEEP_SECOND}
"""The choices of a stack by number."""


def lifters(state: State) -> list[int]:
    """The seats that lift before this deal, or have to choose a stack, in order."""
    order = [(state.dealer + 1 + i) % state.seats for i in range(state.seats)]
    if state.phase == CHOOSE:
        return [seat for seat in order if state.stacks[seat] is not None]
    rule = state.rules.lift
    if rule is None:
        return []
    return [state.dealer] if rule.by == "dealer" else order


def guess(state: State) -> Move:
    """A lift by nobody's hand, or the first stack, for a bot or a player who leaves it to the site."""
    return KEEP_FIRST if state.phase == CHOOSE else guess_lift(state, SystemRandom())


def move_of(state: State, wish: Mapping[str, Any]) -> Move:
    """The move of the seat to act by its wish: a mark on the stock or a stack, as `Seat.lift` stores them."""
    return STACKS[wish["keep"]] if state.phase == CHOOSE else lift(state, wish["mark"])


def lift(state: State, mark: int) -> Move:
    """The `grab` that a mark comes to for the seat to act."""
    needed = state.rules.cards_lifted(state.seats)
    seed = state.seed or bytes(32)
    digest = hmac.digest(seed, f"lift/{state.actor}".encode(), "sha256")
    # 2**256 over seven leaves no bias worth a name.
    offset = int.from_bytes(digest, "big") % (2 * SPREAD + 1) - SPREAD
    most = len(state.rules.pack(state.seats))
    return grab(max(1, min(most, round(mark / 100 * 2 * needed) + offset)))
