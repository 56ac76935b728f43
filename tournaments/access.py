"""Access to events and rights in them: the first line of every page and of the API."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import Http404
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from gameplay import visibility_groups
from gameplay.access import is_somebody
from tournaments.models import Entry, Member, Organiser, Tournament
from tournaments.roles import ROLES
from web.errors import NotAllowed

Player = User | AnonymousUser


# Seeing


def open_event(player: Player, slug: str) -> Tournament:
    """The event. Raises `Http404` where the player may not even know of it."""
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None or not may_see(player, tournament):
        raise Http404(gettext("Event not found."))
    return tournament


def may_see(player: Player, tournament: Tournament) -> bool:
    """Whether someone may see an event: a draft its organisers, a club’s event its members and players."""
    if tournament.status == Tournament.Status.DRAFT:
        return may(player, tournament, "look")
    if tournament.visibility != Tournament.Visibility.CIRCLE:
        return True
    if not isinstance(player, User) or player.is_guest:
        return False
    if visibility_groups.belongs(player, tournament.circle) or may(player, tournament, "look"):
        return True
    # People invited from outside the club.
    members = Member.objects.filter(tournament=tournament, user=player).exclude(answer=Member.Answer.DECLINED)
    return members.exists()


def list_events(player: Player) -> QuerySet[Tournament]:
    """Events to list for someone: public ones, those of their clubs, and those they organise or play in."""
    visible = Q(visibility=Tournament.Visibility.PUBLIC) & ~Q(status=Tournament.Status.DRAFT)
    if is_somebody(player):
        circles = [circle.ref for circle in visibility_groups.circles_of(player)]
        organised = Organiser.objects.filter(user__pk=player.pk).values("tournament")
        playing = Member.objects.filter(user__pk=player.pk, left_at=None).exclude(answer=Member.Answer.DECLINED)
        of_club = Q(circle__in=circles, visibility=Tournament.Visibility.CIRCLE) & ~Q(status=Tournament.Status.DRAFT)
        visible |= of_club | Q(pk__in=organised)
        visible |= Q(pk__in=playing.values("tournament")) & ~Q(status=Tournament.Status.DRAFT)
    return Tournament.objects.filter(visible)


# Organising


def role_of(player: Player, tournament: Tournament) -> str:
    """Role of an organiser in the event; empty for none."""
    if not is_somebody(player):
        return ""
    role = Organiser.objects.filter(tournament=tournament, user__pk=player.pk).values_list("role", flat=True).first()
    return role or ""


def may(player: Player, tournament: Tournament, act: str) -> bool:
    """Whether someone may do this as an organiser; `act` is one of `roles.ACTS`."""
    return act in ROLES.get(role_of(player, tournament), ())


def organiser(player: Player, slug: str, act: str = "look") -> Tournament:
    """The event, for an organiser with this right; one query. Raises `Http404`, or `NotAllowed` for other readers."""
    organised = Organiser.objects.filter(tournament=OuterRef("pk"), user__pk=player.pk if is_somebody(player) else 0)
    tournament = Tournament.objects.filter(slug=slug).annotate(own_role=Subquery(organised.values("role")[:1])).first()
    role = getattr(tournament, "own_role", None) or ""
    if tournament is None or not (role or may_see(player, tournament)):
        raise Http404(gettext("Event not found."))
    check_as(role, act)
    return tournament


_ROLES: dict[str, str] = {
    Organiser.Role.OWNER: gettext_noop("owner"),
    Organiser.Role.DIRECTOR: gettext_noop("director"),
    Organiser.Role.SCORER: gettext_noop("scorer"),
    Organiser.Role.DEALER: gettext_noop("dealer"),
}


def check(player: Player, tournament: Tournament, act: str) -> None:
    """Raise `NotAllowed` unless this is an organiser with this right."""
    check_as(role_of(player, tournament), act)


def check_as(role: str, act: str) -> None:
    """The same for a known role."""
    if not role:
        raise NotAllowed("not_organiser", gettext("Only the organisers of the event can do that."))
    if act not in ROLES[role]:
        raise NotAllowed(
            "not_your_part",
            gettext("You cannot do that as %(role)s. Ask an owner of the event.") % {"role": gettext(_ROLES[role])},
        )


# Taking part


def accepted(tournament: Tournament) -> QuerySet[Member]:
    """Current members of all entries."""
    return Member.objects.filter(tournament=tournament, left_at=None, answer=Member.Answer.ACCEPTED)


def own_member(player: Player, tournament: Tournament) -> Member | None:
    """The person as a member of an entry, if they take part."""
    if not is_somebody(player):
        return None
    return accepted(tournament).filter(user__pk=player.pk).select_related("entry").first()


def own_entry(player: Player, slug: str) -> tuple[Tournament, Entry]:
    """The event and the player’s own entry. Raises `Http404`, or `NotAllowed` for people without one."""
    tournament = open_event(player, slug)
    member = own_member(player, tournament)
    if member is None:
        raise NotAllowed("not_in_it", gettext("You do not take part in this event."))
    return tournament, member.entry


def acts_for(player: Player, entry: Entry) -> bool:
    """Whether someone may act for an entry: everyone of a pair, the captain of a team."""
    member = own_member(player, entry.tournament)
    if member is None or member.entry_id != entry.pk or member.role != Member.Role.PLAYER:
        return False
    return member.is_captain or entry.tournament.entry_kind != Tournament.Kind.TEAM


def check_entry(player: Player, entry: Entry, act: str = "entries") -> None:
    """Raise `NotAllowed` unless someone acts for the entry, or is an organiser with this right."""
    if not acts_for(player, entry) and not may(player, entry.tournament, act):
        raise NotAllowed("not_yours", gettext("Only members of this entry or an organiser can do that."))


def check_entry_in_play(player: Player, entry: Entry) -> None:
    """The same for what changes the course of play."""
    check_entry(player, entry, "play")
