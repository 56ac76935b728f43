"""How people come into a club: at once, by asking, or by its link. Letters are in `inviting`, names in `claiming`."""

from __future__ import annotations

from datetime import timedelta
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Act, Club, JoinRequest, Membership
from clubs.services import lookups, naming
from clubs.services.history import Anybody, ByRow, How, Never, Record, declare, perform, row_of
from clubs.services.members import name_claims
from clubs.services.notifications import tell, tell_organisers
from web.errors import NotAllowed, Refused

Role, Status = Membership.Role, JoinRequest.Status

PAUSE = timedelta(days=7)
"""How long who was declined waits before asking again."""
MOST_OPEN = 20
"""Requests of one person that may be open at once."""


JOINING = declare(
    "join",
    needs=Anybody("The club is open to everyone, or they have its link or an invitation."),
    undo=Never("Remove the member instead."),
)


def join(club_id: int, by: User, **how: Unpack[How]) -> Act:
    """Join a club that is open to anybody. Raises `Refused`."""

    def do(record: Record) -> str:
        if record.club.joining != Club.Joining.OPEN:
            raise Refused("not_open", gettext("You cannot join this club directly. Ask to join or use its link."))
        return f"{let_in(record, by)} joined."

    return perform(club_id, do, JOINING, by=by, **how)


def join_by_link(token: str, by: User, **how: Unpack[How]) -> Act:
    """Join by the club's link. Raises `Refused` where the link has ended."""
    club = club_of_link(token)

    def do(record: Record) -> str:
        if record.club.join_token != token:
            raise Refused("link_ended", gettext("This link has expired. Ask the club for the new one."))
        return gettext("%(name)s joined with the link.") % {"name": let_in(record, by)}

    return perform(club.pk, do, JOINING, by=by, **how)


def club_of_link(token: str) -> Club:
    """The club that a link to join leads into. Raises `Refused`."""
    club = Club.objects.alive().filter(join_token=token).first()
    if club is None:
        raise Refused("link_ended", gettext("This link has expired. Ask the club for the new one."))
    return club


def let_in(record: Record, user: User, role: str = Role.MEMBER) -> Membership:
    """Make a person a member within an act; who was one before comes back as a member. Raises `Refused`."""
    check_new(record, user)
    close_requests(record, user)
    former = Membership.objects.filter(club=record.club, user=user).exclude(left_at=None).order_by("-left_at").first()
    if former is not None:
        record.change(former, left_at=None, role=role, name=naming.free(record, former.name, former.pk))
        return former
    name = naming.free(record, str(user)[: naming.LONGEST_OF_PERSON])
    one = Membership(club=record.club, user=user, name=name, role=role)
    record.create(one)
    return one


def check_new(record: Record, user: User) -> None:
    """Raise `Refused` unless this is a person with an account who is not of the club."""
    lookups.check_account(user)
    if Membership.objects.filter(club=record.club, user=user, left_at=None).exists():
        raise Refused(
            "of_club_already",
            gettext("You are already a member of this club.")
            if user == record.by
            else gettext("This person is already a member of the club."),
        )


def close_requests(record: Record, user: User) -> None:
    """Settle what a person asked for, since it came about otherwise."""
    for one in JoinRequest.objects.filter(club=record.club, user=user, status=Status.OPEN):
        record.change(one, status=Status.ACCEPTED, answered_at=record.now, answered_by=record.by)


# Asking


REQUEST = declare("ask", needs=Anybody("Anyone with an account can ask."), undo=Never("Cancel the request instead."))


def ask(club_id: int, by: User, *, words: str = "", name: str = "", **how: Unpack[How]) -> Act:
    """Ask to join, or, with the `name` under which one has played here, to have that name. Raises `Refused`.

    Whether the club knows the name shows in nothing but to who answers.
    """

    def do(record: Record) -> str:
        lookups.check_account(by)
        said, called = " ".join(words.split()), " ".join(name.split())
        if len(said) > 200 or len(called) > naming.LONGEST_OF_PERSON:
            raise Refused("too_long", gettext("Enter at most 200 characters."), field="words")
        is_of_club = Membership.objects.filter(club=record.club, user=by, left_at=None).exists()
        if is_of_club and not called:
            raise Refused("of_club_already", gettext("You are already a member of this club."))
        if not is_of_club and record.club.joining == Club.Joining.LINK and not called:
            raise Refused("by_link", gettext("You can only join this club with its link or an invitation."))
        _check_may_ask(record, by)
        if called:
            said = (gettext("Has played here as %(called)s. %(said)s") % {"called": called, "said": said}).strip()
        row = JoinRequest(club=record.club, user=by, words=said[:300], membership=name_claims.unclaimed(record, called))
        record.create(row)

        def asks() -> str:
            return (gettext("%(person)s asks for a name") if called else gettext("%(person)s asks to join")) % {
                "person": by
            }

        tell_organisers(record, asks, what=str(row.pk), kind="club_ask")
        if called:
            return gettext("%(person)s asked for the name %(name)s.") % {"person": by, "name": called}
        return gettext("%(person)s asked to join.") % {"person": by}

    return perform(club_id, do, REQUEST, by=by, **how)


def _check_may_ask(record: Record, by: User) -> None:
    own = JoinRequest.objects.filter(user=by)
    if own.filter(club=record.club, status=Status.OPEN).exists():
        raise Refused("asked_already", gettext("You have already asked. An organiser of the club will answer."))
    if own.filter(status=Status.OPEN).count() >= MOST_OPEN:
        raise Refused("too_many", gettext("You have already asked many clubs. Wait for their answers."))
    if own.filter(club=record.club, status=Status.DECLINED, answered_at__gt=record.now - PAUSE).exists():
        raise Refused("declined", gettext("The club declined a little while ago. Write to it before you ask again."))


def _check_own(by: User, row: JoinRequest) -> None:
    if row.user_id != by.pk:
        raise NotAllowed("not_yours", gettext("Only the person who asked can cancel the request."))


CANCELLED_REQUEST = declare("ask", needs=ByRow(_check_own), undo=Never("Ask again instead."))


def withdraw(request_id: int, by: User, **how: Unpack[How]) -> Act:
    """Take one's own request back. Raises `Refused`."""

    def do(record: Record) -> str:
        row = row_of(record, JoinRequest, request_id)
        record.ask(row)
        _check_open(row)
        record.change(row, status=Status.WITHDRAWN, answered_at=record.now)
        return gettext("%(by)s cancelled their request.") % {"by": by}

    return perform(lookups.club_of(JoinRequest, request_id), do, CANCELLED_REQUEST, by=by, **how)


ADMISSION = declare("let_in", needs="members", undo=Never("Remove the member instead."))
CLAIM = declare("claim", needs="members", undo=name_claims.CLAIM.undo)


def accept(request_id: int, by: User, *, membership_id: int | None = None, **how: Unpack[How]) -> Act:
    """Let somebody in who asked; with `membership_id`, as this name that the club knew already. Raises `Refused`."""

    def do(record: Record) -> str:
        row = row_of(record, JoinRequest, request_id)
        _check_open(row)
        lookups.check_account(row.user)
        is_of_club = Membership.objects.filter(club=record.club, user=row.user, left_at=None).exists()
        if membership_id is None and is_of_club:
            raise Refused(
                "of_club_already",
                gettext("%(user)s is already a member. Choose which name is theirs.") % {"user": row.user},
            )
        record.change(row, status=Status.ACCEPTED, answered_at=record.now, answered_by=by)
        if membership_id is None:
            one = let_in(record, row.user)
            tell(record, row.user, lambda: gettext("you are in"), what=f"answer:{row.pk}")
            return gettext("%(one)s joined the club.") % {"one": one}
        name = lookups.membership_of(record, membership_id)
        called = name.name
        name_claims.claim(record, name, row.user)
        tell(
            record,
            row.user,
            lambda: gettext("the name %(name)s is yours") % {"name": called},
            what=f"answer:{row.pk}",
        )
        return gettext("%(called)s is now %(user)s.") % {"called": called, "user": row.user}

    what = ADMISSION if membership_id is None else CLAIM
    return perform(lookups.club_of(JoinRequest, request_id), do, what, by=by, **how)


DECLINED_REQUEST = declare("decline", needs="members", undo=Never("The person was told. Invite them instead."))


def decline(request_id: int, by: User, **how: Unpack[How]) -> Act:
    """Say no to who asked. Raises `Refused`."""

    def do(record: Record) -> str:
        row = row_of(record, JoinRequest, request_id)
        _check_open(row)
        record.change(row, status=Status.DECLINED, answered_at=record.now, answered_by=by)
        tell(record, row.user, lambda: gettext("your request was declined"), what=f"answer:{row.pk}")
        return gettext("%(user)s was declined.") % {"user": row.user}

    return perform(lookups.club_of(JoinRequest, request_id), do, DECLINED_REQUEST, by=by, **how)


def _check_open(row: JoinRequest) -> None:
    if row.status != Status.OPEN:
        raise Refused(
            "answered",
            gettext("This request has already been answered: %(answer)s.")
            % {"answer": row.get_status_display().lower()},
        )
