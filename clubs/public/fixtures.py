"""Matches of a league as pages show them: sides, time and place, result and state."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.utils.translation import gettext

from clubs.league.fixtures import Match, Matchday
from clubs.models import Club, Division, Team
from clubs.public.league import path
from tournaments.models import Pairing
from tournaments.public import live, matches
from tournaments.public.corrections import corrected_among
from tournaments.public.crosstable import Crosstable, crosstables
from tournaments.public.live import Playing
from tournaments.public.names import entrant, entrants_of, links_of
from tournaments.stage_state import load

Status = Pairing.Status


@dataclass(frozen=True)
class MatchRow:
    """A match in a list."""

    match: Match
    kind: str
    """`todo`, `live`, `done`, `fixed` (corrected), …: as pages of events draw it."""
    note: str
    """The state in a few words; empty for a match that was simply played or is still to come."""
    home: matches.Side
    away: matches.Side
    url: str
    """The page to schedule it; if it is over, the page of its result."""

    @property
    def sides(self) -> tuple[tuple[str, matches.Side], ...]:
        """Names and scores, the home side first."""
        return (self.match.home.name, self.home), (self.match.away.name, self.away)

    @property
    def is_done(self) -> bool:
        return self.match.is_done

    @property
    def where(self) -> str:
        """`online`, the venue, or nothing."""
        return gettext("online") if self.match.is_online else self.match.venue


@dataclass(frozen=True)
class MatchdayRow:
    """A matchday in a list."""

    number: int
    name: str
    first_day: date | None
    """By the club's clock."""
    deadline_at: datetime | None
    matches: tuple[MatchRow, ...]
    byes: tuple[Team, ...]
    is_over: bool


def playing(divisions: Iterable[Division]) -> dict[int, live.Live]:
    """Matches being played online in some divisions, by id of the pairing: one query each."""
    tables: dict[int, live.Live] = {}
    for division in divisions:
        if division.tournament is not None:
            tables.update(live.playing(division.tournament))
    return tables


def match_rows(matches_shown: Sequence[Match], now: Playing) -> list[MatchRow]:
    """Matches for a list: one query."""
    changed = corrected_among(match.pairing.pk for match in matches_shown)
    return [_match_row(match, now, changed) for match in matches_shown]


def matchday_rows(days: Sequence[Matchday], now: Playing) -> list[MatchdayRow]:
    """Matchdays for a list: one query."""
    rows = {row.match.pairing.pk: row for row in match_rows([match for day in days for match in day.matches], now)}
    return [
        MatchdayRow(
            day.number,
            day.name,
            _first_day(day),
            day.deadline_at,
            tuple(rows[match.pairing.pk] for match in day.matches),
            day.byes,
            day.is_over,
        )
        for day in days
    ]


def _first_day(day: Matchday) -> date | None:
    if day.starts_at is None:
        return None
    zone = day.matches[0].season.league.club.zone if day.matches else None
    return day.starts_at.astimezone(zone).date()


def _match_row(match: Match, now: Playing, changed: Collection[int]) -> MatchRow:
    pairing = match.pairing
    links = links_of(pairing.round.stage.tournament)
    places = [match.home.place, match.away.place]
    entrants = {place.entry.pk: entrant(place.entry, links) for place in places if place.entry is not None}
    event_match = matches.match_of(pairing, places, entrants, match.url, live=now, corrected=changed)
    is_plain = event_match.kind == "todo" and pairing.status in (Status.READY, Status.WAITS)
    note = "" if is_plain else event_match.note
    return MatchRow(
        match,
        event_match.kind,
        note,
        event_match.sides[0],
        event_match.sides[-1],
        match.url if match.is_done else match_path(match),
    )


def match_path(match: Match) -> str:
    """The page of a match in its league, where it is scheduled."""
    return path(match.season.league, "fixture", match.pairing.pk)


def crosstable_of(division: Division) -> Crosstable | None:
    """The crosstable of a division; `None` before the draw."""
    tournament = division.tournament
    if tournament is None:
        return None
    state = load(tournament.stages.get(), tournament)
    links = links_of(tournament)
    return crosstables(state, entrants_of(state, links), links)[0]


def zone_words(club: Club) -> str:
    """The place of the club’s time zone: `Toronto`."""
    return club.time_zone.rpartition("/")[2].replace("_", " ")
