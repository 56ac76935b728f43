"""Fixtures of a league: who meets whom on which matchday, when, where, and what came of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from clubs.models import Club, Division, League, Proposal, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from engine.compete import explain
from tournaments.models import Pairing, Place, Result, Round, SitOut, Tournament

LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Side:
    """A team in a match."""

    team: Team | None
    """Empty while it is not known, in a cup."""
    name: str
    """Its name, or what it waits for: `winner WB1.2`."""
    place: Place
    score: int | None
    points: str
    """Match points of the confirmed result; empty before."""
    is_winner: bool


@dataclass(frozen=True)
class Match:
    """A match of a league, ready to be shown."""

    pairing: Pairing
    season: Season
    division: Division | None
    """Empty in a cup or a play-off."""
    event: SeasonEvent | None
    matchday: int
    """The number of its matchday, or of the round of its cup."""
    home: Side
    away: Side
    starts_at: datetime | None
    """When it is played: as agreed, or as its matchday has it where that has a time of day."""
    deadline_at: datetime | None
    is_rearranged: bool
    """Whether it has a time or a place of its own."""
    venue: str
    """Where it is played; empty online."""
    is_online: bool
    proposal: Proposal | None
    """What waits for an answer."""

    def __str__(self) -> str:
        return f"{self.home.name} – {self.away.name}"

    @property
    def url(self) -> str:
        """The match's own page."""
        return self.pairing.get_absolute_url()

    @property
    def is_done(self) -> bool:
        return not self.pairing.is_open

    @property
    def is_walkover(self) -> bool:
        """Whether somebody did not come, or has left."""
        kind = self.pairing.result.kind if self.pairing.result is not None else ""
        return self.pairing.is_walkover or kind in (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT)

    @property
    def at(self) -> datetime | None:
        """When it is played, or until when; for putting matches in order."""
        return self.starts_at or self.deadline_at


@dataclass(frozen=True)
class Matchday:
    """A matchday of a division."""

    number: int
    name: str
    starts_at: datetime | None
    deadline_at: datetime | None
    matches: tuple[Match, ...]
    byes: tuple[Team, ...]

    @property
    def is_over(self) -> bool:
        """Whether every match has its result."""
        return all(one.is_done for one in self.matches)


# Questions


def matchdays(division: Division) -> tuple[Matchday, ...]:
    """The matchdays of a division that was drawn: a fixed number of queries."""
    return _days(Q(stage__tournament__division=division)).get(division.pk, ())


def of_season(season: Season) -> dict[int, tuple[Matchday, ...]]:
    """The same of every division of a season, by id: a fixed number of queries, however many divisions there are."""
    return _days(Q(stage__tournament__division__season=season))


def of_team(team: Team) -> tuple[Match, ...]:
    """Every match of a team in its league, cups and play-offs too, by time: a fixed number of queries."""
    in_season = SeasonEntry.objects.filter(team=team).exclude(entry=None).values("entry")
    in_event = SeasonEventEntry.objects.filter(team=team).values("entry")
    own = Place.objects.filter(Q(entry__in=in_season) | Q(entry__in=in_event)).values("pairing")
    return tuple(sorted(_matches(Pairing.objects.filter(pk__in=own)), key=_by_time))


def of_event(event: SeasonEvent) -> tuple[Match, ...]:
    """The matches of a cup or a play-off, round by round: a fixed number of queries."""
    own = Pairing.objects.filter(round__stage__tournament=event.tournament_id)
    return tuple(_matches(own.exclude(status=Pairing.Status.IDLE)))


def of_league(league: League) -> tuple[Match, ...]:
    """Every match of the seasons under way, cups and play-offs too: a fixed number of queries."""
    running = Season.objects.filter(league=league, status=Season.Status.RUNNING).values("pk")
    is_own = Q(round__stage__tournament__division__season__in=running)
    in_event = Q(round__stage__tournament__season_event__season__in=running) & ~Q(status=Pairing.Status.IDLE)
    return tuple(_matches(Pairing.objects.filter(is_own | in_event)))


def match(pairing_id: int) -> Match | None:
    """One match of a league; `None` where it is none, or one without a match."""
    found = _matches(Pairing.objects.filter(pk=pairing_id))
    return found[0] if found else None


def latest(club: Club, most: int) -> tuple[Match, ...]:
    """The latest results of the leagues that a club runs, the last first: a fixed number of queries."""
    is_own = Q(round__stage__tournament__division__season__league__club=club)
    is_own |= Q(round__stage__tournament__season_event__season__league__club=club)
    is_own &= Q(round__stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    done = Pairing.objects.filter(is_own, status=Pairing.Status.DONE, done_at__isnull=False)
    newest = list(done.order_by("-done_at", "-pk").values_list("pk", flat=True)[:most])
    rows = _matches(Pairing.objects.filter(pk__in=newest))
    return tuple(sorted(rows, key=lambda one: newest.index(one.pairing.pk)))


def current_matchday(days: Sequence[Matchday]) -> Matchday | None:
    """The first matchday that is not over, else the last one."""
    return next((day for day in days if not day.is_over), days[-1] if days else None)


# Reading


def _days(which: Q) -> dict[int, tuple[Matchday, ...]]:
    """Matchdays by id of the division, for rounds of divisions."""
    rounds = Round.objects.filter(which).order_by("number", "pk")
    matches: dict[int, list[Match]] = defaultdict(list)
    for one in _matches(Pairing.objects.filter(round__in=rounds.order_by().values("pk"))):
        matches[one.pairing.round_id].append(one)
    byes: dict[int, list[Team]] = defaultdict(list)
    out = SitOut.objects.filter(round__in=rounds.order_by().values("pk"), entry__season_entry__isnull=False)
    for free in out.select_related("entry__season_entry__team"):
        byes[free.round_id].append(free.entry.season_entry.team)
    found: dict[int, list[Matchday]] = defaultdict(list)
    for row in rounds.select_related("stage__tournament__division"):
        day = Matchday(
            row.number,
            gettext("Matchday %(number)s") % {"number": row.number},
            row.starts_at,
            row.deadline_at,
            tuple(matches[row.pk]),
            tuple(byes[row.pk]),
        )
        found[row.stage.tournament.division.pk].append(day)
    return {division: tuple(days) for division, days in found.items()}


def _matches(pairings: QuerySet[Pairing]) -> list[Match]:
    """Matches of two by round and table: eight queries."""
    ids = pairings.order_by()
    tournaments = pairings.order_by().values("round__stage__tournament")
    divisions = {
        one.tournament_id: one
        for one in Division.objects.filter(tournament__in=tournaments).select_related("season__league__club")
    }
    events = {
        one.tournament_id: one
        for one in SeasonEvent.objects.filter(tournament__in=tournaments).select_related("season__league__club")
    }
    places: dict[int, list[Place]] = defaultdict(list)
    for place in Place.objects.filter(pairing__in=ids).select_related("entry").order_by("pairing_id", "number"):
        places[place.pairing_id].append(place)
    teams = _teams(ids)
    open_ones = Proposal.objects.filter(pairing__in=ids, status=Proposal.Status.OPEN).select_related("team")
    proposals = {one.pairing_id: one for one in open_ones}
    rows = pairings.select_related("round__stage__tournament", "result", "fixture")
    found = []
    for row in rows.order_by("round__stage__tournament_id", "round__number", "number"):
        division = divisions.get(row.round.stage.tournament_id)
        event = events.get(row.round.stage.tournament_id)
        season = division.season if division else event.season if event else None
        if season is not None and len(places[row.pk]) == 2:
            sides = _sides(places[row.pk], teams, season)
            found.append(_match(row, season, division, event, sides, proposals.get(row.pk)))
    return found


def _teams(pairings: QuerySet[Pairing]) -> dict[int, Team]:
    """Teams by the ids of their entries, for some matches."""
    entries = Place.objects.filter(pairing__in=pairings).exclude(entry=None).values("entry")
    found: dict[int, Team] = {}
    for model in (SeasonEntry, SeasonEventEntry):
        rows = model._default_manager.filter(entry__in=entries).select_related("team__club")
        found.update({row.entry_id or 0: row.team for row in rows})
    return found


def _sides(places: Sequence[Place], teams: dict[int, Team], season: Season) -> list[Side]:
    first = [place for place in places if place.rank == 1]
    found = []
    for place in places:
        team = teams.get(place.entry_id or 0)
        if team is not None:
            team.league = season.league
        found.append(
            Side(
                team=team,
                name=team.name if team else str(place.entry or place.source),
                place=place,
                score=place.score,
                points="" if place.points is None else explain.value(place.points),
                is_winner=len(first) == 1 and place.rank == 1,
            )
        )
    return found


def _match(
    row: Pairing,
    season: Season,
    division: Division | None,
    event: SeasonEvent | None,
    sides: Sequence[Side],
    proposal: Proposal | None,
) -> Match:
    fixture = getattr(row, "fixture", None)
    own_venue = fixture.venue if fixture is not None else ""
    usual = row.round.starts_at if season.plays_at is not None else None
    return Match(
        pairing=row,
        season=season,
        division=division,
        event=event,
        matchday=row.round.number,
        home=sides[0],
        away=sides[1],
        starts_at=row.starts_at or usual,
        deadline_at=row.deadline_at or row.round.deadline_at,
        is_rearranged=row.starts_at is not None or bool(own_venue),
        venue="" if row.is_online else own_venue or _usual_venue(season, sides[0].team),
        is_online=row.is_online,
        proposal=proposal if row.is_open else None,
    )


def _usual_venue(season: Season, home: Team | None) -> str:
    """Where the home side plays; where nobody plays at home, at the club that runs the league."""
    if home is not None and season.swaps_sides:
        return home.venue or home.club.venue or season.league.club.venue
    return season.league.club.venue


def _by_time(one: Match) -> tuple[datetime, int]:
    return one.at or LATEST, one.pairing.pk
