"""Teams and people in a file of past seasons: found by name, or added."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext

from accounts.display_names import LONGEST
from clubs.bring_in.sides import people_of
from clubs.imports.season import folded
from clubs.models import League, Membership, Team, TeamMember
from clubs.services import naming
from clubs.services.history import Record
from clubs.services.leagues import team_entries
from clubs.services.members import membership
from tournaments.services.events.imported_events import PastEntry
from web.errors import Refused


class People:
    """The teams of a league and the people of its club, by name."""

    def __init__(
        self, record: Record, league: League, *, adds_people: bool, meant: Mapping[tuple[str, int], int]
    ) -> None:
        self.record, self.league, self.adds_people = record, league, adds_people
        teams = Team.objects.filter(league=league).order_by("-left_at", "-pk")
        self.teams = {folded(team.name): team for team in teams}
        self.known_teams = frozenset(self.teams)
        """The teams that the league had before, by folded name."""
        self.added: list[Membership] = []
        self.doubtful: dict[str, str] = {}
        """Names that several people have, by folded name."""
        self._people: dict[str, list[Membership]] = {}
        by_pk: dict[int, Membership] = {}
        for person in Membership.objects.filter(club=record.club).select_related("user").order_by("pk"):
            self._people.setdefault(folded(person.name), []).append(person)
            by_pk[person.pk] = person
        self._meant = {
            (folded(team), at): by_pk[pk]
            for (team, at), pk in meant.items()
            if pk in by_pk and has_names_of(league.kind, team)
        }

    def add_teams(self, departures: Mapping[str, datetime | None]) -> None:
        """Add the unknown teams with their rosters: time they stopped playing by name. Raises `Refused` for too many
        people."""
        number = max((team.number for team in self.teams.values()), default=0)
        new = [(name, left_at) for name, left_at in departures.items() if folded(name) not in self.teams]
        teams = [
            Team(league=self.league, club=self.record.club, name=name, number=at, left_at=left_at)
            for at, (name, left_at) in enumerate(new, number + 1)
        ]
        rosters = [(team, self._roster(team)) for team in teams]
        if len(self.added) > membership.MOST_AT_ONCE:
            raise Refused(
                "too_many",
                gettext("That would add more than %(most)s people. Do not add them.")
                % {"most": membership.MOST_AT_ONCE},
            )
        self.record.create_all(self.added)
        self.record.create_all(teams)
        members = [_member(team, at, person) for team, people in rosters for at, person in enumerate(people)]
        self.record.create_all(members)
        self.teams.update({folded(team.name): team for team in teams})

    def _roster(self, team: Team) -> list[Membership]:
        """The known people of a new team."""
        people = [
            self._meant.get((folded(team.name), at)) or self._person(name, team.left_at)
            for at, name in enumerate(names_of(self.league.kind, team.name))
        ]
        return [person for person in people if person is not None]

    def _people_named(self, name: str) -> list[Membership]:
        """People with this name: members of the club, else former ones."""
        people = self._people.get(folded(name), [])
        return [person for person in people if person.left_at is None] or people

    def _person(self, name: str, left_at: datetime | None) -> Membership | None:
        """A member of the club by name, added if they are new; `None` if the name is ambiguous."""
        here = self._people_named(name)
        if len(here) == 1:
            return here[0]
        if here:
            self.doubtful[folded(name)] = name
        if here or not self.adds_people or len(name) > LONGEST:
            return None
        # A person of a former team is a former member.
        person = Membership(club=self.record.club, name=naming.clean(name, naming.LONGEST_OF_PERSON), left_at=left_at)
        self.added.append(person)
        self._people[folded(name)] = [person]
        return person

    def find(self, name: str) -> Membership | None:
        """The only person with this name; `None` if there are none, or several."""
        here = self._people_named(name)
        return here[0] if len(here) == 1 else None

    def entries(self, teams: Sequence[str]) -> list[PastEntry]:
        """The teams of a division as entries; nobody plays with an account for two of them."""
        used: set[int] = set()
        entries = []
        for name in teams:
            people = []
            for at, member_name in enumerate(names_of(self.league.kind, name)):
                person = self._meant.get((folded(name), at))
                if person is not None:
                    member_name = person.name
                else:
                    person = self.find(member_name)
                user = None if person is None else team_entries.account_of(person)
                if user is not None and user.pk in used:
                    user = None
                if user is not None:
                    used.add(user.pk)
                people.append((member_name, user))
            entries.append(PastEntry(name, people))
        return entries


def names_of(kind: str, team: str) -> list[str]:
    """The names of people in the name of a team; none if it has a name of its own."""
    if kind == League.Kind.PERSON:
        return [team]
    names = people_of(team)
    return names if kind == League.Kind.PAIR and len(names) == 2 else []


def has_names_of(kind: str, team: str) -> bool:
    """Whether the names in the name of a team are those of its people: `Lund & Arai` may also be one person."""
    return names_of(kind, team) == people_of(team)


def _member(team: Team, position: int, person: Membership) -> TeamMember:
    role = TeamMember.Role.PLAYER if position else TeamMember.Role.CAPTAIN
    return TeamMember(team=team, membership=person, role=role, position=position, left_at=team.left_at)
