"""Partners and reserves of an entry: invitations and their answers."""

from typing import Unpack

from django.db.models import Max, Q, QuerySet
from django.utils.translation import gettext

from accounts.budgets import INVITATIONS, spend
from accounts.models import User
from accounts.queries import confirmed_addresses
from accounts.services import blocks
from acts.kinds import ByRow, Itself
from tournaments import access
from tournaments.duplicate.services import check_has_not_seen
from tournaments.models import Act, Entry, Member, Tournament
from tournaments.services import notifications
from tournaments.services.action_context import added_row, check_alive, entry_of, event_of, member_of
from tournaments.services.entries import invitation_emails, person_lookup, waiting_list
from tournaments.services.entries.person_lookup import Person, PersonRef
from tournaments.services.events import naming
from tournaments.services.history import declare, perform
from tournaments.services.records import ActionRequest, Record
from web.errors import NotAllowed, Refused
from web.text import several

CHANGE_PEOPLE = declare("members", needs=ByRow(access.check_entry), undo=invitation_emails.UNDO_PEOPLE)
ANSWER = declare(
    "members",
    needs=Itself("Whoever was asked answers, or holds the letter that asks."),
    undo=invitation_emails.UNDO_PEOPLE,
)

Answer, Role = Member.Answer, Member.Role


# Asking


def invite(
    entry_id: int,
    by: User | None,
    *,
    person: PersonRef,
    role: str = Role.PLAYER,
    has_agreed: bool = False,
    **how: Unpack[ActionRequest],
) -> Member:
    """Invite someone to an entry as a player or reserve. An organiser adds them directly at real tables.

    With `has_agreed` they are added directly, because they agreed elsewhere. Raises `Refused` if the entry is full.
    """

    def do(record: Record) -> str:
        entry = entry_of(record, entry_id)
        record.ask(entry)
        check_alive(record)
        if entry.status in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
            raise Refused("gone", gettext("%(entry)s is out of the event.") % {"entry": entry})
        if role == Role.PLAYER and record.tournament.has_begun and record.tournament.entry_kind != "team":
            raise Refused("has_begun", gettext("The event has started. Add a reserve, or replace someone."))
        was_automatic = has_automatic_name(record, entry)
        is_organiser = has_agreed or by is None or not access.acts_for(by, entry)
        member = ask(record, entry, person, role=role, is_organiser=is_organiser, has_agreed=has_agreed)
        refresh(record, entry, was_automatic)
        return _invited_text(member, is_in=member.answer == Answer.ACCEPTED) % {"member": member, "entry": entry}

    return added_row(perform(event_of(Entry, entry_id), do, CHANGE_PEOPLE, by=by, **how), Member)


def _invited_text(member: Member, *, is_in: bool) -> str:
    if member.role == Role.RESERVE:
        if is_in:
            return gettext("%(member)s joined %(entry)s as a reserve.")
        return gettext("%(member)s was invited to join %(entry)s as a reserve.")
    return gettext("%(member)s joined %(entry)s.") if is_in else gettext("%(member)s was invited to join %(entry)s.")


def ask(
    record: Record,
    entry: Entry,
    invitee: PersonRef,
    *,
    role: str = Role.PLAYER,
    is_organiser: bool = False,
    has_agreed: bool = False,
) -> Member:
    """Add someone to an entry within an action: invited, or as taking part if an organiser vouches."""
    is_real = record.tournament.setting != Tournament.Setting.ONLINE
    person = person_lookup.read(record, invitee, names_alone=is_organiser and is_real)
    vouched = is_organiser and (is_real or has_agreed)
    if person.user is not None:
        person_lookup.check_free(record, person.user)
        if any(member.user_id == person.user.pk for member in naming.current(entry)):
            raise Refused("asked_already", gettext("%(name)s has already been invited.") % {"name": person.name})
    is_in = vouched or (person.user is not None and person.user == record.by)
    member = seat(record, entry, person, Answer.ACCEPTED if is_in else Answer.INVITED, role=role)
    if person.email:
        invitation_emails.write(record, member)
    elif not is_in:
        spend(INVITATIONS, record.by)
        if not blocks.has_blocked(person.user, record.by):
            notifications.partner_invited(member)
    elif person.user is not None and record.by is not None and person.user != record.by:
        person_lookup.tell(
            record,
            person.user,
            lambda: gettext("%(name)s entered you") % {"name": record.by},
            key=f"member:{member.pk}",
        )
    return member


def seat(record: Record, entry: Entry, person: Person, answer: str, *, role: str = Role.PLAYER) -> Member:
    """Add a member to an entry within an action. Raises `Refused` if there is no room."""
    if role not in Role.values:
        raise Refused("no_such_role", gettext("A member is a player or a reserve."))
    known = {"users": [person.user.pk]} if person.user is not None else {"names": [person.name]}
    check_has_not_seen(record.tournament, **known)
    members = naming.current(entry)
    most = waiting_list.MOST_RESERVES
    if role == Role.PLAYER:
        most = waiting_list.MOST_PLAYERS[Tournament.Kind(record.tournament.entry_kind)]
    if sum(member.role == role for member in members) >= most:
        raise Refused("entry_full", full_text(entry, role, most))
    last = entry.members.aggregate(last=Max("position"))["last"]
    member = Member(
        entry=entry,
        tournament=record.tournament,
        user=person.user,
        name=person.name[:60],
        email=person.email,
        role=role,
        answer=answer,
        is_captain=not members and role == Role.PLAYER,
        position=0 if last is None else last + 1,
    )
    record.create(member)
    return member


def full_text(entry: Entry, role: str, most: int) -> str:
    """Text that an entry already has the maximum of players or reserves."""
    players = several(most, "reserve") if role == Role.RESERVE else several(most, "player")
    return gettext("%(entry)s already has %(players)s.") % {"entry": entry, "players": players}


# Answers


def invitations_of(user: User) -> QuerySet[Member]:
    """Unanswered invitations of a person, by account or verified email address."""
    ended = (Tournament.Status.OVER, Tournament.Status.CANCELLED)
    of_user = Q(user__pk=user.pk) | Q(user=None, email__in=confirmed_addresses(user))
    invited = Member.objects.filter(of_user, answer=Answer.INVITED, left_at=None).exclude(tournament__status__in=ended)
    return invited.select_related("entry", "tournament")


def read(slug: str, token: str) -> Member:
    """The member of an invitation link. Raises `Refused` if the link is not valid."""
    members = Member.objects.filter(tournament__slug=slug, token=token, left_at=None).exclude(answer=Answer.DECLINED)
    member = members.select_related("entry", "tournament").first() if token.isascii() and len(token) <= 43 else None
    if member is None:
        raise Refused("no_invitation", gettext("This invitation is not valid. Ask for a new one."))
    return member


def accept(member_id: int, by: User, *, token: str = "", **how: Unpack[ActionRequest]) -> Act:
    """Accept an invitation: the caller’s own, or that of the email with this token.

    Other invitations to the same event are declined. A member entered by name takes over that name’s place. Raises
    `Refused`, or `NotAllowed` if the invitation is for someone else.
    """

    def do(record: Record) -> str:
        member = member_of(record, member_id)
        entry = member.entry
        _check_theirs(member, by, token)
        if member.user_id == by.pk and member.answer == Answer.ACCEPTED and member.left_at is None:
            return gettext("%(name)s plays in %(entry)s.") % {"name": by, "entry": entry}
        _check_answerable(record, member)
        if by.is_guest:
            raise Refused("guest", gettext("Sign up first. You need an account to enter an event."))
        person_lookup.check_free(record, by)
        was_asked, was_automatic = member.answer == Answer.INVITED, has_automatic_name(record, entry)
        warning = _warn_of_address(record, member, by)
        check_has_not_seen(record.tournament, users=[by.pk])
        record.change(member, user=by, name=str(by)[:60], email="", answer=Answer.ACCEPTED)
        for other in Member.objects.filter(tournament=record.tournament, user=by, answer=Answer.INVITED, left_at=None):
            record.change(other, answer=Answer.DECLINED)
        refresh(record, entry, was_automatic)
        if not was_asked:
            took_over = gettext("%(name)s took over their own place in %(entry)s.") % {"name": by, "entry": entry}
            return " ".join([took_over, *warning])
        person_lookup.tell_entry(
            record, entry, lambda: gettext("%(name)s plays with you") % {"name": by}, key=f"yes:{member.pk}"
        )
        sentences = [gettext("%(name)s agreed to play in %(entry)s.") % {"name": by, "entry": entry}]
        if entry.status == Entry.Status.ENTERED:
            sentences.append(gettext("It has a place."))
        if entry.status == Entry.Status.WAITING:
            sentences.append(gettext("It is on the waiting list."))
        return " ".join([*sentences, *warning])

    return perform(event_of(Member, member_id), do, ANSWER, by=by, **how)


def _warn_of_address(record: Record, member: Member, by: User) -> list[str]:
    """Tell the organisers if somebody answers an email that was sent to an address they have not confirmed.

    Its link may have been passed on. Refusing it would stop people with several addresses, and families that share one;
    so the place is taken, and can be taken back. Returns the sentence for the history, if any.
    """
    if not member.email or member.email in confirmed_addresses(by):
        return []
    entry = member.entry
    for organiser in record.tournament.organisers.filter(user__is_active=True).exclude(user=by).select_related("user"):
        person_lookup.tell(
            record,
            organiser.user,
            lambda: (
                gettext(
                    "%(name)s accepted an emailed invitation to %(entry)s with an unconfirmed address. Check that you know them"
                )
                % {"name": by, "entry": entry}
            ),
            key=f"address:{member.pk}",
        )
    return [gettext("The account has not confirmed the invited address.")]


def decline(member_id: int, by: User | None, *, token: str = "", **how: Unpack[ActionRequest]) -> Act:
    """Decline an invitation, with an email’s token also without an account. Tells the rest of the entry."""

    def do(record: Record) -> str:
        member = member_of(record, member_id)
        _check_theirs(member, by, token)
        if member.answer == Answer.DECLINED:
            return gettext("%(member)s declined.") % {"member": member}
        _check_answerable(record, member)
        if member.answer != Answer.INVITED:
            raise Refused("not_asked", gettext("There is nothing to decline. Withdraw from the event instead."))
        entry = member.entry
        was_automatic = has_automatic_name(record, entry)
        record.change(member, answer=Answer.DECLINED)
        refresh(record, entry, was_automatic)
        person_lookup.tell_entry(
            record,
            entry,
            lambda: gettext("%(member)s declined to play with you") % {"member": member},
            key=f"no:{member.pk}",
        )
        return gettext("%(member)s declined to play in %(entry)s.") % {"member": member, "entry": entry}

    return perform(event_of(Member, member_id), do, ANSWER, by=by, **how)


def _check_theirs(member: Member, by: User | None, token: str) -> None:
    """Raise `NotAllowed` unless the invitation is for this person or has this token."""
    if member.user_id is not None:
        is_theirs = by is not None and member.user_id == by.pk
    else:
        has_letter = bool(token) and token == member.token
        is_theirs = has_letter or (by is not None and bool(member.email) and member.email in confirmed_addresses(by))
    if not is_theirs:
        raise NotAllowed("not_yours", gettext("This invitation is for someone else."))


def _check_answerable(record: Record, member: Member) -> None:
    """Raise `Refused` unless the invitation can still be answered."""
    check_alive(record)
    if member.left_at is not None or member.answer == Answer.DECLINED:
        raise Refused(
            "no_invitation",
            gettext("This invitation is no longer valid. Ask the person who invited you for a new one."),
        )
    if member.entry.status in (Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED):
        raise Refused("gone", gettext("%(entry)s is out of the event.") % {"entry": member.entry})


# Updates


def has_automatic_name(record: Record, entry: Entry) -> bool:
    """Whether an entry has its automatic name, which follows its people."""
    return naming.is_automatic(entry, record.tournament.entry_kind, naming.current(entry))


def refresh(record: Record, entry: Entry, was_automatic: bool) -> None:
    """Update the automatic name and the place of an entry after its people changed."""
    members = naming.current(entry)
    if was_automatic and members:
        name = naming.automatic(record.tournament.entry_kind, members)
        record.change(entry, name=naming.free(record, name, entry.number, entry.pk))
    waiting_list.assign_place(record, entry)
