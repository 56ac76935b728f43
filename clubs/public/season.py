"""A season as visitors see it: standings, next matchday and results."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from clubs.house_rules.page import origin_of
from clubs.league import fixtures, table
from clubs.league.agenda import Agenda, agenda
from clubs.league.fixtures import Matchday
from clubs.league.table import Cut, Row, Table
from clubs.models import Division, Honour, Season, SeasonEntry, SeasonEvent, Team
from clubs.public import fixtures as public
from engine.play.rulesets import PRESETS, title_of
from tournaments.models import Stage, Tournament
from tournaments.public import format_text, live
from tournaments.public.live import Playing
from web.text import number

KINDS = {"person": gettext_noop("Player"), "pair": gettext_noop("Pair"), "team": gettext_noop("Team")}
"""Head of the first column, by the kind of the league."""
FINAL_COLUMNS = {
    "played": gettext_noop("Played"),
    "won": gettext_noop("Won"),
    "drawn": gettext_noop("Drawn"),
    "lost": gettext_noop("Lost"),
    "for": gettext_noop("For"),
    "against": gettext_noop("Against"),
    "difference": gettext_noop("Difference"),
    "points": gettext_noop("Points"),
}
"""Heads of the columns of an imported final table, by what `SeasonEntry.final_row` calls them."""


@dataclass(frozen=True)
class CutLine:
    """A line below a row of a table."""

    words: str
    is_up: bool


@dataclass(frozen=True)
class TableRow:
    """A team in the table, ready to be shown."""

    row: Row
    lines: tuple[CutLine, ...]

    @property
    def difference(self) -> str:
        text = number(self.row.difference)
        return f"+{text}" if self.row.difference > 0 else text

    @property
    def record(self) -> str:
        """The numbers in one line, for narrow pages."""
        row = self.row
        return gettext("%(won)s won, %(drawn)s drawn, %(lost)s lost, %(difference)s") % {
            "won": row.won,
            "drawn": row.drawn,
            "lost": row.lost,
            "difference": self.difference,
        }

    @property
    def form_words(self) -> str:
        words = ", ".join(mark.words for mark in self.row.form)
        return gettext("last five, oldest first: %(words)s") % {"words": words}

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The last five results: style and letter of each."""
        letters = {
            "W": pgettext("letter of a result", "W"),
            "D": pgettext("letter of a result", "D"),
            "L": pgettext("letter of a result", "L"),
        }
        return tuple((mark.sign.lower(), letters.get(mark.sign, mark.sign)) for mark in self.row.form)


def stamp(season: Season, now: Playing, division: Division) -> str:
    """A stamp that changes with the pages of a division, except with the club itself."""
    tournament = division.tournament
    of_live = live.stamp(tournament, now) if tournament is not None else ""
    today = timezone.now().astimezone(season.league.club.zone).date()  # which matchday it is goes by date
    return f"{table.stamp(season)}|{of_live}|{division.pk}|{today}"


def overview(season: Season, division: Division, now: Playing) -> dict[str, Any]:
    """The content of a division’s page: a fixed number of queries."""
    standings = table.table(division)
    final = final_table(division) if standings is None else None
    days = fixtures.matchdays(division)
    plan, last = agenda(days, timezone.now()), last_day(days)
    coming = plan.current
    return {
        "season": season,
        "division": division,
        "table": standings,
        "rows": rows(standings) if standings else (),
        "has_ranges": _has_ranges(standings),
        "final_table": final,
        "waiting_teams": [] if standings else _teams(division),
        "heading": gettext("Final standings") if final else heading(standings, days, plan),
        "last_result": last_result(days),
        "next": public.matchday_rows([replace(coming, matches=plan.left_of(coming))], now)[0] if coming else None,
        "apart": public.match_rows(plan.apart, now),
        "last": public.matchday_rows([last], now)[0] if last else None,
        "honours": Honour.objects.filter(season=season).select_related("team").order_by("division__level", "place"),
        "events": events(season),
        "level_words": level_words(division),
        "kind": gettext(KINDS[season.league.kind]),
    }


@dataclass(frozen=True)
class FinalTable:
    """A final table that was imported without matches."""

    titles: tuple[str, ...]
    """Of the columns that it has."""
    rows: tuple[tuple[str, Team, tuple[str, ...]], ...]
    """Place, team and cells of each line."""


def final_table(division: Division) -> FinalTable | None:
    """The imported final table of a division; `None` if it has none."""
    entries = SeasonEntry.objects.filter(division=division).exclude(final_row=None).select_related("team__league__club")
    placed = sorted(entries, key=lambda entry: (entry.final_rank or 0, entry.position))
    if not placed:
        return None
    ranks = Counter(entry.final_rank for entry in placed)
    held = [name for name in FINAL_COLUMNS if any(name in (entry.final_row or {}) for entry in placed)]
    return FinalTable(
        tuple(gettext(FINAL_COLUMNS[name]) for name in held),
        tuple(
            (
                f"{entry.final_rank}{'=' if ranks[entry.final_rank] > 1 else ''}",
                entry.team,
                tuple(_final_cell((entry.final_row or {}).get(name)) for name in held),
            )
            for entry in placed
        ),
    )


def _final_cell(value: int | float | None) -> str:
    if value is None:
        return "–"
    return number(value) if isinstance(value, int) else formats.localize(value)


def rules_words(season: Season) -> dict[str, Any]:
    """The rules of a season, and their changes since they were pinned."""
    name = season.rules.name
    if name not in PRESETS:
        return {"origin": origin_of(season), "ruleset": gettext("the rules of the season")}
    return {
        "origin": origin_of(season),
        "ruleset": title_of(name),
        "rules_url": reverse("gameplay:ruleset", args=[name]),
    }


def rows(standings: Table) -> tuple[TableRow, ...]:
    """The rows of a table with the lines below them in words."""
    count = len(standings.rows)
    return tuple(
        TableRow(row, tuple(_line(cut, at, count) for cut in row.cuts)) for at, row in enumerate(standings.rows, 1)
    )


def _line(cut: Cut, at: int, count: int) -> CutLine:
    """`Promoted to Premier: places 1 and 2`, or a single place."""
    first, last = (1, at) if cut.is_up else (at + 1, count)
    if first == last:
        return CutLine(
            cut.words if first == 1 else gettext("%(words)s: place %(first)s") % {"words": cut.words, "first": first},
            cut.is_up,
        )
    both = gettext("%(words)s: places %(first)s and %(last)s")
    more = gettext("%(words)s: places %(first)s to %(last)s")
    words = both if last == first + 1 else more
    return CutLine(words % {"words": cut.words, "first": first, "last": last}, cut.is_up)


def _has_ranges(standings: Table | None) -> bool:
    """Whether the places still possible are shown: not after the last match."""
    return standings is not None and not standings.is_over and any(row.best is not None for row in standings.rows)


def heading(standings: Table | None, days: Sequence[Matchday], plan: Agenda) -> str:
    """`Standings after matchday 11 of 14`, `Standings after matchday 11 of 14, one match still to be played`."""
    if standings is None or not standings.has_begun:
        return gettext("Standings")
    if standings.is_over:
        return gettext("Final standings")
    if not plan.complete:
        return gettext("Standings after %(played)s of %(matches)s matches") % {
            "played": standings.played,
            "matches": standings.matches,
        }
    values = {"number": days[plan.complete - 1].number, "days": len(days)}
    missing = [match for match in plan.apart if match.matchday <= values["number"]]
    if not missing:
        return gettext("Standings after matchday %(number)s of %(days)s") % values
    words = ngettext(
        "Standings after matchday %(number)s of %(days)s, one match still to be played",
        "Standings after matchday %(number)s of %(days)s, %(count)s matches still to be played",
        len(missing),
    )
    return words % {**values, "count": len(missing)}


def last_day(days: Sequence[Matchday]) -> Matchday | None:
    """The last matchday that has a result."""
    return next((day for day in reversed(days) if any(match.is_done for match in day.matches)), None)


def last_result(days: Sequence[Matchday]) -> datetime | None:
    """The time of the last result."""
    times = [match.pairing.done_at for day in days for match in day.matches if match.is_done and match.pairing.done_at]
    return max(times, default=None)


def _teams(division: Division) -> list[Team]:
    """The teams of a division that is not drawn, in the order of the draw."""
    entries = SeasonEntry.objects.filter(division=division).select_related("team")
    teams = [entry.team for entry in entries.order_by("position", "pk")]
    for team in teams:
        team.league = division.season.league
    return teams


def events(season: Season) -> list[SeasonEvent]:
    """Cups and play-offs of a season."""
    season_events = SeasonEvent.objects.filter(season=season).select_related("tournament")
    return list(season_events.exclude(tournament__status=Tournament.Status.CANCELLED))


def level_words(division: Division) -> str:
    """The tie-breaks in words: `direct encounter, then Sonneborn–Berger`."""
    stage = Stage.objects.filter(tournament=division.tournament_id).first() if division.tournament_id else None
    tiebreaks = format_text.stages([stage])[0].tiebreaks if stage is not None else ()
    return gettext(", then ").join(tiebreak.called for tiebreak in tiebreaks)
