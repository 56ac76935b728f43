"""Joining a club: at once, on request, or by its link. See `member_invitations` for emails, `name_claims` for names."""

from datetime import timedelta
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Act, Club, JoinRequest, Membership
from clubs.services import lookups, naming
from clubs.services.history import ActionRequest, Anybody, ByRow, Never, Record, declare, perform, row_of
from clubs.services.members import name_claims
from clubs.services.notifications import tell, tell_organisers
from web.errors import NotAllowed, Refused

Role, Status = Membership.Role, JoinRequest.Status

PAUSE = timedelta(days=7)
"""Time before a declined person can ask again."""
MOST_OPEN = 20
"""Requests of one person that can be open at once."""


JOINING = declare(
    "join",
    needs=Anybody("The club is open to everyone, or they have its link or an invitation."),
    undo=Never("Remove the member instead."),
)


def join(club_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Join a club that is open to everyone. Raises `Refused`."""

    def do(record: Record) -> str:
        if record.club.joining != Club.Joining.OPEN:
            raise Refused("not_open", gettext("You cannot join this club directly. Ask to join or use its link."))
        return f"{add_member(record, by)} joined."

    return perform(club_id, do, JOINING, by=by, **how)


def join_by_link(token: str, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Join by the club's link. Raises `Refused` if the link has expired."""
    club = club_of_link(token)

    def do(record: Record) -> str:
        if record.club.join_token != token:
            raise Refused("link_ended", gettext("This link has expired. Ask the club for the new one."))
        return gettext("%(name)s joined with the link.") % {"name": add_member(record, by)}

    return perform(club.pk, do, JOINING, by=by, **how)


def club_of_link(token: str) -> Club:
    """The club of a link to join. Raises `Refused`."""
    club = Club.objects.alive().filter(join_token=token).first()
    if club is None:
        raise Refused("link_ended", gettext("This link has expired. Ask the club for the new one."))
    return club


def add_member(record: Record, user: User, role: str = Role.MEMBER) -> Membership:
    """Make a person a member within an act; a former member comes back with this role. Raises `Refused`."""
    check_new(record, user)
    close_requests(record, user)
    former = Membership.objects.filter(club=record.club, user=user).exclude(left_at=None).order_by("-left_at").first()
    if former is not None:
        record.change(former, left_at=None, role=role, name=naming.free_name(record, former.name, former.pk))
        return former
    name = naming.free_name(record, str(user)[: naming.LONGEST_OF_PERSON])
    member = Membership(club=record.club, user=user, name=name, role=role)
    record.create(member)
    return member


def check_new(record: Record, user: User) -> None:
    """Raise `Refused` unless this is a person with an account who is not in the club."""
    lookups.check_account(user)
    if Membership.objects.filter(club=record.club, user=user, left_at=None).exists():
        raise Refused(
            "of_club_already",
            gettext("You are already a member of this club.")
            if user == record.by
            else gettext("This person is already a member of the club."),
        )


def close_requests(record: Record, user: User) -> None:
    """Accept a person's open request, because they are in another way."""
    for request in JoinRequest.objects.filter(club=record.club, user=user, status=Status.OPEN):
        record.change(request, status=Status.ACCEPTED, answered_at=record.now, answered_by=record.by)


# Requests


REQUEST = declare(
    "ask",
    needs=Anybody("Anyone with an account can ask, except if the club is joined by link only."),
    undo=Never("Cancel the request instead."),
)


def ask(club_id: int, by: User, *, words: str = "", name: str = "", **how: Unpack[ActionRequest]) -> Act:
    """Ask to join, or for a `name` used here so far; only organisers see whether the club has it. Raises `Refused`."""

    def do(record: Record) -> str:
        lookups.check_account(by)
        message, own_name = " ".join(words.split()), " ".join(name.split())
        if len(message) > 200 or len(own_name) > naming.LONGEST_OF_PERSON:
            raise Refused("too_long", gettext("Enter at most 200 characters."), field="words")
        is_of_club = Membership.objects.filter(club=record.club, user=by, left_at=None).exists()
        if is_of_club and not own_name:
            raise Refused("of_club_already", gettext("You are already a member of this club."))
        if not is_of_club and record.club.joining == Club.Joining.LINK:
            raise Refused("by_link", gettext("You can only join this club with its link or an invitation."))
        _check_may_ask(record, by)
        if own_name:
            message = (
                gettext("Has played here as %(called)s. %(said)s") % {"called": own_name, "said": message}
            ).strip()
        claimed = name_claims.unclaimed(record, own_name)
        request = JoinRequest(club=record.club, user=by, words=message[:300], membership=claimed)
        record.create(request)

        def text() -> str:
            return (gettext("%(person)s asks for a name") if own_name else gettext("%(person)s asks to join")) % {
                "person": by
            }

        tell_organisers(record, text, key=str(request.pk), kind="club_ask")
        if own_name:
            return gettext("%(person)s asked for the name %(name)s.") % {"person": by, "name": own_name}
        return gettext("%(person)s asked to join.") % {"person": by}

    return perform(club_id, do, REQUEST, by=by, **how)


def _check_may_ask(record: Record, by: User) -> None:
    requests = JoinRequest.objects.filter(user=by)
    if requests.filter(club=record.club, status=Status.OPEN).exists():
        raise Refused("asked_already", gettext("You have already asked. An organiser of the club will answer."))
    if requests.filter(status=Status.OPEN).count() >= MOST_OPEN:
        raise Refused("too_many", gettext("You have already asked many clubs. Wait for their answers."))
    if requests.filter(club=record.club, status=Status.DECLINED, answered_at__gt=record.now - PAUSE).exists():
        raise Refused("declined", gettext("The club declined a little while ago. Write to it before you ask again."))


def _check_own(by: User, request: JoinRequest) -> None:
    if request.user_id != by.pk:
        raise NotAllowed("not_yours", gettext("Only the person who asked can cancel the request."))


CANCELLED_REQUEST = declare("ask", needs=ByRow(_check_own), undo=Never("Ask again instead."))


def withdraw(request_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Cancel your own request. Raises `Refused`."""

    def do(record: Record) -> str:
        request = row_of(record, JoinRequest, request_id)
        record.ask(request)
        _check_open(request)
        record.change(request, status=Status.WITHDRAWN, answered_at=record.now)
        return gettext("%(by)s cancelled their request.") % {"by": by}

    return perform(lookups.club_of(JoinRequest, request_id), do, CANCELLED_REQUEST, by=by, **how)


ADMISSION = declare("let_in", needs="members", undo=Never("Remove the member instead."))
CLAIM = declare("claim", needs="members", undo=name_claims.CLAIM.undo)


def accept(request_id: int, by: User, *, membership_id: int | None = None, **how: Unpack[ActionRequest]) -> Act:
    """Accept a request; with `membership_id`, as this name of the club. Raises `Refused`."""

    def do(record: Record) -> str:
        request = row_of(record, JoinRequest, request_id)
        _check_open(request)
        lookups.check_account(request.user)
        is_of_club = Membership.objects.filter(club=record.club, user=request.user, left_at=None).exists()
        if membership_id is None and is_of_club:
            raise Refused(
                "of_club_already",
                gettext("%(user)s is already a member. Choose which name is theirs.") % {"user": request.user},
            )
        record.change(request, status=Status.ACCEPTED, answered_at=record.now, answered_by=by)
        if membership_id is None:
            member = add_member(record, request.user)
            tell(record, request.user, lambda: gettext("you are in"), key=f"answer:{request.pk}")
            return gettext("%(one)s joined the club.") % {"one": member}
        name = lookups.membership_of(record, membership_id)
        former_name = name.name
        name_claims.claim(record, name, request.user)
        tell(
            record,
            request.user,
            lambda: gettext("the name %(name)s is yours") % {"name": former_name},
            key=f"answer:{request.pk}",
        )
        return gettext("%(called)s is now %(user)s.") % {"called": former_name, "user": request.user}

    kind = ADMISSION if membership_id is None else CLAIM
    return perform(lookups.club_of(JoinRequest, request_id), do, kind, by=by, **how)


DECLINED_REQUEST = declare("decline", needs="members", undo=Never("The person was told. Invite them instead."))


def decline(request_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Decline a request. Raises `Refused`."""

    def do(record: Record) -> str:
        request = row_of(record, JoinRequest, request_id)
        _check_open(request)
        record.change(request, status=Status.DECLINED, answered_at=record.now, answered_by=by)
        tell(record, request.user, lambda: gettext("your request was declined"), key=f"answer:{request.pk}")
        return gettext("%(user)s was declined.") % {"user": request.user}

    return perform(lookups.club_of(JoinRequest, request_id), do, DECLINED_REQUEST, by=by, **how)


def _check_open(request: JoinRequest) -> None:
    if request.status != Status.OPEN:
        raise Refused(
            "answered",
            gettext("This request has already been answered: %(answer)s.")
            % {"answer": request.get_status_display().lower()},
        )
