"""Acts: decisions about a club, each one transaction, stored with its changes, by which it can be undone."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypedDict, TypeVar, Unpack

from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext

from accounts.budgets import HEAVY, spend
from accounts.models import User
from acts.declaring import GONE, Acts, On
from acts.history import Actor as Actor
from acts.kinds import Anybody as Anybody
from acts.kinds import ByRow as ByRow
from acts.kinds import Kind as Kind
from acts.kinds import Never as Never
from acts.kinds import Rows as Rows
from acts.kinds import Site as Site
from acts.recording import added_row as added_row
from clubs import access
from clubs.coming import meeting_events, pair_entries
from clubs.models import Act, Club
from clubs.roles import ACTS
from clubs.services.leagues import event_roles
from clubs.services.records import Record as Record
from clubs.services.seasons import undone_draws
from web.errors import Refused

RowOf = TypeVar("RowOf", bound=Model)
Found = TypeVar("Found")


class ActionRequest(TypedDict, total=False):
    """Options of an act: every service passes them on to `perform`."""

    request_key: str | None
    seen: int | None
    reason: str
    now: datetime | None


class ClubHistory(Acts[Club, Act, Record]):
    """The history of clubs."""

    app, home, act_model, record, rights = "clubs", "club", Act, Record, ACTS

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
        meeting_events.follow(record)
        pair_entries.follow(record)

    def settle(self, record: Record, **how: Any) -> None:
        record.club.version += 1
        record.club.save(update_fields=["version"])


history = ClubHistory()
act, declare, note = history.act, history.declare, history.note
rolled_back, may_be_undone = history.rolled_back, history.may_be_undone
CLUB = On(Club)
UNDO = declare("undo", needs="look", undo=Never("Do the act again instead."), archived=True)

Do = Callable[[Record], str]
"""An act: changes rows through the record and returns a sentence for the history."""


def perform(club_id: int, do: Do, kind: Kind, *, by: User | None, **how: Unpack[ActionRequest]) -> Act:
    """Do one act that is not a declared function yet. Raises the errors of `do`."""
    return history.perform(club_id, do, kind, Actor(by, **how))


def undo(act_id: int, *, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Undo an act, as its author or with the right `undo`. Raises `Refused` if it cannot be, or a later act is in
    the way."""
    undone = Act.objects.get(pk=act_id)
    return perform(undone.club_id, history.undoing(undone, by), UNDO, by=by, **how)


def row_of(record: Record, model: type[RowOf], pk: int, **where: Any) -> RowOf:
    """A row of the club, as it is under the lock. Raises `Refused` if it does not exist, or is of another club."""
    row = model._default_manager.filter(pk=pk, **(where or {"club": record.club})).first()
    if row is None:
        raise Refused("no_such_row", gettext(GONE))
    return row


def try_out(club_id: int, do: Callable[[Record], Found], *, by: User | None, now: datetime | None = None) -> Found:
    """Try out an act and return its result, changing nothing. Raises the errors of `do`."""
    if by is not None:
        spend(HEAVY, by)
    with rolled_back(club_id) as club:
        return do(Record(club, by, now or timezone.now()))
