"""Change the people of an entry: leaving, the captain, and the playing order."""

from collections.abc import Sequence
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import ByRow
from tournaments import access
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services.action_context import check_alive, entry_of, event_of, member_of
from tournaments.services.entries import invitation_emails, partners, person_lookup, waiting_list
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import Refused


def _check_may_go(by: User, member: Member) -> None:
    """Raise `NotAllowed` unless this is about the caller, or the caller acts for the entry."""
    if member.user_id != by.pk or member.left_at is not None:
        access.check_entry(by, member.entry)


REMOVE = declare("members", needs=ByRow(_check_may_go), undo=invitation_emails.UNDO_PEOPLE)
CHANGE_PEOPLE = partners.CHANGE_PEOPLE


def remove_member(member_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Remove a person from an entry or cancel an invitation. Anyone can leave.

    Before the start an incomplete entry gives up its place and waits for another partner, and an empty one is
    withdrawn. During play only players the entry can do without can leave. Raises `Refused`.
    """

    def do(record: Record) -> str:
        member = member_of(record, member_id)
        entry = member.entry
        record.ask(member)
        check_alive(record)
        if member.left_at is not None or member.answer == Member.Answer.DECLINED:
            raise Refused(
                "left", gettext("%(member)s has already left %(entry)s.") % {"member": member, "entry": entry}
            )
        _check_can_go(record, member)
        moved = take_out(record, member)
        if member.user is not None and member.user_id != by.pk:
            person_lookup.tell(
                record,
                member.user,
                lambda: gettext("you are no longer in %(entry)s") % {"entry": entry},
                key=f"dropped:{member.pk}",
            )
        return gettext("%(member)s left %(entry)s.") % {"member": member, "entry": entry} + waiting_list.moved_up(moved)

    return perform(event_of(Member, member_id), do, REMOVE, by=by, **how)


def take_out(record: Record, member: Member) -> list[Entry]:
    """Remove a person from their entry within an action. Returns the entries that move up."""
    was_automatic = partners.has_automatic_name(record, member.entry)
    record.change(member, left_at=record.now, is_captain=False)
    return _without(record, member.entry, was_automatic)


def make_captain(member_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Make a player the captain of a team."""

    def do(record: Record) -> str:
        member = member_of(record, member_id)
        record.ask(member.entry)
        check_alive(record)
        _check_plays(member)
        if member.is_captain:
            raise Refused("same_captain", gettext("%(member)s is already captain.") % {"member": member})
        was_automatic = partners.has_automatic_name(record, member.entry)
        for other in naming.current(member.entry):
            record.change(other, is_captain=other.pk == member.pk)
        partners.refresh(record, member.entry, was_automatic)
        return gettext("%(member)s became captain of %(entry)s.") % {"member": member, "entry": member.entry}

    return perform(event_of(Member, member_id), do, CHANGE_PEOPLE, by=by, **how)


def reorder(entry_id: int, by: User, *, member_ids: Sequence[int], **how: Unpack[ActionRequest]) -> Act:
    """Set the playing order of an entry: all of its people, each once. Raises `Refused`."""

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        members = {member.pk: member for member in naming.current(entry)}
        if sorted(members) != sorted(member_ids):
            raise Refused("bad_order", gettext("Include every member of the entry once."))
        was_automatic = partners.has_automatic_name(record, entry)
        for position, pk in enumerate(member_ids):
            record.change(members[pk], position=position)
        partners.refresh(record, entry, was_automatic)
        return gettext("%(entry)s plays in this order: %(members)s.") % {
            "entry": entry,
            "members": ", ".join(members[pk].name for pk in member_ids),
        }

    return perform(event_of(Entry, entry_id), do, CHANGE_PEOPLE, by=by, **how)


def set_role(member_id: int, by: User, *, role: str, **how: Unpack[ActionRequest]) -> Act:
    """Make a player of a team a reserve, or a reserve a player. Raises `Refused`."""

    def do(record: Record) -> str:
        member = member_of(record, member_id)
        entry = member.entry
        record.ask(entry)
        check_alive(record)
        if record.tournament.entry_kind != Tournament.Kind.TEAM:
            raise Refused(
                "no_team", gettext("Only a team changes players and reserves. Elsewhere a reserve replaces someone.")
            )
        if role not in Member.Role.values or member.role == role:
            raise Refused("same_role", _same_role(member))
        if role == Member.Role.RESERVE:
            _check_can_go(record, member)
        same_role = [other for other in naming.current(entry) if other.role == role]
        most = (
            waiting_list.MOST_RESERVES
            if role == Member.Role.RESERVE
            else waiting_list.MOST_PLAYERS[Tournament.Kind.TEAM]
        )
        if len(same_role) >= most:
            raise Refused("entry_full", partners.full_text(entry, role, most))
        was_automatic = partners.has_automatic_name(record, entry)
        record.change(member, role=role, is_captain=False)
        moved = _without(record, entry, was_automatic)
        words = gettext("%(member)s is now a player of %(entry)s.")
        if role == Member.Role.RESERVE:
            words = gettext("%(member)s is now a reserve of %(entry)s.")
        return words % {"member": member, "entry": entry} + waiting_list.moved_up(moved)

    return perform(event_of(Member, member_id), do, CHANGE_PEOPLE, by=by, **how)


def _same_role(member: Member) -> str:
    if member.role == Member.Role.RESERVE:
        return gettext("%(member)s is a reserve.") % {"member": member}
    return gettext("%(member)s is a player.") % {"member": member}


def _check_plays(member: Member) -> None:
    is_in = member.left_at is None and member.answer == Member.Answer.ACCEPTED
    if not is_in or member.role != Member.Role.PLAYER:
        raise Refused(
            "not_playing",
            gettext("%(member)s is not a player of %(entry)s.") % {"member": member, "entry": member.entry},
        )


def _check_can_go(record: Record, member: Member) -> None:
    """Raise `Refused` if play has started and the entry could not continue without this player."""
    if not record.tournament.has_begun or member.role == Member.Role.RESERVE:
        return
    remaining = [other for other in naming.current(member.entry) if other.pk != member.pk]
    if member.answer == Member.Answer.ACCEPTED and not waiting_list.is_complete(record.tournament, remaining):
        raise Refused(
            "needed",
            gettext("%(entry)s cannot continue without %(member)s. Replace them, or withdraw the entry.")
            % {"entry": member.entry, "member": member},
        )


def _without(record: Record, entry: Entry, was_automatic: bool) -> list[Entry]:
    """Update an entry after someone left or became a reserve. Returns the entries that move up."""
    members = naming.current(entry)
    players = [each for each in members if each.role == Member.Role.PLAYER and each.answer == Member.Answer.ACCEPTED]
    if players and not any(each.is_captain for each in players):
        record.change(players[0], is_captain=True)
    if record.tournament.has_begun:
        partners.refresh(record, entry, was_automatic)
        return []
    if not players and entry.status not in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
        for each in members:
            record.change(each, left_at=record.now)
        record.change(entry, status=Entry.Status.WITHDRAWN)
    else:
        partners.refresh(record, entry, was_automatic)
    return waiting_list.move_up(record)
