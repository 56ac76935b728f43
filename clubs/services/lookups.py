"""Rows that acts are about, checked."""

from typing import TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from clubs.models import Club, Membership
from clubs.services.history import Record, row_of
from web.errors import Refused

GONE = gettext_noop("This no longer exists.")

Row = TypeVar("Row")


def existing(row: Row | None) -> Row:
    """A row that was looked for. Raises `Refused` if there is none."""
    if row is None:
        raise Refused("no_such_row", gettext(GONE))
    return row


def club_of(model: type[Model], pk: int) -> int:
    """The id of the club that a row belongs to. Raises `Refused` if there is no such row."""
    return int(existing(model._default_manager.filter(pk=pk).values_list("club_id", flat=True).first()))


def membership_of(record: Record, pk: int) -> Membership:
    """A member of the club, as they are under the lock. Raises `Refused` if they are not in it, or left."""
    member = row_of(record, Membership, pk)
    if member.left_at is not None:
        raise Refused("left", gettext("%(found)s is no longer in the club.") % {"found": member})
    return member


def own_membership(record: Record) -> Membership:
    """The membership of the person who asks. Raises `Refused`."""
    member = Membership.objects.filter(club=record.club, user=record.by, left_at=None).first() if record.by else None
    if member is None:
        raise Refused("not_of_club", gettext("You are not a member of this club."))
    return member


def organisers(club: Club) -> QuerySet[Membership]:
    """Owners and organisers with an open account."""
    roles = (Membership.Role.OWNER, Membership.Role.ORGANISER)
    here = Membership.objects.filter(club=club, left_at=None, role__in=roles, user__is_active=True)
    return here.select_related("user")


def check_account(user: User) -> None:
    """Raise `Refused` for guests, and for closed accounts."""
    if user.is_guest:
        raise Refused("guest", gettext("Sign up first. You need an account to join a club."))
    if not user.is_active:
        raise Refused("nobody", gettext("That account is closed."))
