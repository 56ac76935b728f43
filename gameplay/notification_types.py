"""Checks whether notifications about tables are still wanted. Registered when the app is ready."""

from collections.abc import Callable
from typing import NamedTuple

from django.utils import timezone

from accounts.models import Notice
from accounts.notice_places.topics import MATCHES, TURNS
from accounts.services import notices
from gameplay.models import Move, Seat, Table
from gameplay.services.clocks import is_looking


class About(NamedTuple):
    """The table of a notification, its reader's seat if any, and the parts of its key."""

    table: Table
    seat: Seat | None
    key: list[str]


def about(notice: Notice) -> About | None:
    """The subject of the notification; `None` if the table is gone."""
    _, _, number = notice.subject.partition(":")
    table = Table.objects.filter(pk=int(number)).first() if number.isdigit() else None
    if table is None:
        return None
    return About(table, Seat.objects.filter(table=table, user=notice.user_id).first(), notice.key.split(":"))


def is_their_move(it: About) -> bool:
    """Whether the notification is about the current move, and the player is not looking."""
    table, seat = it.table, it.seat
    if seat is None or table.status != Table.Status.PLAYING or table.paused_at is not None:
        return False
    if seat.is_lifting:
        return not is_looking(seat, timezone.now())
    if table.seat_to_act != seat.number or is_looking(seat, timezone.now()):
        return False
    # What a standing order did in the player's name since is no reason to keep silent.
    since = Move.objects.filter(table=table, number__gt=int(it.key[2]))
    return not since.exclude(seat=seat.number, by=Move.By.STANDING).exists()


def awaits_them(it: About) -> bool:
    """Whether the next deal still waits for this player."""
    if it.seat is None or it.seat.is_ready or not it.table.is_between_deals:
        return False
    return it.table.deal_number == int(it.key[2])


def is_unseen(it: About) -> bool:
    """Whether the player has not looked at the table since the match ended."""
    seat, ended = it.seat, it.table.ended_at
    return seat is not None and (seat.looked_at is None or ended is None or seat.looked_at < ended)


def is_undecided(it: About) -> bool:
    """Whether a proposal still waits for this player's word."""
    proposal = it.table.proposal
    return it.seat is not None and proposal is not None and it.seat.number not in proposal["agreed"]


def is_running(it: About) -> bool:
    """Whether the match is still being played."""
    return it.table.status == Table.Status.PLAYING


def is_gathering(it: About) -> bool:
    """Whether the table still waits for players, so that its creator can remove one."""
    return it.table.status == Table.Status.GATHERING


def has_seat(it: About) -> bool:
    """Whether the reader still has a seat in a running match."""
    return it.seat is not None and is_running(it)


KINDS: dict[str, Callable[[About], bool]] = {
    "turn": is_their_move,
    "reminder": is_their_move,
    "deal": awaits_them,
    "over": is_unseen,
    "missed": is_running,
    "reserve": has_seat,
    "seated": has_seat,
    "proposal": is_undecided,
    "resumed": has_seat,
    "other_address": is_gathering,
}


TURN_KINDS = {"turn", "reminder", "deal", "proposal"}
"""Kinds that wait for the player to do something; the others say what happened."""


def register() -> None:
    """Register each kind with its topic and check."""
    for kind, question in KINDS.items():
        notices.register(kind, TURNS if kind in TURN_KINDS else MATCHES, _asking(question))


def _asking(question: Callable[[About], bool]) -> Callable[[Notice], bool]:
    def is_wanted(notice: Notice) -> bool:
        it = about(notice)
        return it is not None and question(it)

    return is_wanted
