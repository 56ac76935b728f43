"""Whom a file of past seasons speaks of: teams and people found by name, and added where nobody knows them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext

from accounts.display_names import LONGEST
from clubs.imports.season import folded
from clubs.models import League, Membership, Team, TeamMember
from clubs.services import naming
from clubs.services.history import Record
from clubs.services.leagues import team_entries
from clubs.services.members import membership
from tournaments.services.events.imported_events import PastEntry
from web.errors import Refused

_BETWEEN = re.compile(r"\s*(?:/|&|\+|;|\band\b|\s[-–—]\s)\s*", re.IGNORECASE)
"""What stands between the two names of a pair."""


class People:
    """The teams of a league and the people of its club, by name."""

    def __init__(self, record: Record, league: League, *, adds_people: bool) -> None:
        self.record, self.league, self.adds_people = record, league, adds_people
        self.teams = {folded(one.name): one for one in Team.objects.filter(league=league).order_by("-left_at", "-pk")}
        self.known = frozenset(self.teams)
        """The teams that the league had before, by folded name."""
        self.added: list[Membership] = []
        self.doubtful: dict[str, str] = {}
        """Names that several people have, by folded name."""
        self._people: dict[str, list[Membership]] = {}
        for one in Membership.objects.filter(club=record.club).select_related("user").order_by("pk"):
            self._people.setdefault(folded(one.name), []).append(one)

    def add_teams(self, left: Mapping[str, datetime | None]) -> None:
        """Add the teams that the league does not know, with their rosters: names, and since when they play no more.

        Raises `Refused` where that would add too many people.
        """
        number = max((team.number for team in self.teams.values()), default=0)
        new = [(name, left_at) for name, left_at in left.items() if folded(name) not in self.teams]
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
        self.record.create_all([_member(team, at, one) for team, own in rosters for at, one in enumerate(own)])
        self.teams.update({folded(team.name): team for team in teams})

    def _roster(self, team: Team) -> list[Membership]:
        """The people of a new team, as far as they are known."""
        found = (self._person(name, team.left_at) for name in self._names(team.name))
        return [one for one in found if one is not None]

    def _names(self, team: str) -> list[str]:
        """The people that a team is called by."""
        if self.league.kind == League.Kind.PERSON:
            return [team]
        names = [name for name in _BETWEEN.split(team) if name]
        return names if self.league.kind == League.Kind.PAIR and len(names) == 2 else []

    def _called(self, name: str) -> list[Membership]:
        """Who has a name: those of the club, else those who were of it."""
        known = self._people.get(folded(name), [])
        return [one for one in known if one.left_at is None] or known

    def _person(self, name: str, left_at: datetime | None) -> Membership | None:
        """Somebody of the club by name, new where the club does not know them; nothing where that cannot be said."""
        here = self._called(name)
        if len(here) == 1:
            return here[0]
        if here:
            self.doubtful[folded(name)] = name
        if here or not self.adds_people or len(name) > LONGEST:
            return None
        # Somebody who plays no more was of the club.
        one = Membership(club=self.record.club, name=naming.clean(name, naming.LONGEST_OF_PERSON), left_at=left_at)
        self.added.append(one)
        self._people[folded(name)] = [one]
        return one

    def find(self, name: str) -> Membership | None:
        """The one person of this name; nothing where nobody has it, or several."""
        here = self._called(name)
        return here[0] if len(here) == 1 else None

    def entries(self, teams: Sequence[str]) -> list[PastEntry]:
        """The teams of a division as entries; nobody plays with an account for two of them."""
        used: set[int] = set()
        found = []
        for name in teams:
            people = []
            for called in self._names(name):
                one = self.find(called)
                user = None if one is None else team_entries.account_of(one)
                if user is not None and user.pk in used:
                    user = None
                if user is not None:
                    used.add(user.pk)
                people.append((called, user))
            found.append(PastEntry(name, people))
        return found


def _member(team: Team, position: int, one: Membership) -> TeamMember:
    role = TeamMember.Role.PLAYER if position else TeamMember.Role.CAPTAIN
    return TeamMember(team=team, membership=one, role=role, position=position, left_at=team.left_at)
