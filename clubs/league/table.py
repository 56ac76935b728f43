"""Standings of a division on pages of the league, calculated from its tournament."""

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
    """A match of the form."""

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
    """A border below a row."""

    words: str
    """`Champion`, `Promoted to Division 1`, `Relegated to Division 2`."""
    is_up: bool
    """Whether the teams above it win something; else those below it lose."""


@dataclass(frozen=True)
class Row:
    """A team in the standings."""

    place: str
    """`3`, or `3=` if it is shared; empty before the first result, `–` for teams that are out."""
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
    """The places it can still finish on; empty if unknown."""
    letters: tuple[str, ...]
    """References to the sentences of `Table.ties`."""
    note: str
    """`withdrew after matchday 3, not counted`; `−2 points: late for three matches`."""
    cuts: tuple[Cut, ...] = ()
    """The borders below this row."""

    @property
    def difference(self) -> int:
        """Card points for, minus those against."""
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
    """The standings of a division."""

    division: Division
    rows: tuple[Row, ...]
    ties: tuple[Tie, ...]
    has_begun: bool
    is_over: bool
    played: int
    matches: int
    """The number of matches with a result, and of all."""


def tables(season: Season) -> tuple[Table, ...]:
    """The standings of a season, the top division first; the number of queries grows only with divisions."""
    divisions = season_plans.divisions_of(season)
    drawn = [_table(season, division, divisions) for division in divisions]
    return tuple(table for table in drawn if table is not None)


def table(division: Division) -> Table | None:
    """The standings of a drawn division, with a fixed number of queries; `None` before the draw."""
    season = division.season
    divisions = season_plans.divisions_of(season)
    return next((_table(season, loaded, divisions) for loaded in divisions if loaded.pk == division.pk), None)


def stamp(season: Season) -> str:
    """A stamp of the season's tournaments and of guest clubs, for cached parts of pages: three queries."""
    versions = [
        *Division.objects.filter(season=season).values_list("tournament_id", "tournament__version"),
        *SeasonEvent.objects.filter(season=season).values_list("tournament_id", "tournament__version"),
    ]
    return ",".join(f"{pk}:{version}" for pk, version in versions) + f"-{guests_stamp(season.league)}"


def guests_stamp(league: League) -> int:
    """A number that grows with every change in guest clubs, which the league's pages show: one query."""
    agreed = LeagueClub.objects.filter(league=league).exclude(agreed_at=None)
    return agreed.aggregate(versions=Sum("club__version"))["versions"] or 0


# Calculation


def _table(season: Season, division: Division, divisions: Sequence[Division]) -> Table | None:
    tournament = division.tournament
    if tournament is None:
        return None
    state = load(tournament.stages.get(), tournament)
    teams = {entry.entry_id: entry.team for entry in _entries(season, division)}
    standings = [row for row in stage_standings.table(state) if state.entries[row.entry].entry_id in teams]
    tables = [table for round_ in state.rounds for table in round_.tables if len(table.known) > 1]
    decided = [table for table in tables if table.is_decided]
    reasons = _ties(state, standings) if decided else ()
    rows = _rows(state, standings, teams, reasons if decided else ())
    if not decided:
        rows = [replace(row, place="", best=None, worst=None) for row in rows]
    return Table(
        division=division,
        rows=_with_cuts(rows, season, division, divisions),
        ties=tuple(Tie(reason.letter, _sentence(reason)) for reason in reasons),
        has_begun=bool(decided),
        is_over=tournament.status == Tournament.Status.OVER,
        played=len(decided),
        matches=len(tables),
    )


def _entries(season: Season, division: Division) -> Iterable[SeasonEntry]:
    rows = SeasonEntry.objects.filter(division=division).exclude(entry=None).select_related("team__club")
    for entry in rows:
        entry.team.league = season.league
        yield entry


def _rows(
    state: StageState,
    standings: Sequence[Standing],
    teams: Mapping[int | None, Team],
    reasons: Sequence[tiebreak_text.Why],
) -> list[Row]:
    counting = _without_uncounted(state)
    tallies, totals = recent_form.tallies(counting), _totals(counting)
    spans = possible_ranks.of(state, standings)
    shared = {upper.rank for upper, lower in pairwise(standings) if upper.rank == lower.rank}
    letters: dict[int, tuple[str, ...]] = defaultdict(tuple)
    for reason in reasons:
        for at in reason.entries:
            letters[at] += (reason.letter,)
    notes = _notes(state)
    rows = []
    for row in standings:
        tally, (scored, conceded) = tallies[row.entry], totals[row.entry]
        best, worst = spans.get(row.entry, (None, None))
        entry_id = state.entries[row.entry].entry_id
        rows.append(
            Row(
                place="–" if row.is_removed else f"{row.rank}=" if row.rank in shared else str(row.rank),
                team=teams[entry_id],
                entry_id=entry_id,
                played=tally.played,
                won=tally.won,
                drawn=tally.drawn,
                lost=tally.lost,
                scored=scored,
                conceded=conceded,
                points=explain.value(row.points),
                form=tuple(Mark(match.sign, match.words) for match in tally.form[-LAST:]),
                best=best,
                worst=worst,
                letters=letters[row.entry],
                note="; ".join(_withdrawal_notes(state, row) + notes[row.entry]),
            )
        )
    return rows


def _without_uncounted(state: StageState) -> StageState:
    """The stage without the matches of teams that left so early that they count for nobody."""
    gone = stage_standings.uncounted(state)
    if not gone:
        return state
    rounds = [
        RoundState(round_.row, [table for table in round_.tables if not gone & set(table.known)], round_.sit_outs)
        for round_ in state.rounds
    ]
    return replace(state, rounds=rounds)


def _totals(state: StageState) -> dict[int, tuple[int, int]]:
    """Card points for and against, by position, over matches that were played."""
    totals: dict[int, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for round_ in state.rounds:
        for table in round_.tables:
            if _is_scored(table):
                total = sum(place.score or 0 for place in table.places)
                for at, place in zip(table.known, table.places, strict=True):
                    scored, conceded = totals[at]
                    score = place.score or 0
                    totals[at] = (scored + score, conceded + total - score)
    return totals


def _is_scored(table: TableState) -> bool:
    return table.is_decided and len(table.known) == 2 and all(place.score is not None for place in table.places)


# Texts


def _ties(state: StageState, standings: Sequence[Standing]) -> tuple[tiebreak_text.Why, ...]:
    links = names.links_of(state.stage.tournament)
    return tiebreak_text.whys(state, standings, names.entrants_of(state, links))


def _sentence(reason: tiebreak_text.Why) -> str:
    if not reason.words:
        return gettext(
            "%(upper)s and %(lower)s share the place: both have %(points)s and are tied on every tie-break."
        ) % {"upper": reason.upper.name, "lower": reason.lower.name, "points": reason.points}
    return gettext("%(upper)s ahead of %(lower)s %(words)s. Both have %(points)s.") % {
        "upper": reason.upper.name,
        "lower": reason.lower.name,
        "words": reason.words,
        "points": reason.points,
    }


def _withdrawal_notes(state: StageState, row: Standing) -> list[str]:
    """Notes on a team that does not play any more."""
    entrant = state.entries[row.entry]
    if entrant.entry.status == entrant.entry.Status.DISQUALIFIED:
        return [gettext("disqualified")]
    if entrant.last_round is None:
        return []
    if entrant.last_round:
        words = (
            gettext("withdrew after matchday %(number)s, not counted")
            if row.is_removed
            else gettext("withdrew after matchday %(number)s")
        )
        return [words % {"number": entrant.last_round}]
    return [
        gettext("withdrew before matchday 1, not counted") if row.is_removed else gettext("withdrew before matchday 1")
    ]


def _notes(state: StageState) -> dict[int, list[str]]:
    """Point adjustments, with their reasons, by position."""
    notes: dict[int, list[str]] = defaultdict(list)
    for adjustment in Adjustment.objects.filter(stage=state.stage):
        if adjustment.entry_id in state.position_of:
            points = point_adjustments.as_text(adjustment.points)
            notes[state.position_of[adjustment.entry_id]].append(f"{points}: {adjustment.reason}")
    return notes


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
