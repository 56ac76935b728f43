"""Acts: what people decide about a club, each one transaction, kept with what it changed, and undone by that."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, TypedDict, TypeVar

from django.db import transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs import access
from clubs.models import Act, Club
from web.errors import Refused, Stale
from web.recording import Recording, thrown_away
from web.recording import made as made

RowOf = TypeVar("RowOf", bound=Model)
Found = TypeVar("Found")


class How(TypedDict, total=False):
    """How an act is asked for: what every service hands on to `perform`."""

    request_key: str | None
    seen: int | None
    reason: str
    now: datetime | None


class Record(Recording):
    """What one act changes in a club, and who asked for it."""

    def __init__(self, club: Club, by: User | None, now: datetime) -> None:
        super().__init__()
        self.club, self.by, self.now = club, by, now
        self.undoes: Act | None = None


Do = Callable[[Record], str]
"""An act: changes rows through the record and says in a sentence what was done."""


def perform(
    club_id: int,
    do: Do,
    *,
    act: str,
    kind: str,
    by: User | None,
    reason: str = "",
    request_key: str | None = None,
    seen: int | None = None,
    now: datetime | None = None,
    archived: bool = False,
) -> Act:
    """Do one act in one transaction under the club's lock, and keep it.

    `act` names what whoever asks must be allowed to do (`roles.ACTS`); empty where `do` itself checks, and for what the
    site does by itself. An act whose `request_key` is known is not done again. `seen` is the version that the page
    showed: where the club has moved on since, `Stale` is raised; leave it out where that does not matter. In an archived
    club only acts that say so with `archived` are done. Raises what `do` raises.
    """
    with transaction.atomic():
        club = Club.objects.locked(club_id)
        if act and by is not None:
            access.check(by, club, act)
        if request_key and (done := Act.objects.filter(club=club, request_key=request_key).first()):
            return done
        if club.archived_at is not None and not archived:
            raise Refused("archived", gettext("This club is archived. An owner can bring it back."))
        if seen is not None and seen != club.version:
            raise Stale(
                "stale", gettext("Something changed since you opened this page: look again."), version=club.version
            )
        record = Record(club, by, now or timezone.now())
        sentence = do(record)
        for follow in FOLLOWING:
            follow(record)
        club.version += 1
        club.save(update_fields=["version"])
        return note(record, kind, sentence, reason=reason, request_key=request_key)


def note(record: Record, kind: str, sentence: str, *, reason: str = "", request_key: str | None = None) -> Act:
    """Write the line of the history."""
    return Act.objects.create(
        club=record.club,
        at=record.now,
        by=record.by,
        name=str(record.by)[:60] if record.by else "",
        kind=kind,
        sentence=sentence[:300],
        reason=reason.strip()[:200],
        changes=record.changes,
        undoes=record.undoes,
        request_key=request_key,
    )


def undo(act_id: int, *, by: User, request_key: str | None = None, reason: str = "", seen: int | None = None) -> Act:
    """Set back what an act decided. Raises `Refused` where a later act has changed the same thing, or it cannot be.

    Who did it may undo it, while they may still do such a thing; of others only who may `undo`.
    """
    act = Act.objects.get(pk=act_id)

    def do(record: Record) -> str:
        if act.kind in UNDONE_BY_ROWS:
            access.check(by, record.club, NEEDED[act.kind])
        if act.by_id != by.pk:
            access.check(by, record.club, "undo")
        if Act.objects.filter(undoes=act).exists():
            raise Refused("undone", gettext("This was undone already."))
        if not act.changes or act.kind not in UNDONE_BY_ROWS:
            raise Refused("cannot_undo", gettext("This cannot be undone here."))
        record.undoes = act
        if act.kind in UNDOING:
            UNDOING[act.kind](record, act)
        for change in reversed(act.changes):
            record.set_back("clubs", change, locked=record.club)
        return gettext("Undone: %(act)s") % {"act": act.sentence}

    return perform(
        act.club_id,
        do,
        act="look",
        kind="undo",
        by=by,
        reason=reason,
        request_key=request_key,
        seen=seen,
        archived=True,
    )


FOLLOWING: list[Callable[[Record], None]] = []
"""What follows from an act within it, by what it changed or undid; services add their own."""

UNDONE_BY_ROWS: set[str] = set()
"""Kinds of acts that are undone by setting their rows back; services add their own."""

NEEDED: dict[str, str] = {}
"""What whoever undoes an act must be allowed to do (`roles.ACTS`), by its kind; services add their own for each of
`UNDONE_BY_ROWS`."""

UNDOING: dict[str, Callable[[Record, Act], None]] = {}
"""What is looked at or done by kind of act before its rows are set back, under the lock; may raise `Refused`."""


def may_undo(act: Act, may: Collection[str], *, is_own: bool) -> bool:
    """Whether somebody with these rights may undo an act: what they may do themselves, of others only with `undo`."""
    can_be = bool(act.changes) and act.kind in UNDONE_BY_ROWS
    return can_be and NEEDED[act.kind] in may and (is_own or "undo" in may)


def row_of(record: Record, model: type[RowOf], pk: int, **where: Any) -> RowOf:
    """A row of the club, as it is under the lock. Raises `Refused` where it is not there, or of another club."""
    found = model._default_manager.filter(pk=pk, **(where or {"club": record.club})).first()
    if found is None:
        raise Refused("no_such_row", gettext("This is not there any more."))
    return found


@contextmanager
def rolled_back(club_id: int) -> Iterator[Club]:
    """A transaction under the club's lock whose changes are thrown away at its end: for previews."""
    with thrown_away():
        yield Club.objects.locked(club_id)


def try_out(club_id: int, do: Callable[[Record], Found], *, by: User | None, now: datetime | None = None) -> Found:
    """What an act would return or show, without doing it. Raises what `do` raises."""
    with rolled_back(club_id) as club:
        return do(Record(club, by, now or timezone.now()))
