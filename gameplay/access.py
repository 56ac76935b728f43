"""Access to tables: the first line of every page and of the API."""

from typing import TypeGuard

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import confirmed_addresses
from accounts.services import blocks
from gameplay import visibility_groups
from gameplay.models import Invitation, Seat, Table
from web.errors import NotAllowed


def open_table(player: User | AnonymousUser, slug: str) -> tuple[Table, Seat | None]:
    """The table and the player's seat, if any. Raises `Http404` if the player must not know of it."""
    table = Table.objects.filter(slug=slug).first()
    if table is None:
        raise Http404("Table not found.")
    seat = None if not is_somebody(player) else Seat.objects.filter(table=table, user__pk=player.pk or 0).first()
    if seat is None and not any(may(player, table) for may in (may_watch, may_know, may_return)):
        raise Http404("Table not found.")
    return table, seat


def own_seat(player: User | AnonymousUser, slug: str) -> tuple[Table, Seat]:
    """The table and the player's seat at it. Raises `Http404`, or `NotAllowed` for people who can only watch."""
    table, seat = open_table(player, slug)
    if seat is None:
        raise NotAllowed("no_seat", gettext("You have no seat at this table."))
    return table, seat


def is_somebody(player: User | AnonymousUser) -> TypeGuard[User]:
    """Whether this is a person or a guest."""
    return player.pk is not None


def is_member(player: User | AnonymousUser) -> bool:
    """Whether this is a person with an account."""
    return isinstance(player, User) and not player.is_guest


def may_watch(player: User | AnonymousUser, table: Table) -> bool:
    """Whether people without a seat can watch. An address that cannot be guessed is the link.

    Nobody can while other tables must still play the same cards.
    """
    if table.is_sealed:
        return False
    if table.watching == Table.Watching.CLUB:
        return isinstance(player, User) and visibility_groups.belongs(player, table.audience)
    return table.watching in (Table.Watching.ANYBODY, Table.Watching.LINK)


def may_know(player: User | AnonymousUser, table: Table) -> bool:
    """Whether a person can see the players who wait at a table: anyone who can join, or could after signing in."""
    is_open = table.joining in (Table.Joining.OPEN, Table.Joining.LINK)
    return table.status == Table.Status.GATHERING and (is_open or may_join(player, table))


def may_return(player: User | AnonymousUser, table: Table) -> bool:
    """Whether a bot plays in the seat of this person."""
    if not is_somebody(player) or table.status != Table.Status.PLAYING:
        return False
    return Seat.objects.filter(table=table, user=None, former_user__pk=player.pk).exists()


def may_join(player: User | AnonymousUser, table: Table) -> bool:
    """Whether this person may take a free seat; guests may where `takes_guests`, under a name."""
    if not isinstance(player, User) or player.is_guest or table.status != Table.Status.GATHERING:
        return False
    if not is_welcome(player, table):
        return False
    if table.joining == Table.Joining.CLUB:
        return visibility_groups.belongs(player, table.audience)
    if table.joining == Table.Joining.INVITED:
        return invitations_of(player).filter(table=table).exists()
    return True


def is_welcome(player: User, table: Table) -> bool:
    """Whether no block stands between the person and the table: its creator’s, at a quick match anyone’s in either way."""
    if table.wish_id is None:
        return not blocks.has_blocked(table.creator, player)
    return not table.seats.filter(user__in=blocks.strangers_of(player)).exists()


def without_strangers(tables: QuerySet[Table], player: User | AnonymousUser) -> QuerySet[Table]:
    """The tables without those to which a block bars the way; see `is_welcome`."""
    strangers = blocks.strangers_of(player)
    seated = Seat.objects.filter(table=OuterRef("pk"), user__in=strangers)
    is_barred = Q(creator__in=strangers, creator__isnull=False) | (Q(wish__isnull=False) & Q(Exists(seated)))
    return tables.exclude(is_barred) if strangers else tables


def takes_guests(table: Table) -> bool:
    """Whether people without an account can take a seat: friends with the link, or at a quick match; never if it is rated."""
    takes_them = table.joining == Table.Joining.LINK or table.wish_id is not None
    return takes_them and not (table.is_rated or table.is_arranged) and table.status == Table.Status.GATHERING


def invitations_of(user: User) -> QuerySet[Invitation]:
    """The person's invitations that were not cancelled: by account, or to a confirmed email address.

    Those of people whom they have blocked are none.
    """
    own_or_mailed = Q(user__pk=user.pk) | Q(email__in=confirmed_addresses(user), is_accepted=False)
    return blocks.without_blocked(Invitation.objects.filter(own_or_mailed, revoked_at=None), user, "invited_by")


def open_invitations(player: User | AnonymousUser) -> QuerySet[Invitation]:
    """Invitations that can still be answered, to tables that wait for players; none without an account."""
    if not isinstance(player, User) or player.is_guest:
        return Invitation.objects.none()
    waiting = invitations_of(player).filter(answered_at=None, table__status=Table.Status.GATHERING)
    return waiting.exclude(table__seats__user__pk=player.pk).select_related("table", "invited_by")
