"""Acts: what people decide about a club, each one transaction, kept with what it changed, and undone by that."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypedDict, TypeVar, Unpack

from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from acts.declaring import GONE, Acts, On
from acts.history import By as By
from acts.kinds import Anybody as Anybody
from acts.kinds import ByRow as ByRow
from acts.kinds import Kind as Kind
from acts.kinds import Never as Never
from acts.kinds import Rows as Rows
from acts.recording import made as made
from clubs import access
from clubs.models import Act, Club
from clubs.roles import ACTS
from clubs.services.leagues import event_roles
from clubs.services.records import Record as Record
from clubs.services.seasons import undone_draws
from web.errors import Refused

RowOf = TypeVar("RowOf", bound=Model)
Found = TypeVar("Found")


class How(TypedDict, total=False):
    """How an act is asked for: what every service hands on to `perform`."""

    request_key: str | None
    seen: int | None
    reason: str
    now: datetime | None


class ClubHistory(Acts[Club, Act, Record]):
    """What was done in clubs."""

    app, home, kept, record, rights = "clubs", "club", Act, Record, ACTS

    def lock(self, home_id: int) -> Club:
        return Club.objects.locked(home_id)

    def check(self, by: User, home: Club, right: str) -> None:
        access.check(by, home, right)

    def check_open(self, home: Club, kind: Kind) -> None:
        if home.archived_at is not None and not kind.archived:
            raise Refused("archived", gettext("This club is archived. An owner can restore it."))

    def follow(self, record: Record) -> None:
        event_roles.follow(record)
        undone_draws.follow(record)

    def settle(self, record: Record, **how: Any) -> None:
        record.club.version += 1
        record.club.save(update_fields=["version"])


history = ClubHistory()
act, declare, note = history.act, history.declare, history.note
rolled_back, may_be_undone = history.rolled_back, history.may_be_undone
CLUB = On(Club)
UNDO = declare("undo", needs="look", undo=Never("Do the act again instead."), archived=True)

Do = Callable[[Record], str]
"""An act: changes rows through the record and says in a sentence what was done."""


def perform(club_id: int, do: Do, kind: Kind, *, by: User | None, **how: Unpack[How]) -> Act:
    """Do one act that is not a declared function yet. Raises what `do` raises."""
    return history.perform(club_id, do, kind, By(by, **how))


def undo(act_id: int, *, by: User, **how: Unpack[How]) -> Act:
    """Set back what an act decided. Raises `Refused` where a later act has changed the same thing, or it cannot be.

    Who did it may undo it, while they may still do such a thing; of others only who may `undo`.
    """
    done = Act.objects.get(pk=act_id)
    return perform(done.club_id, history.undoing(done, by), UNDO, by=by, **how)


def row_of(record: Record, model: type[RowOf], pk: int, **where: Any) -> RowOf:
    """A row of the club, as it is under the lock. Raises `Refused` where it is not there, or of another club."""
    found = model._default_manager.filter(pk=pk, **(where or {"club": record.club})).first()
    if found is None:
        raise Refused("no_such_row", gettext(GONE))
    return found


def try_out(club_id: int, do: Callable[[Record], Found], *, by: User | None, now: datetime | None = None) -> Found:
    """What an act would return or show, without doing it. Raises what `do` raises."""
    with rolled_back(club_id) as club:
        return do(Record(club, by, now or timezone.now()))
