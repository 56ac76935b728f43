"""Rights in a club: the first line of every page and of the API."""

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.utils.translation import gettext

from accounts.models import User
from clubs import text
from clubs.models import Club, Membership
from clubs.roles import ACTS, ROLES
from gameplay.access import is_member
from web.errors import NotAllowed

Player = User | AnonymousUser


def open_club(slug: str) -> Club:
    """The club, whose pages are public. Raises `Http404`."""
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise Http404(gettext("Club not found."))
    return club


def membership_of(player: Player, club: Club) -> Membership | None:
    """The person's membership; `None` for everyone else, former members included."""
    if not is_member(player):
        return None
    return Membership.objects.filter(club=club, user__pk=player.pk or 0, left_at=None).first()


def role_of(player: Player, club: Club) -> str:
    """The person's role in the club; empty for none."""
    membership = membership_of(player, club)
    return membership.role if membership else ""


def may(player: Player, club: Club, act: str) -> bool:
    """Whether the person may do this in the club; `act` is one of `roles.ACTS`."""
    return act in ROLES.get(role_of(player, club), ())


def check(player: Player, club: Club, act: str) -> None:
    """Raise `NotAllowed` unless the person is a member who may do this."""
    check_as(role_of(player, club), act)


def check_as(role: str, act: str) -> None:
    """The same for a role that is known."""
    if not role:
        raise NotAllowed("not_of_club", gettext("Only members of this club can do that."))
    if act not in ROLES[role]:
        raise NotAllowed("not_your_part", _ask_another(act) % {"role": text.role(role), "act": ACTS[act]})


def club_for(player: Player, slug: str, act: str) -> Club:
    """The club, for a person who may do this in it. Raises `Http404` or `NotAllowed`."""
    club = open_club(slug)
    check(player, club, act)
    return club


def _ask_another(act: str) -> str:
    if act in ROLES[Membership.Role.ORGANISER]:
        return gettext("You cannot %(act)s as %(role)s. Ask a club organiser.")
    return gettext("You cannot %(act)s as %(role)s. Ask a club owner.")
