"""The table of a division as a league page shows it, worked out from its tournament."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from django.db.models import Sum
from django.utils.translation import gettext, pgettext

from clubs.models import Division, League, LeagueClub, Season, SeasonEntry, SeasonEvent, Team
from clubs.services.seasons import season_plans
from engine.compete import explain
from engine.compete.standings import Row as Standing
from tournaments import stage_standings
from tournaments.models import Adjustment, Tournament
from tournaments.public import names, possible_ranks, recent_form, tiebreak_text
from tournaments.services.matches import point_adjustments
from tournaments.stage_state import RoundState, StageState, TableState, load

LAST = 5
"""Matches of the form."""


@dataclass(frozen=True)
class Mark:
    """One match of the form."""

    sign: str
    """`W`, `D` or `L`."""
    words: str
    """`won`, `drew`, `lost`."""

    @property
    def letter(self) -> str:
        """The sign for people: in German `S`, `U` or `N`."""
        letters = {
            "W": pgettext("one match of a team's form", "W"),
            "D": pgettext("one match of a team's form", "D"),
            "L": pgettext("one match of a team's form", "L"),
        }
        return letters.get(self.sign, self.sign)


@dataclass(frozen=True)
class Cut:
    """A line below a row."""

    words: str
    """`Champion`, `Promoted to Division 1`, `Relegated to Division 2`."""
    is_up: bool
    """Whether those above the line win something; else those below it lose."""


@dataclass(frozen=True)
class Row:
    """A team in the table."""

    place: str
    """`3`, or `3=` where it is shared; empty before the first result, `–` for who is out."""
    team: Team
    entry_id: int
    """Its entry in the division's tournament."""
    played: int
    """Matches that count; walkovers are won and lost like others."""
    won: int
    drawn: int
    lost: int
    scored: int
    """Card points for, over matches that were played."""
    conceded: int
    """Card points against."""
    points: str
    form: tuple[Mark, ...]
    """The last five matches, the oldest first."""
    best: int | None
    worst: int | None
    """The places it can still finish on; empty where nobody can say."""
    letters: tuple[str, ...]
    """Lead to the sentences of `Table.ties`."""
    note: str
    """`withdrew after matchday 3, not counted`; `−2 points: late for three matches`."""
    cuts: tuple[Cut, ...] = ()
    """The lines below this row."""

    @property
    def difference(self) -> int:
        """Card points for, less those against."""
        return self.scored - self.conceded

    @property
    def can_finish(self) -> str:
        """`2–5`, `3`, or `–`."""
        return possible_ranks.words(None if self.best is None or self.worst is None else (self.best, self.worst))


@dataclass(frozen=True)
class Tie:
    """Why one of two neighbours with equal points is ahead."""

    letter: str
    sentence: str
    """`Okafor / Bell ahead of Lee / Park on direct encounter: 4,210 – 3,640 in round 2; both have 12 points.`"""


@dataclass(frozen=True)
class Table:
    """The table of a division."""

    division: Division
    rows: tuple[Row, ...]
    ties: tuple[Tie, ...]
    has_begun: bool
    is_over: bool
    played: int
    matches: int
    """How many matches have a result, of how many."""


def tables(season: Season) -> tuple[Table, ...]:
    """The tables of a season, the top division first; the number of queries grows with divisions alone."""
    divisions = season_plans.divisions_of(season)
    found = [_table(season, division, divisions) for division in divisions]
    return tuple(one for one in found if one is not None)


def table(division: Division) -> Table | None:
    """The table of a division that was drawn: a fixed number of queries; `None` before."""
    season = division.season
    divisions = season_plans.divisions_of(season)
    return next((_table(season, one, divisions) for one in divisions if one.pk == division.pk), None)


def stamp(season: Season) -> str:
    """What changes whenever anything of the season's tournaments does, or of another club that takes part, for keeping
    parts of pages: three queries."""
    found = [
        *Division.objects.filter(season=season).values_list("tournament_id", "tournament__version"),
        *SeasonEvent.objects.filter(season=season).values_list("tournament_id", "tournament__version"),
    ]
    return ",".join(f"{pk}:{version}" for pk, version in found) + f"-{guests_stamp(season.league)}"


def guests_stamp(league: League) -> int:
    """Grows with everything that happens in the other clubs of a league, whose names and venues its pages show: one
    query."""
    agreed = LeagueClub.objects.filter(league=league).exclude(agreed_at=None)
    return agreed.aggregate(versions=Sum("club__version"))["versions"] or 0


# Making it


def _table(season: Season, division: Division, divisions: Sequence[Division]) -> Table | None:
    tournament = division.tournament
    if tournament is None:
        return None
    state = load(tournament.stages.get(), tournament)
    teams = {row.entry_id: row.team for row in _entries(season, division)}
    standings = [row for row in stage_standings.table(state) if state.entries[row.entry].entry_id in teams]
    tables = [one for each in state.rounds for one in each.tables if len(one.known) > 1]
    decided = [one for one in tables if one.is_decided]
    told = _ties(state, standings) if decided else ()
    rows = _rows(state, standings, teams, told if decided else ())
    if not decided:
        rows = [replace(row, place="", best=None, worst=None) for row in rows]
    return Table(
        division=division,
        rows=_with_cuts(rows, season, division, divisions),
        ties=tuple(Tie(one.letter, _sentence(one)) for one in told),
        has_begun=bool(decided),
        is_over=tournament.status == Tournament.Status.OVER,
        played=len(decided),
        matches=len(tables),
    )


def _entries(season: Season, division: Division) -> Iterable[SeasonEntry]:
    rows = SeasonEntry.objects.filter(division=division).exclude(entry=None).select_related("team__club")
    for row in rows:
        row.team.league = season.league
        yield row


def _rows(
    state: StageState,
    standings: Sequence[Standing],
    teams: Mapping[int | None, Team],
    told: Sequence[tiebreak_text.Why],
) -> list[Row]:
    counted = _counted(state)
    tallies, totals = recent_form.tallies(counted), _totals(counted)
    spans = possible_ranks.of(state, standings)
    shared = {one.rank for one, other in pairwise(standings) if one.rank == other.rank}
    letters: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for each in told:
        for at in each.entries:
            letters[at] += (each.letter,)
    notes = _notes(state)
    found = []
    for row in standings:
        own, (scored, conceded) = tallies[row.entry], totals[row.entry]
        best, worst = spans.get(row.entry, (None, None))
        entry_id = state.entries[row.entry].entry_id
        found.append(
            Row(
                place="–" if row.is_removed else f"{row.rank}=" if row.rank in shared else str(row.rank),
                team=teams[entry_id],
                entry_id=entry_id,
                played=own.played,
                won=own.won,
                drawn=own.drawn,
                lost=own.lost,
                scored=scored,
                conceded=conceded,
                points=explain.value(row.points),
                form=tuple(Mark(one.sign, one.words) for one in own.form[-LAST:]),
                best=best,
                worst=worst,
                letters=letters[row.entry],
                note="; ".join(_left(state, row) + notes[row.entry]),
            )
        )
    return found


def _counted(state: StageState) -> StageState:
    """The stage without the matches of who left so early that they count for nobody."""
    gone = stage_standings.uncounted(state)
    if not gone:
        return state
    rounds = [
        RoundState(one.row, [table for table in one.tables if not gone & set(table.known)], one.sit_outs)
        for one in state.rounds
    ]
    return replace(state, rounds=rounds)


def _totals(state: StageState) -> dict[int, tuple[int, int]]:
    """Card points for and against, by position, over matches that were played."""
    found: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for one in state.rounds:
        for table in one.tables:
            if _is_scored(table):
                whole = sum(place.score or 0 for place in table.places)
                for at, place in zip(table.known, table.places, strict=True):
                    scored, conceded = found[at]
                    own = place.score or 0
                    found[at] = (scored + own, conceded + whole - own)
    return found


def _is_scored(table: TableState) -> bool:
    return table.is_decided and len(table.known) == 2 and all(place.score is not None for place in table.places)


# Words


def _ties(state: StageState, standings: Sequence[Standing]) -> tuple[tiebreak_text.Why, ...]:
    links = names.links_of(state.stage.tournament)
    return tiebreak_text.whys(state, standings, names.entrants_of(state, links))


def _sentence(one: tiebreak_text.Why) -> str:
    if not one.words:
        return gettext(
            "%(upper)s and %(lower)s share the place: both have %(points)s and are tied on every tie-break."
        ) % {
            "upper": one.upper.name,
            "lower": one.lower.name,
            "points": one.points,
        }
    return gettext("%(upper)s ahead of %(lower)s %(words)s. Both have %(points)s.") % {
        "upper": one.upper.name,
        "lower": one.lower.name,
        "words": one.words,
        "points": one.points,
    }


def _left(state: StageState, row: Standing) -> list[str]:
    """What is said of a team that plays no more."""
    one = state.entries[row.entry]
    if one.entry.status == one.entry.Status.DISQUALIFIED:
        return [gettext("disqualified")]
    if one.last_round is None:
        return []
    if one.last_round:
        words = (
            gettext("withdrew after matchday %(number)s, not counted")
            if row.is_removed
            else gettext("withdrew after matchday %(number)s")
        )
        return [words % {"number": one.last_round}]
    return [
        gettext("withdrew before matchday 1, not counted") if row.is_removed else gettext("withdrew before matchday 1")
    ]


def _notes(state: StageState) -> dict[int, list[str]]:
    """Points given and taken, with their reasons, by position."""
    found: dict[int, list[str]] = defaultdict(list)
    for row in Adjustment.objects.filter(stage=state.stage):
        if row.entry_id in state.position_of:
            found[state.position_of[row.entry_id]].append(f"{point_adjustments.in_words(row.points)}: {row.reason}")
    return found


def _with_cuts(
    rows: Sequence[Row], season: Season, division: Division, divisions: Sequence[Division]
) -> tuple[Row, ...]:
    cuts: dict[int, list[Cut]] = defaultdict(list)
    at, count = divisions.index(division), len(divisions)
    ups, downs = (season_plans.borders(numbers, count) for numbers in (season.up, season.down))
    if at == 0:
        cuts[1].append(Cut(gettext("Champion"), is_up=True))
    else:
        cuts[ups[at - 1]].append(Cut(gettext("Promoted to %(name)s") % {"name": divisions[at - 1]}, is_up=True))
    if at < count - 1 and downs[at]:
        cuts[len(rows) - downs[at]].append(
            Cut(gettext("Relegated to %(name)s") % {"name": divisions[at + 1]}, is_up=False)
        )
    return tuple(
        replace(row, cuts=tuple(cuts[number])) if number in cuts else row for number, row in enumerate(rows, 1)
    )
