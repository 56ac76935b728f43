"""A whole turn of a player, by the advice of a bot: one action for each move, because new cards end an action."""

from gameplay.services import bots, play
from gameplay.snapshot import state_of


def play_turn(table, user, *, moves=None, now=None):
    """Play these moves, or the whole turn of the seat to act."""
    table.refresh_from_db()
    moves = bots.think(state_of(table), "club") if moves is None else moves
    for version, move in enumerate(moves, table.move_count):
        if move.kind == "grab":
            # How many cards that is shows when they are lifted: what was thought out after it holds no longer.
            play.play_lift(table.pk, user, 50, seen=version, now=now)
            return
        play.play(table.pk, user, [move], seen=version, now=now)


def play_bots(table_id):
    """Play the turns of a table's bots, and carry out standing orders, until a person must act."""
    while bots.act(table_id):
        pass
