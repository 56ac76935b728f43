"""Matches of a league as pages show them: who meets whom, when and where, what came of it, and how it stands."""

from __future__ import annotations

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
class Shown:
    """A match in a list."""

    match: Match
    kind: str
    """`todo`, `live`, `done`, `fixed` (corrected), …: as pages of events draw it."""
    note: str
    """How it stands in a few words; empty for one that was simply played, or is simply to be played."""
    home: matches.Side
    away: matches.Side
    url: str
    """Its page in the league, where it is arranged; of one that is over the page of its result."""

    @property
    def sides(self) -> tuple[tuple[str, matches.Side], ...]:
        """Name and what they made, the home side first."""
        return (self.match.home.name, self.home), (self.match.away.name, self.away)

    @property
    def is_done(self) -> bool:
        return self.match.is_done

    @property
    def where(self) -> str:
        """`online`, the venue, or nothing."""
        return gettext("online") if self.match.is_online else self.match.venue


@dataclass(frozen=True)
class ShownDay:
    """A matchday in a list."""

    number: int
    name: str
    first_day: date | None
    """By the club's clock."""
    deadline_at: datetime | None
    matches: tuple[Shown, ...]
    byes: tuple[Team, ...]
    is_over: bool


def playing(divisions: Iterable[Division]) -> dict[int, live.Live]:
    """What is being played online in some divisions, by id of the pairing: one query each."""
    found: dict[int, live.Live] = {}
    for one in divisions:
        if one.tournament is not None:
            found.update(live.playing(one.tournament))
    return found


def shown(found: Sequence[Match], now: Playing) -> list[Shown]:
    """Matches for a list: one query."""
    changed = corrected_among(one.pairing.pk for one in found)
    return [_shown(one, now, changed) for one in found]


def shown_days(days: Sequence[Matchday], now: Playing) -> list[ShownDay]:
    """Matchdays for a list: one query."""
    rows = {one.match.pairing.pk: one for one in shown([match for day in days for match in day.matches], now)}
    return [
        ShownDay(
            day.number,
            day.name,
            _first_day(day),
            day.deadline_at,
            tuple(rows[one.pairing.pk] for one in day.matches),
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


def _shown(match: Match, now: Playing, changed: Collection[int]) -> Shown:
    row = match.pairing
    links = links_of(row.round.stage.tournament)
    places = [match.home.place, match.away.place]
    entrants = {place.entry.pk: entrant(place.entry, links) for place in places if place.entry is not None}
    listed = matches.match_of(row, places, entrants, match.url, live=now, corrected=changed)
    is_plain = listed.kind == "todo" and row.status in (Status.READY, Status.WAITS)
    note = "" if is_plain else listed.note
    return Shown(
        match, listed.kind, note, listed.sides[0], listed.sides[-1], match.url if match.is_done else own(match)
    )


def own(match: Match) -> str:
    """The page of a match in its league: where it is arranged."""
    return path(match.season.league, "fixture", match.pairing.pk)


def crosstable_of(division: Division) -> Crosstable | None:
    """Everybody against everybody in a division; `None` before it is drawn."""
    tournament = division.tournament
    if tournament is None:
        return None
    state = load(tournament.stages.get(), tournament)
    links = links_of(tournament)
    return crosstables(state, entrants_of(state, links), links)[0]


def zone_words(club: Club) -> str:
    """The place whose clock the club's times are of: `Toronto`."""
    return club.time_zone.rpartition("/")[2].replace("_", " ")
