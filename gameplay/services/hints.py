"""Hints: what the seat to act could do, weighed by the advice of the bots from the view of the seat alone."""

from __future__ import annotations

from zlib import crc32

from django.utils.translation import gettext

from accounts.budgets import BOT_TIME, spend
from accounts.models import User
from engine.bots.advice import Advice, advise
from gameplay.log.story import public_log
from gameplay.models import Seat, Table
from gameplay.services.play import StalePage, check_running
from gameplay.snapshot import view_of
from web.errors import NotAllowed, Refused

MOST = 3
"""Acts of a hint."""
SECONDS = 0.2
"""Time for a hint, in which the request waits."""
SAMPLES: int | None = None
"""Imagined deals for a hint in place of time, for answers that are the same on any machine."""


def give_hint(table_id: int, user: User, *, seen: int) -> list[Advice]:
    """The best acts of the player to act, the best first: at most `MOST`. Nothing is stored.

    `seen` is the number of moves in the log that the sender had seen. It uses the budget of thinking. Raises
    `NotAllowed`, `StalePage`, `Refused` or `TooMuch`.
    """
    table = Table.objects.get(pk=table_id)
    seat = Seat.objects.filter(table=table, user=user).first()
    if seat is None:
        raise NotAllowed("no_seat", gettext("You have no seat at this table."))
    if not table.gives_hints:
        raise Refused("no_hints", gettext("This table has no hints."))
    check_running(table)
    if seen != table.move_count:
        raise StalePage(table)
    if table.seat_to_act != seat.number:
        raise Refused("not_your_turn", gettext("It is not your turn."))
    spend(BOT_TIME, user, round(SECONDS * 1000))
    # The seed is public, so that asking again tells nothing new.
    seed = crc32(f"{table.slug} {table.move_count}".encode())
    view = view_of(table, seat.number, log=public_log(table))
    acts = advise(view, SECONDS, samples=SAMPLES, seed=seed)
    if not acts:
        raise Refused("no_choice", gettext("There is no hint for this choice. It is pure luck."))
    return acts[:MOST]
