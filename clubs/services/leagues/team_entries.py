"""Teams as entries of tournaments: entered with their rosters, and members of one matched with the other."""

from collections.abc import Iterable, Sequence

from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Appearance, League, Membership, Season, Team, TeamMember
from clubs.services.records import Record
from tournaments.models import Entry, Member, Tournament
from tournaments.services.entries import enrolment, partners
from tournaments.services.entries.person_lookup import PersonRef
from tournaments.services.events.naming import LONGEST_OF_PERSON
from web.errors import Refused

KINDS: dict[str, str] = {
    League.Kind.PERSON: Tournament.Kind.PERSON,
    League.Kind.PAIR: Tournament.Kind.PARTNERSHIP,
    League.Kind.TEAM: Tournament.Kind.TEAM,
}
"""Kinds of entries of a league's tournaments."""


def roster(team: Team) -> list[TeamMember]:
    """The current roster of a team: the captain, the players, the reserves, each in their order."""
    return in_order(TeamMember.objects.filter(team=team, left_at=None).select_related("membership__user"))


def in_order(members: Iterable[TeamMember]) -> list[TeamMember]:
    """The members of a roster: the captain, the players, the reserves, each in their order."""
    rank = [TeamMember.Role.CAPTAIN, TeamMember.Role.PLAYER, TeamMember.Role.RESERVE]
    return sorted(members, key=lambda member: (rank.index(TeamMember.Role(member.role)), member.position, member.pk))


def players(team: Team) -> list[TeamMember]:
    """The usual players of a team."""
    return [member for member in roster(team) if member.role != TeamMember.Role.RESERVE]


def account_of(membership: Membership) -> User | None:
    """The account a member of a club plays with; `None` for a name alone."""
    user = membership.user
    return user if user is not None and user.is_active and not user.is_guest else None


def person_of(membership: Membership) -> PersonRef:
    """A member of a club as tournaments know people."""
    return account_of(membership) or event_name(membership.name)


def event_name(name: str) -> str:
    """The name of a member of a club in events, where it is never taken for an address."""
    return name.replace("@", "(at)")[:LONGEST_OF_PERSON]


def enter(record: Record, tournament_id: int, by: User, team: Team) -> Entry:
    """Enter a team with its roster, within an act. Raises `Refused`."""
    members = roster(team)
    first = [member for member in members if member.role != TeamMember.Role.RESERVE]
    people = [person_of(member.membership) for member in first]
    entry = enrolment.enter_for(tournament_id, by, members=people, name=team.name, has_agreed=True, within=record)
    link_members(list(entry.members.order_by("position", "pk")), [member.membership for member in first])
    for member in members[len(first) :]:
        join(record, entry, by, member.membership, Member.Role.RESERVE)
    return entry


def join(record: Record, entry: Entry, by: User | None, membership: Membership, role: str) -> Member:
    """Add a club member to an entry, within an act. Raises `Refused` for people in another entry of its tournament."""
    members = Member.objects.filter(appearance__membership=membership, tournament=entry.tournament_id, left_at=None)
    other = members.exclude(entry=entry).exclude(answer=Member.Answer.DECLINED).select_related("entry").first()
    if other is not None:
        words = gettext("%(membership)s is already in %(entry)s. Nobody can play for two teams of one division.") % {
            "membership": membership,
            "entry": other.entry,
        }
        raise Refused("plays_already", words, field="membership")
    person = person_of(membership)
    member = partners.invite(entry.pk, by, person=person, role=role, has_agreed=True, within=record)
    link_members([member], [membership])
    return member


def link_members(members: Sequence[Member], memberships: Sequence[Membership]) -> None:
    """Store which members of the club the members of an entry are."""
    Appearance.objects.bulk_create(
        Appearance(membership=membership, member=member)
        for member, membership in zip(members, memberships, strict=True)
    )


def running_entries(team: Team) -> list[Entry]:
    """The entries of a team in running tournaments."""
    in_season = Q(season_entry__team=team, season_entry__season__status=Season.Status.RUNNING)
    entries = Entry.objects.filter(in_season | Q(season_event_entry__team=team))
    running = entries.filter(tournament__status=Tournament.Status.RUNNING)
    return list(running.exclude(status__in=(Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)).order_by("pk"))


def member_in(entry: Entry, membership: Membership) -> Member | None:
    """A member of a club as a member of an entry, unless they left it."""
    members = Member.objects.filter(entry=entry, appearance__membership=membership, left_at=None)
    return members.exclude(answer=Member.Answer.DECLINED).order_by("-pk").first()


def team_of(entry: Entry) -> Team | None:
    """The team that an entry competes for; `None` if it is of no league."""
    is_entered = Q(seasons__entry=entry) | Q(events__entry=entry)
    return Team.objects.filter(is_entered).select_related("league__club", "club").first()
