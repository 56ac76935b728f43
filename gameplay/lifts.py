"""The lift of the stock before a deal, if the ruleset has one: a real guess also on a screen.

The player marks a place on a stack without numbers, from 0 to 100. The number of cards above it is the mark on a
stack of twice the cards needed, moved by up to three cards either way as the deal's secret seed says; so that nobody
can learn the place that wins, and everyone can check it afterwards.
"""

import hmac
from secrets import SystemRandom

from engine.bots.bot import guess_lift
from engine.play.moves import Move, grab
from engine.play.state import State

SPREAD = 3


def lifters(state: State) -> list[int]:
    """The seats that lift before this deal, in order."""
    rule = state.rules.lift
    if rule is None:
        return []
    return [state.dealer] if rule.by == "dealer" else [(state.dealer + 1 + i) % state.seats for i in range(state.seats)]


def guess(state: State) -> Move:
    """A lift by nobody's hand, for a bot or a player who leaves it to the site."""
    return guess_lift(state, SystemRandom())


def lift(state: State, mark: int) -> Move:
    """The `grab` that a mark comes to for the seat to act."""
    needed = state.rules.cards_lifted(state.seats)
    seed = state.seed or bytes(32)
    digest = hmac.digest(seed, f"lift/{state.actor}".encode(), "sha256")
    # 2**256 over seven leaves no bias worth a name.
    offset = int.from_bytes(digest, "big") % (2 * SPREAD + 1) - SPREAD
    most = len(state.rules.pack(state.seats))
    return grab(max(1, min(most, round(mark / 100 * 2 * needed) + offset)))
