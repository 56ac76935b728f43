"""Withdrawal, disqualification and reinstatement of entries."""

from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow, Rows
from tournaments import access
from tournaments.models import Act, Entry, Member
from tournaments.services.action_context import check_alive, entry_of, event_of
from tournaments.services.entries import person_lookup, waiting_list
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, BaseRequest, Record
from tournaments.services.stages import stage_departures
from web.errors import Refused
from web.text import joined

WITHDRAW = declare("withdraw", needs=ByRow(access.check_entry), undo=Rows("entries"))
DISQUALIFY = declare("disqualify", needs="play", undo=Rows())
REINSTATE = declare("reinstate", needs="play", undo=Rows())


def withdraw(entry_id: int, by: User | None, *, at_once: bool = False, **how: Unpack[ActionRequest]) -> Act:
    """Withdraw an entry, by its players or an organiser. Raises `Refused`.

    Before the start its place goes to the waiting list, and its people can enter again. During play it leaves after
    the round, or `at_once`, which decides its open match against it.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        _check_in_it(entry)
        if not record.tournament.has_begun:
            moved = leave_before_start(record, entry)
            return gettext("%(entry)s withdrew.") % {"entry": entry} + waiting_list.moved_up(moved)
        lost = stage_departures.leave_stages(record, entry, at_once=at_once)
        record.change(entry, status=Entry.Status.WITHDRAWN)
        if not at_once:
            return gettext("%(entry)s withdrew after the round.") % {"entry": entry}
        if not lost:
            return gettext("%(entry)s withdrew at once.") % {"entry": entry}
        words = gettext("%(entry)s withdrew at once and loses %(matches)s by walkover.")
        return words % {"entry": entry, "matches": joined(lost)}

    return perform(event_of(Entry, entry_id), do, WITHDRAW, by=by, **how)


def leave_before_start(record: Record, entry: Entry) -> list[Entry]:
    """Withdraw an entry within an action before play starts. Returns the entries that move up."""
    record.change(entry, status=Entry.Status.WITHDRAWN)
    for member in entry.members.filter(left_at=None):
        record.change(member, left_at=record.now)
    return waiting_list.move_up(record)


def disqualify(entry_id: int, by: User, *, reason: str, **how: Unpack[BaseRequest]) -> Act:
    """Disqualify an entry, with a reason. Its open match is decided against it, and it is listed last."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        check_alive(record)
        if not reason.strip():
            raise Refused("no_reason", gettext("Enter a reason. It appears in the history."))
        if entry.status == Entry.Status.DISQUALIFIED:
            raise Refused("disqualified", gettext("%(entry)s is already disqualified.") % {"entry": entry})
        lost = stage_departures.leave_stages(record, entry, at_once=True) if record.tournament.has_begun else []
        record.change(entry, status=Entry.Status.DISQUALIFIED)
        moved = waiting_list.move_up(record)
        person_lookup.tell_entry(
            record, entry, lambda: gettext("%(entry)s was disqualified") % {"entry": entry}, key="disqualified"
        )
        words = gettext("%(entry)s was disqualified.")
        if lost:
            words = gettext("%(entry)s was disqualified and loses %(matches)s by walkover.")
        return words % {"entry": entry, "matches": joined(lost)} + waiting_list.moved_up(moved)

    return perform(event_of(Entry, entry_id), do, DISQUALIFY, by=by, reason=reason.strip(), **how)


def reinstate(entry_id: int, by: User | None, *, missed: str = "zero_bye", **how: Unpack[ActionRequest]) -> Act:
    """Reinstate an entry that withdrew or was disqualified. The rounds since then count as `missed`.

    Before the start it gets a place or joins the waiting list. Raises `Refused` if its people are now in another
    entry.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        check_alive(record)
        if entry.status not in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
            raise Refused("in_already", gettext("%(entry)s has not left.") % {"entry": entry})
        _reinstate_members(record, entry)
        if record.tournament.has_begun:
            stage_departures.return_to_stages(record, entry, missed)
            record.change(entry, status=Entry.Status.ENTERED)
        else:
            record.change(entry, status=Entry.Status.FORMING)
            waiting_list.assign_place(record, entry)
        return _reinstated_text(entry) % {"entry": entry}

    return perform(event_of(Entry, entry_id), do, REINSTATE, by=by, **how)


def _reinstate_members(record: Record, entry: Entry) -> None:
    """Reinstate the people who left with their entry."""
    if entry.members.filter(left_at=None, answer=Member.Answer.ACCEPTED).exists():
        return
    last = entry.members.exclude(left_at=None).order_by("-left_at").first()
    for member in entry.members.filter(left_at=last.left_at if last else None).select_related("user"):
        if member.user is not None and member.answer == Member.Answer.ACCEPTED:
            person_lookup.check_free(record, member.user)
        record.change(member, left_at=None)


def _check_in_it(entry: Entry) -> None:
    if entry.status == Entry.Status.WITHDRAWN:
        raise Refused("withdrawn", gettext("%(entry)s has already withdrawn.") % {"entry": entry})
    if entry.status == Entry.Status.DISQUALIFIED:
        raise Refused("disqualified", gettext("%(entry)s is disqualified.") % {"entry": entry})


def _reinstated_text(entry: Entry) -> str:
    if entry.status == Entry.Status.WAITING:
        return gettext("%(entry)s was reinstated on the waiting list.")
    if entry.status == Entry.Status.FORMING:
        return gettext("%(entry)s was reinstated and waits for an answer.")
    return gettext("%(entry)s was reinstated.")
