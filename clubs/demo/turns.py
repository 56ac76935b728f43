"""Turns of the sample: played by a bot for people, at times in the past."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from django.db import transaction

from accounts.models import User
from engine.bots import make_bot
from engine.play.game import apply
from engine.play.moves import Move as EngineMove
from engine.play.view import view
from gameplay.models import Table
from gameplay.services import match_play, play
from gameplay.services.sitting import Sitting
from gameplay.snapshot import state_of

NEAR_THE_END = 5
"""Cards of a foot with which somebody may soon go out."""


class Clock:
    """The time in the sample's past: a step for each turn, never after `latest`."""

    def __init__(self, now: datetime, *, step: timedelta, latest: datetime) -> None:
        self.now, self.step, self.latest = now, step, latest

    def tick(self) -> datetime:
        self.now = min(self.now + self.step, self.latest)
        return self.now


def play_to_the_end(sitting: Sitting, clock: Clock) -> Table:
    """Play until the match is over."""
    while sitting.table.status == Table.Status.PLAYING:
        sitting = play_turn(sitting, clock)
    return sitting.table


def play_until(sitting: Sitting, clock: Clock, is_reached: Callable[[Table, int], bool]) -> Table | None:
    """Play until the table and the number of its turns are as wished; nothing, and nothing played, if that never comes."""
    turns = 0
    with transaction.atomic():
        while not is_reached(sitting.table, turns):
            if sitting.table.status != Table.Status.PLAYING:
                transaction.set_rollback(True)
                return None
            sitting = play_turn(sitting, clock)
            turns += 1
    return sitting.table


def is_to_draw(table: Table, seat: int) -> bool:
    """Whether that seat is at the beginning of a turn."""
    return table.seat_to_act == seat and state_of(table).phase == "draw"


def is_at_its_climax(table: Table, seat: int) -> bool:
    """Whether that seat is to draw in the last deal, plays from the foot as an opponent does, and somebody may soon go out."""
    if not is_to_draw(table, seat):
        return False
    state = state_of(table)
    in_foot = {number: len(hand) for number, hand in enumerate(state.hands) if state.feet[number] is None}
    opponents = {number for number in in_foot if number % state.teams != seat % state.teams}
    is_last = state.deal == state.rules.length.number
    return is_last and seat in in_foot and bool(opponents) and min(in_foot.values()) <= NEAR_THE_END


def play_turn(sitting: Sitting, clock: Clock) -> Sitting:
    """One turn of the player to act; between deals everyone starts the next."""
    table, now = sitting.table, clock.tick()
    if table.is_between_deals:
        for player in _players(sitting):
            sitting = play.ready_for_next_deal(table.pk, player, deal=table.deal_number, now=now)
        return sitting
    state = state_of(table)
    actor, turn = state.actor, state.turn
    bot = make_bot("club", seed=table.move_count)
    while state.phase != "over" and (state.actor, state.turn) == (actor, turn):
        moves: list[EngineMove] = []
        while state.phase != "over" and (state.actor, state.turn) == (actor, turn):
            moves.append(bot.choose(view(state, actor)))
            step = apply(state, moves[-1])
            state = step.state
            if any(event.kind in match_play.SHOWING for event in step.events):
                break  # new cards end an act
        sitting = _act(sitting, actor, moves, now)
    return sitting


def _act(sitting: Sitting, actor: int, moves: list[EngineMove], now: datetime) -> Sitting:
    return play.play(
        sitting.table.pk, _players(sitting)[actor], lambda _: moves, seen=sitting.table.move_count, now=now
    )


def _players(sitting: Sitting) -> list[User]:
    """People by seat, at a table without bots."""
    return [seat.user for seat in sitting.seats if seat.user is not None]
