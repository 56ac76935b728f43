"""Fixtures of a league: matches with their matchdays, times, places and results."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet
from django.utils.translation import gettext

from clubs.models import Club, Division, League, Proposal, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from engine.compete import explain
from tournaments.models import Pairing, Place, Result, Round, SitOut, Tournament
from tournaments.public.matches import source_words
from tournaments.round_names import round_name
from web.text import in_sentence

LATEST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Side:
    """A team in a match."""

    team: Team | None
    """Empty while it is not known, in a cup."""
    name: str
    """Its name, or the source it waits for: `winner of semi-final 2`."""
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
    """Its start: as agreed, or at its matchday's time of day if there is one."""
    deadline_at: datetime | None
    is_rearranged: bool
    """Whether it has its own time or place."""
    venue: str
    """Its venue; empty online."""
    is_online: bool
    proposal: Proposal | None
    """The open proposal."""

    def __str__(self) -> str:
        return f"{self.home.name} – {self.away.name}"

    @property
    def round_name(self) -> str:
        """`Matchday 3`, or in a cup `Semi-finals`."""
        return round_name(self.pairing.round.name)

    @property
    def round_words(self) -> str:
        """The same within a sentence."""
        return in_sentence(self.round_name)

    @property
    def url(self) -> str:
        """The match's own page."""
        return self.pairing.get_absolute_url()

    @property
    def is_done(self) -> bool:
        return not self.pairing.is_open

    @property
    def is_walkover(self) -> bool:
        """Whether a side did not come, or has left."""
        kind = self.pairing.result.kind if self.pairing.result is not None else ""
        return self.pairing.is_walkover or kind in (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT)

    @property
    def clock(self) -> ZoneInfo | None:
        """The clock of the club where it is played; `None` online."""
        return None if self.is_online else self.season.league.club.zone

    @property
    def at(self) -> datetime | None:
        """Its start or deadline, for putting matches in order."""
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
        return all(match.is_done for match in self.matches)


# Questions


def matchdays(division: Division) -> tuple[Matchday, ...]:
    """The matchdays of a drawn division: a fixed number of queries."""
    return _days(Q(stage__tournament__division=division)).get(division.pk, ())


def of_season(season: Season) -> dict[int, tuple[Matchday, ...]]:
    """The same of every division of a season, by id: a fixed number of queries, however many divisions there are."""
    return _days(Q(stage__tournament__division__season=season))


def of_seasons(seasons: Collection[Season]) -> dict[int, tuple[Matchday, ...]]:
    """The same of several seasons: a fixed number of queries, however many seasons there are."""
    return _days(Q(stage__tournament__division__season__in=seasons)) if seasons else {}


def of_team(team: Team) -> tuple[Match, ...]:
    """Every match of a team in its league, cups and play-offs too, by time: a fixed number of queries."""
    in_season = SeasonEntry.objects.filter(team=team).exclude(entry=None).values("entry")
    in_event = SeasonEventEntry.objects.filter(team=team).values("entry")
    pairings = Place.objects.filter(Q(entry__in=in_season) | Q(entry__in=in_event)).values("pairing")
    return tuple(sorted(_matches(Pairing.objects.filter(pk__in=pairings)), key=_by_time))


def of_event(event: SeasonEvent) -> tuple[Match, ...]:
    """The matches of a cup or a play-off, round by round: a fixed number of queries."""
    pairings = Pairing.objects.filter(round__stage__tournament=event.tournament_id)
    return tuple(_matches(pairings.exclude(status=Pairing.Status.IDLE)))


def of_league(league: League) -> tuple[Match, ...]:
    """Every match of the seasons under way, cups and play-offs too: a fixed number of queries."""
    running = Season.objects.filter(league=league, status=Season.Status.RUNNING).values("pk")
    is_own = Q(round__stage__tournament__division__season__in=running)
    in_event = Q(round__stage__tournament__season_event__season__in=running) & ~Q(status=Pairing.Status.IDLE)
    return tuple(_matches(Pairing.objects.filter(is_own | in_event)))


def match(pairing_id: int) -> Match | None:
    """A match of a league; `None` if it is of none, or has not two sides."""
    matches = _matches(Pairing.objects.filter(pk=pairing_id))
    return matches[0] if matches else None


def latest(club: Club, most: int) -> tuple[Match, ...]:
    """The latest results of the leagues that a club runs, the last first: a fixed number of queries."""
    is_own = Q(round__stage__tournament__division__season__league__club=club)
    is_own |= Q(round__stage__tournament__season_event__season__league__club=club)
    is_own &= Q(round__stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    pairings = Pairing.objects.filter(is_own, status=Pairing.Status.DONE, done_at__isnull=False)
    newest = list(pairings.order_by("-done_at", "-pk").values_list("pk", flat=True)[:most])
    matches = _matches(Pairing.objects.filter(pk__in=newest))
    return tuple(sorted(matches, key=lambda match: newest.index(match.pairing.pk)))


# Reading


def _days(which: Q) -> dict[int, tuple[Matchday, ...]]:
    """Matchdays by id of the division, for rounds of divisions."""
    rounds = Round.objects.filter(which).order_by("number", "pk")
    matches: dict[int, list[Match]] = defaultdict(list)
    for match in _matches(Pairing.objects.filter(round__in=rounds.order_by().values("pk"))):
        matches[match.pairing.round_id].append(match)
    byes: dict[int, list[Team]] = defaultdict(list)
    out = SitOut.objects.filter(round__in=rounds.order_by().values("pk"), entry__season_entry__isnull=False)
    for free in out.select_related("entry__season_entry__team"):
        byes[free.round_id].append(free.entry.season_entry.team)
    by_division: dict[int, list[Matchday]] = defaultdict(list)
    for round_ in rounds.select_related("stage__tournament__division"):
        day = Matchday(
            round_.number,
            gettext("Matchday %(number)s") % {"number": round_.number},
            round_.starts_at,
            round_.deadline_at,
            tuple(matches[round_.pk]),
            tuple(byes[round_.pk]),
        )
        by_division[round_.stage.tournament.division.pk].append(day)
    return {division: tuple(days) for division, days in by_division.items()}


def _matches(pairings: QuerySet[Pairing]) -> list[Match]:
    """Matches with two sides by round and table: eight queries."""
    ids = pairings.order_by()
    tournaments = pairings.order_by().values("round__stage__tournament")
    divisions = {
        division.tournament_id: division
        for division in Division.objects.filter(tournament__in=tournaments).select_related("season__league__club")
    }
    events = {
        event.tournament_id: event
        for event in SeasonEvent.objects.filter(tournament__in=tournaments).select_related("season__league__club")
    }
    places: dict[int, list[Place]] = defaultdict(list)
    for place in Place.objects.filter(pairing__in=ids).select_related("entry").order_by("pairing_id", "number"):
        places[place.pairing_id].append(place)
    teams = _teams(ids)
    open_proposals = Proposal.objects.filter(pairing__in=ids, status=Proposal.Status.OPEN)
    proposals = {proposal.pairing_id: proposal for proposal in open_proposals.select_related("team__league__club")}
    rows = pairings.select_related("round__stage__tournament", "result", "fixture")
    matches = []
    for pairing in rows.order_by("round__stage__tournament_id", "round__number", "number"):
        division = divisions.get(pairing.round.stage.tournament_id)
        event = events.get(pairing.round.stage.tournament_id)
        season = division.season if division else event.season if event else None
        if season is not None and len(places[pairing.pk]) == 2:
            sides = _sides(pairing, places[pairing.pk], teams, season)
            matches.append(_match(pairing, season, division, event, sides, proposals.get(pairing.pk)))
    return matches


def _teams(pairings: QuerySet[Pairing]) -> dict[int, Team]:
    """Teams by the ids of their entries, for some matches."""
    entries = Place.objects.filter(pairing__in=pairings).exclude(entry=None).values("entry")
    teams: dict[int, Team] = {}
    for model in (SeasonEntry, SeasonEventEntry):
        entered = model._default_manager.filter(entry__in=entries).select_related("team__club")
        teams.update({entry.entry_id or 0: entry.team for entry in entered})
    return teams


def _sides(pairing: Pairing, places: Sequence[Place], teams: dict[int, Team], season: Season) -> list[Side]:
    first = [place for place in places if place.rank == 1]
    sides = []
    for place in places:
        team = teams.get(place.entry_id or 0)
        if team is not None:
            team.league = season.league
        sides.append(
            Side(
                team=team,
                name=team.name if team else str(place.entry or source_words(place.source, pairing)),
                place=place,
                score=place.score,
                points="" if place.points is None else explain.value(place.points),
                is_winner=len(first) == 1 and place.rank == 1,
            )
        )
    return sides


def _match(
    pairing: Pairing,
    season: Season,
    division: Division | None,
    event: SeasonEvent | None,
    sides: Sequence[Side],
    proposal: Proposal | None,
) -> Match:
    fixture = getattr(pairing, "fixture", None)
    own_venue = fixture.venue if fixture is not None else ""
    return Match(
        pairing=pairing,
        season=season,
        division=division,
        event=event,
        matchday=pairing.round.number,
        home=sides[0],
        away=sides[1],
        starts_at=start_of(pairing, season),
        deadline_at=pairing.deadline_at or pairing.round.deadline_at,
        is_rearranged=pairing.starts_at is not None or bool(own_venue),
        venue="" if pairing.is_online else own_venue or _usual_venue(season, sides[0].team),
        is_online=pairing.is_online,
        proposal=proposal if pairing.is_open else None,
    )


def start_of(pairing: Pairing, season: Season) -> datetime | None:
    """When a match starts: as agreed, or at its matchday's time of day if there is one."""
    return pairing.starts_at or (pairing.round.starts_at if season.plays_at is not None else None)


def usual_start_of(pairing: Pairing) -> datetime | None:
    """When a match starts by its season's time of day: one query."""
    event = pairing.round.stage.tournament_id
    season = Season.objects.filter(Q(divisions__tournament=event) | Q(events__tournament=event)).first()
    return start_of(pairing, season) if season is not None else None


def venue_of(pairing: Pairing, season: Season) -> str:
    """The venue of a match face to face: its own, or the usual one. Two queries at most, if its own is loaded."""
    fixture = getattr(pairing, "fixture", None)
    if fixture is not None and fixture.venue:
        return str(fixture.venue)
    home = Place.objects.filter(pairing=pairing).order_by("number").values_list("entry", flat=True).first()
    team = Team.objects.filter(Q(seasons__entry=home) | Q(events__entry=home)).select_related("club").first()
    return _usual_venue(season, team if home is not None else None)


def _usual_venue(season: Season, home: Team | None) -> str:
    """The venue of the home side; without home and away, of the club that runs the league."""
    if home is not None and season.swaps_sides:
        return home.venue or home.club.venue or season.league.club.venue
    return season.league.club.venue


def _by_time(match: Match) -> tuple[datetime, int]:
    return match.at or LATEST, match.pairing.pk
