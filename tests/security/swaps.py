"""Clubs whose rows are sent where rows of another club, or of another league of the same club, do not belong."""

import re
from datetime import timedelta
from typing import NamedTuple

from django.utils import timezone

from clubs.models import (
    Blackout,
    Division,
    League,
    LeagueClub,
    Membership,
    Proposal,
    Season,
    SeasonEvent,
    Team,
    TeamMember,
)
from clubs.services.leagues import leagues, proposals, teams
from clubs.services.seasons import cups, season_close, season_setup
from gameplay.api.published import OnceGenerator
from tests.clubs import leagues as made
from tests.makers import make_club, make_member, make_person
from tests.security.clubs import MadeClub, ask, make_full_club
from tournaments.models import Pairing

NOBODY = 987_654
"""The id of no row, and the number of no team."""


class Clubs(NamedTuple):
    """A club with its league, two more leagues of it, and another club, with their owners."""

    harbour: MadeClub
    meadow: MadeClub
    second: Season
    """Under way in another league of the club."""
    closed: Season
    """Over, in a third one; `spare` is a team that did not play in it."""
    spare: Team
    played: Season
    """Played out and still open, in a fourth."""
    reserve: TeamMember
    """A member whom the team of the club can spare."""

    @property
    def season(self):
        return self.harbour.rows["season"]

    @property
    def free(self):
        """Ids of names of the club that are in no team."""
        here = Membership.objects.filter(club=self.harbour.club, left_at=None, user=None)
        return list(here.exclude(teams__left_at=None, teams__isnull=False).values_list("pk", flat=True))


def make_clubs():
    """Two clubs that know nothing of each other, and more leagues of the first."""
    olive, otto, asker = make_person("Olive"), make_person("Otto"), make_person("Asker")
    harbour, meadow = make_full_club(olive, asker, word="Harbour"), make_full_club(otto, asker, word="Meadow")
    for club in (harbour, meadow):
        ask(club, make_person(f"Ferrier of {club.club.pk}"))
    made.names(harbour.club, "Ida", "Jon", "Kim", "Liv")
    guests = make_club("Quarry club", owner=make_person("Gus"))
    LeagueClub.objects.create(league=harbour.rows["league"], club=guests, agreed_at=timezone.now())
    make_member(guests, olive, "organiser")
    season_setup.add_blackout(harbour.rows["season"].pk, olive, team_id=harbour.rows["team"].pk, **_days(60))
    extra = Membership.objects.create(club=harbour.club, name="Moe")
    teams.add_member(harbour.rows["team"].pk, olive, membership_id=extra.pk, role=TeamMember.Role.RESERVE)
    reserve = TeamMember.objects.get(membership=extra)
    second, closed, played = _second(harbour, olive), _closed(harbour, olive), _played(harbour, olive, "Dock")
    return Clubs(harbour, meadow, second, *closed, played, reserve)


def _days(after):
    day = timezone.localdate() + timedelta(days=after)
    return {"first_day": day, "last_day": day}


def _second(harbour, olive):
    """A season of another league, with days off, a cup, a guest and a proposal."""
    league = leagues.make(harbour.club.pk, olive, name="Quay league")
    start = timezone.localdate() + timedelta(days=7)
    season = made.make_season(harbour.club, olive, (4,), name="Quay season", league=league, starts_on=start)
    season_setup.add_blackout(season.pk, olive, **_days(90))
    made.draw(season, olive, now=timezone.now())
    own_teams = [team.pk for team in Team.objects.filter(league=league)]
    cups.make_cup(season.pk, olive, name="Quay cup", team_ids=own_teams)
    match, team = made.match(season, "Pair 3", "Pair 4"), made.team(season, "Pair 3")
    proposals.propose(match.pk, olive, team_id=team.pk, starts_at=timezone.now() + timedelta(days=9))
    LeagueClub.objects.create(league=league, club=make_club("Cove club", owner=olive))
    return season


def _played(harbour, olive, name):
    league = leagues.make(harbour.club.pk, olive, name=f"{name} league")
    season = made.make_season(harbour.club, olive, (4,), name=f"{name} season", league=league)
    made.draw(season, olive)
    made.play_out(season, olive)
    return Season.objects.get(pk=season.pk)


def _closed(harbour, olive):
    """A closed season of a third league, and a team that came afterwards."""
    season = _played(harbour, olive, "Pier")
    season_close.close(season.pk, olive)
    return Season.objects.get(pk=season.pk), made.pair(season.league, olive, 5)


_OF_LEAGUE = {
    "team": (Team, "league"),
    "member": (TeamMember, "team__league"),
    "division": (Division, "season__league"),
    "season": (Season, "league"),
    "days off": (Blackout, "season__league"),
    "cup": (SeasonEvent, "season__league"),
    "proposal": (Proposal, "team__league"),
    "guest": (LeagueClub, "league"),
}


def foreign(clubs, kind):
    """(owner, id) of rows of this kind that belong elsewhere, and of a missing one."""
    if kind == "number of a team":
        return [("nobody", NOBODY)]
    rows = [("nobody", NOBODY)] if kind != "club" else []
    if kind == "person":
        rows += [("another club", Membership.objects.filter(club=clubs.meadow.club).last().pk)]
    elif kind == "club":
        rows += [("another club", clubs.meadow.club.pk), ("nobody", NOBODY)]
    elif kind == "slug":
        return [("another club", clubs.meadow.club.slug), ("nobody", "no-such-club")]
    elif kind == "slug of a league":
        return [("another club", clubs.meadow.rows["league"].slug), ("nobody", "no-such-league")]
    elif kind == "any season":
        rows += [("another club", clubs.meadow.rows["season"].pk)]
    elif kind == "league":
        rows += [("another club", League.objects.get(club=clubs.meadow.club).pk)]
    elif kind == "rules":
        rows += [("another club", clubs.meadow.club.house_rules.get().versions.last().pk)]
    elif kind == "match":
        leagues = Pairing.objects.filter(round__stage__tournament__division__season__league__club=clubs.meadow.club)
        rows += [("another club", leagues.first().pk)]
    elif kind == "evening":
        rows += [("another club", clubs.meadow.rows["evening"].pk)]
    elif kind == "matchday":
        return [
            ("another club", f"{clubs.meadow.rows['season'].pk}-2"), ("a day that is none", f"{clubs.season.pk}-99")
        ]  # fmt: skip
    else:
        model, path = _OF_LEAGUE[kind]
        foreign_rows = model.objects.filter(**{f"{path}__club": clubs.meadow.club}).order_by("pk")
        elsewhere = model.objects.filter(**{path: clubs.second.league}).order_by("pk")
        rows += [("another club", foreign_rows.first().pk), ("another league", elsewhere.last().pk)]
    return rows


# What the API takes


class Leaf(NamedTuple):
    """A field of a body: the names that lead to it, `[]` for each thing of a list."""

    path: tuple[str, ...]

    @property
    def name(self):
        return next(name for name in reversed(self.path) if name != "[]")

    def __str__(self):
        return ".".join(self.path)

    def put(self, body, value):
        """The body with this value there, in the first thing of every list."""
        return _put(body, self.path, value)


def _put(body, path, value):
    if not path:
        return value
    first, rest = path[0], path[1:]
    if first == "[]":
        return [_put(body[0] if body else {}, rest, value), *(body or [])[1:]]
    return {**(body or {}), first: _put((body or {}).get(first), rest, value)}


class Schema:
    """The site’s own schema of API requests."""

    def __init__(self):
        self.document = OnceGenerator().get_schema()
        patterns = [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in self.document["paths"]]
        # Words go before arguments where both could stand.
        self.patterns = sorted(patterns, key=lambda pair: pair[1].count("{"))

    def leaves(self, path):
        """The fields of a POST to a path, by their paths in the body."""
        template = next(template for pattern, template in self.patterns if pattern.fullmatch(path))
        body = self.document["paths"][template].get("post", {}).get("requestBody")
        if body is None:
            return []
        return [Leaf(names) for names in self._walk(next(iter(body["content"].values()))["schema"], ())]

    def _walk(self, schema, before):
        if "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        for each in ("allOf", "oneOf", "anyOf"):
            if each in schema and not before:
                for part in schema[each]:
                    yield from self._walk(part, before)
                return
        if schema.get("type") == "array":
            yield from self._walk(schema["items"], (*before, "[]"))
        elif "properties" in schema:
            for name, part in schema["properties"].items():
                yield from self._walk(part, (*before, name))
        else:
            yield before
