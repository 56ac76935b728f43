"""Teams as entries of tournaments: entered with their rosters, and the people of one found in the other."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q
from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Appearance, League, Membership, Season, Team, TeamMember
from clubs.services.records import Record
from tournaments.models import Entry, Member, Tournament
from tournaments.services.entries import enrolment, partners
from tournaments.services.entries.person_lookup import Who
from tournaments.services.events.naming import LONGEST_OF_PERSON
from web.errors import Refused

KINDS: dict[str, str] = {
    League.Kind.PERSON: Tournament.Kind.PERSON,
    League.Kind.PAIR: Tournament.Kind.PARTNERSHIP,
    League.Kind.TEAM: Tournament.Kind.TEAM,
}
"""What the entries of a league's tournaments are."""


def roster(team: Team) -> list[TeamMember]:
    """The people of a team who have not left: the captain, the players, the reserves, each in their order."""
    rank = [TeamMember.Role.CAPTAIN, TeamMember.Role.PLAYER, TeamMember.Role.RESERVE]
    here = TeamMember.objects.filter(team=team, left_at=None).select_related("membership__user")
    return sorted(here, key=lambda one: (rank.index(TeamMember.Role(one.role)), one.position, one.pk))


def players(team: Team) -> list[TeamMember]:
    """Those of them who play as a rule."""
    return [one for one in roster(team) if one.role != TeamMember.Role.RESERVE]


def account_of(membership: Membership) -> User | None:
    """The account somebody of a club plays with; `None` for a name alone."""
    user = membership.user
    return user if user is not None and user.is_active and not user.is_guest else None


def who_of(membership: Membership) -> Who:
    """Somebody of a club as tournaments know people. A name is never taken for an address."""
    return account_of(membership) or membership.name.replace("@", "(at)")[:LONGEST_OF_PERSON]


def enter(record: Record, tournament_id: int, by: User, team: Team) -> Entry:
    """Enter a team with its roster, within an act. Raises `Refused`."""
    own = roster(team)
    first = [one for one in own if one.role != TeamMember.Role.RESERVE]
    who = [who_of(one.membership) for one in first]
    entry = enrolment.enter_for(tournament_id, by, members=who, name=team.name, has_agreed=True, within=record)
    appear(list(entry.members.order_by("position", "pk")), [one.membership for one in first])
    for one in own[len(first) :]:
        join(record, entry, by, one.membership, Member.Role.RESERVE)
    return entry


def join(record: Record, entry: Entry, by: User, membership: Membership, role: str) -> Member:
    """Put somebody of a club into an entry, within an act of whoever may act for its team. Raises `Refused` for people who
    are in another one of its tournament."""
    others = Member.objects.filter(appearance__membership=membership, tournament=entry.tournament_id, left_at=None)
    taken = others.exclude(entry=entry).exclude(answer=Member.Answer.DECLINED).select_related("entry").first()
    if taken is not None:
        words = gettext("%(membership)s is already in %(entry)s. Nobody can play for two teams of one division.") % {
            "membership": membership,
            "entry": taken.entry,
        }
        raise Refused("plays_already", words, field="membership")
    who = who_of(membership)
    member = partners.invite(entry.pk, by, who=who, role=role, has_agreed=True, within=record)
    appear([member], [membership])
    return member


def appear(members: Sequence[Member], memberships: Sequence[Membership]) -> None:
    """Keep who of the club the people of an entry are."""
    Appearance.objects.bulk_create(
        Appearance(membership=membership, member=member)
        for member, membership in zip(members, memberships, strict=True)
    )


def live(team: Team) -> list[Entry]:
    """The entries of a team in tournaments that are under way."""
    in_season = Q(season_entry__team=team, season_entry__season__status=Season.Status.RUNNING)
    found = Entry.objects.filter(in_season | Q(season_event_entry__team=team))
    running = found.filter(tournament__status=Tournament.Status.RUNNING)
    return list(running.exclude(status__in=(Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED)).order_by("pk"))


def member_in(entry: Entry, membership: Membership) -> Member | None:
    """Somebody of a club as a member of an entry, unless they left it."""
    own = Member.objects.filter(entry=entry, appearance__membership=membership, left_at=None)
    return own.exclude(answer=Member.Answer.DECLINED).order_by("-pk").first()


def team_of(entry: Entry) -> Team | None:
    """The team that an entry competes for; `None` where it is of no league."""
    own = Q(seasons__entry=entry) | Q(events__entry=entry)
    return Team.objects.filter(own).select_related("league__club", "club").first()
