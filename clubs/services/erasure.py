"""Anonymise people whose accounts are deleted: their results stay, their names do not."""

from collections.abc import Collection

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.display_names import FORMER
from clubs.models import Act, Club, Invitation, JoinRequest, Membership, News, PersonalMessage, Remark
from clubs.models.people import new_token
from clubs.services import lookups, person_names
from clubs.services.leagues import event_roles
from clubs.services.members.contact_details import FORGOTTEN


def forget(user_id: int, addresses: Collection[str] = ()) -> None:
    """Remove a person from their clubs, their name from texts, their addresses from invitations. Twice does no harm."""
    Remark.objects.filter(Q(one=user_id) | Q(other=user_id)).delete()
    letters = Invitation.objects.annotate(address=Lower("email")).filter(address__in=addresses)
    open_ones = letters.filter(accepted_at=None, revoked_at=None)
    open_ones.update(revoked_at=timezone.now(), due_at=None)
    letters.update(email="")
    clubs = {
        *Membership.objects.filter(user=user_id).values_list("club_id", flat=True),
        *JoinRequest.objects.filter(user=user_id).values_list("club_id", flat=True),
        *Act.objects.filter(by=user_id).values_list("club_id", flat=True),
        *News.objects.filter(by=user_id).values_list("club_id", flat=True),
    }
    for club_id in sorted(clubs):
        with transaction.atomic():
            club = Club.objects.locked(club_id)
            _forget_in(club, user_id)
            club.version += 1
            club.save(update_fields=["version"])


def _forget_in(club: Club, user_id: int) -> None:
    memberships = list(Membership.objects.filter(club=club, user=user_id))
    names = set(Act.objects.filter(club=club, by=user_id).values_list("name", flat=True))
    names |= set(News.objects.filter(club=club, by=user_id).values_list("name", flat=True))
    _replace_everywhere(club, memberships, names, user_id)
    event_roles.sync(club)
    JoinRequest.objects.filter(club=club, user=user_id).update(words="")
    open_ones = JoinRequest.objects.filter(club=club, user=user_id, status=JoinRequest.Status.OPEN)
    open_ones.update(status=JoinRequest.Status.WITHDRAWN, answered_at=timezone.now())


def forget_name(club: Club, membership: Membership) -> None:
    """Forget a person without an account in a locked club: their name, addresses and links go, their results stay."""
    _replace_everywhere(club, [membership], (), person_names.NOBODY)


def _replace_everywhere(club: Club, memberships: list[Membership], names: Collection[str], user_id: int) -> None:
    person_names.forget(club, memberships, names, user_id=user_id)
    person_names.forget_notes(club, memberships)
    _anonymise(memberships)
    _ensure_owner(club)
    PersonalMessage.objects.filter(membership__in=memberships).delete()
    letters = Invitation.objects.filter(membership__in=memberships)
    letters.filter(accepted_at=None, revoked_at=None).update(revoked_at=timezone.now(), due_at=None)
    letters.update(email="")


def _anonymise(memberships: list[Membership]) -> None:
    for membership in memberships:
        membership.name, membership.email, membership.contact = FORMER, "", ""
        membership.note = ""
        for field, value in FORGOTTEN.items():
            setattr(membership, field, value)
        membership.is_listed = membership.wants_letters = False
        membership.claim_token, membership.letters_token = new_token(), new_token()
        membership.left_at = membership.left_at or timezone.now()
        membership.role = Membership.Role.MEMBER
        membership.save()


def _ensure_owner(club: Club) -> None:
    """Give the club a new owner if it has none, from its members with accounts."""
    here = Membership.objects.filter(club=club, left_at=None, user__is_active=True)
    if not here.exists() or lookups.organisers(club).filter(role=Membership.Role.OWNER).exists():
        return
    ranks: tuple[QuerySet[Membership], ...] = (
        here.filter(role=Membership.Role.ORGANISER),
        here.filter(role=Membership.Role.SCORER),
        here,
    )
    heir = next(rows for rows in ranks if rows.exists()).order_by("joined_at", "pk")[0]
    Membership.objects.filter(pk=heir.pk).update(role=Membership.Role.OWNER)
