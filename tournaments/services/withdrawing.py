"""Leaving an event and coming back: withdrawal, disqualification, reinstatement."""

from __future__ import annotations

from typing import Unpack

from accounts.models import User
from tournaments import access
from tournaments.models import Act, Entry, Member
from tournaments.services import leaving, people, waiting
from tournaments.services.acts import Asked, How, check_alive, entry_of, event_of
from tournaments.services.history import Record, perform
from web.errors import Refused


def withdraw(entry_id: int, by: User, *, at_once: bool = False, **how: Unpack[How]) -> Act:
    """Take an entry out of the event, by its players or an organiser.

    Before the start its place goes to the first of the waiting list, and its people may enter again. During play it
    leaves after the round, or `at_once`: then its open match is decided against it. Raises `Refused`.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        access.check_entry(by, entry)
        check_alive(record)
        _check_in_it(entry)
        if not record.tournament.has_begun:
            return f"{entry} withdrew.{waiting.in_words(leave_before_start(record, entry))}"
        lost = leaving.leave_stages(record, entry, at_once=at_once)
        record.change(entry, status=Entry.Status.WITHDRAWN)
        if not at_once:
            return f"{entry} withdrew after the round."
        return f"{entry} withdrew at once{_by_walkover(lost)}."

    return perform(event_of(Entry, entry_id), do, kind="withdraw", by=by, **how)


def leave_before_start(record: Record, entry: Entry) -> list[Entry]:
    """Take an entry out within an act before play begins; who moves up for it."""
    record.change(entry, status=Entry.Status.WITHDRAWN)
    for member in entry.members.filter(left_at=None):
        record.change(member, left_at=record.now)
    return waiting.move_up(record)


def disqualify(entry_id: int, by: User, *, reason: str, **how: Unpack[Asked]) -> Act:
    """Put an entry out of the event, with a reason; its open match is decided against it. It is listed last."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        check_alive(record)
        if not reason.strip():
            raise Refused("no_reason", "Say why: it stands in the history.")
        if entry.status == Entry.Status.DISQUALIFIED:
            raise Refused("disqualified", f"{entry} is disqualified already.")
        lost = leaving.leave_stages(record, entry, at_once=True) if record.tournament.has_begun else []
        record.change(entry, status=Entry.Status.DISQUALIFIED)
        moved = waiting.move_up(record)
        people.tell_entry(record, entry, f"{entry} was disqualified", what="disqualified")
        return f"{entry} was disqualified{_by_walkover(lost)}.{waiting.in_words(moved)}"

    return perform(event_of(Entry, entry_id), do, kind="disqualify", by=by, reason=reason.strip(), **how)


def reinstate(entry_id: int, by: User, *, missed: str = "zero_bye", **how: Unpack[How]) -> Act:
    """Take an entry back that withdrew or was disqualified; `missed` says what the rounds meanwhile count.

    Before the start it comes back to where there is a place, or waits for one. Raises `Refused` where its people are in
    another entry by now.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        check_alive(record)
        if entry.status not in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
            raise Refused("in_already", f"{entry} has not left.")
        _bring_back(record, entry)
        if record.tournament.has_begun:
            leaving.return_to_stages(record, entry, missed)
            record.change(entry, status=Entry.Status.ENTERED)
        else:
            record.change(entry, status=Entry.Status.FORMING)
            waiting.settle(record, entry)
        return f"{entry} was taken back{_where(entry)}."

    return perform(event_of(Entry, entry_id), do, kind="reinstate", by=by, **how)


def _bring_back(record: Record, entry: Entry) -> None:
    """Let the people who left with their entry be in it again."""
    if entry.members.filter(left_at=None, answer=Member.Answer.ACCEPTED).exists():
        return
    last = entry.members.exclude(left_at=None).order_by("-left_at").first()
    for member in entry.members.filter(left_at=last.left_at if last else None).select_related("user"):
        if member.user is not None and member.answer == Member.Answer.ACCEPTED:
            people.check_free(record, member.user)
        record.change(member, left_at=None)


def _check_in_it(entry: Entry) -> None:
    if entry.status == Entry.Status.WITHDRAWN:
        raise Refused("withdrawn", f"{entry} has withdrawn already.")
    if entry.status == Entry.Status.DISQUALIFIED:
        raise Refused("disqualified", f"{entry} is disqualified.")


def _by_walkover(names: list[str]) -> str:
    return f" and loses {' and '.join(names)} by walkover" if names else ""


def _where(entry: Entry) -> str:
    return {Entry.Status.WAITING: " onto the waiting list", Entry.Status.FORMING: " and waits for an answer"}.get(
        Entry.Status(entry.status), ""
    )
