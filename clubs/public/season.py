"""A season as visitors see it: the table of a division, what is next, what was played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop, pgettext

from clubs.house_rules.page import pinned
from clubs.league import fixtures, table
from clubs.league.fixtures import Matchday
from clubs.league.table import Cut, Row, Table
from clubs.models import Division, Honour, Season, SeasonEntry, SeasonEvent, Team
from clubs.public import fixtures as public
from engine.play.rulesets import TITLES
from tournaments.models import Stage, Tournament
from tournaments.public import format_text, live
from tournaments.public.live import Playing
from web.text import number

KINDS = {"person": gettext_noop("Player"), "pair": gettext_noop("Pair"), "team": gettext_noop("Team")}
"""What a row of a table is, by the kind of the league."""


@dataclass(frozen=True)
class Line:
    """A line below a row of a table."""

    words: str
    is_up: bool


@dataclass(frozen=True)
class TableRow:
    """A team in the table, ready to be shown."""

    row: Row
    lines: tuple[Line, ...]

    @property
    def difference(self) -> str:
        found = number(self.row.difference)
        return f"+{found}" if self.row.difference > 0 else found

    @property
    def record(self) -> str:
        """What a narrow page says in one line."""
        own = self.row
        return gettext("%(won)s won, %(drawn)s drawn, %(lost)s lost, %(difference)s") % {
            "won": own.won,
            "drawn": own.drawn,
            "lost": own.lost,
            "difference": self.difference,
        }

    @property
    def form_words(self) -> str:
        words = ", ".join(one.words for one in self.row.form)
        return gettext("last five, oldest first: %(words)s") % {"words": words}

    @property
    def marks(self) -> tuple[tuple[str, str], ...]:
        """The last five: how each is drawn, and its letter."""
        letters = {
            "W": pgettext("letter of a result", "W"),
            "D": pgettext("letter of a result", "D"),
            "L": pgettext("letter of a result", "L"),
        }
        return tuple((one.sign.lower(), letters.get(one.sign, one.sign)) for one in self.row.form)


def stamp(season: Season, now: Playing, division: Division) -> str:
    """What changes with everything that the pages of a division would show, the club's own version aside."""
    tournament = division.tournament
    of_live = live.stamp(tournament, now) if tournament is not None else ""
    return f"{table.stamp(season)}|{of_live}|{division.pk}"


def overview(season: Season, division: Division, now: Playing) -> dict[str, Any]:
    """What the page of a division is filled with: a fixed number of queries, whatever was played."""
    found = table.table(division)
    days = fixtures.matchdays(division)
    coming, last = next_day(days), last_day(days)
    return {
        "season": season,
        "division": division,
        "table": found,
        "rows": rows(found) if found else (),
        "has_ranges": any(row.best is not None for row in found.rows) if found else False,
        "waiting_teams": [] if found else _teams(division),
        "heading": heading(found, days),
        "last_result": last_result(days),
        "next": public.shown_days([coming], now)[0] if coming else None,
        "late": public.shown(_late(days, coming), now),
        "last": public.shown_days([last], now)[0] if last else None,
        "honours": Honour.objects.filter(season=season).select_related("team").order_by("division__level", "place"),
        "events": events(season),
        "level_words": level_words(division),
        "kind": gettext(KINDS[season.league.kind]),
    }


def rules_words(season: Season) -> dict[str, Any]:
    """By which rules a season is played, and what changed since they were pinned."""
    return {"origin": pinned(season), "ruleset": TITLES.get(season.rules.name, gettext("the rules of the season"))}


def rows(found: Table) -> tuple[TableRow, ...]:
    """The rows of a table with the lines below them in words."""
    count = len(found.rows)
    return tuple(
        TableRow(row, tuple(_line(cut, at, count) for cut in row.cuts)) for at, row in enumerate(found.rows, 1)
    )


def _line(cut: Cut, at: int, count: int) -> Line:
    """`Promoted to Premier: places 1 and 2`; a single place stands for itself."""
    first, last = (1, at) if cut.is_up else (at + 1, count)
    if first == last:
        return Line(
            cut.words if first == 1 else gettext("%(words)s: place %(first)s") % {"words": cut.words, "first": first},
            cut.is_up,
        )
    both = gettext("%(words)s: places %(first)s and %(last)s")
    more = gettext("%(words)s: places %(first)s to %(last)s")
    words = both if last == first + 1 else more
    return Line(words % {"words": cut.words, "first": first, "last": last}, cut.is_up)


def heading(found: Table | None, days: Sequence[Matchday]) -> str:
    """`Standings after matchday 11 of 14`."""
    if found is None or not found.has_begun:
        return gettext("Standings")
    if found.is_over:
        return gettext("Final standings")
    whole = next((at for at, day in enumerate(days) if not day.is_over), len(days))
    if not whole:
        return gettext("Standings after %(played)s of %(matches)s matches") % {
            "played": found.played,
            "matches": found.matches,
        }
    return gettext("Standings after matchday %(number)s of %(days)s") % {
        "number": days[whole - 1].number,
        "days": len(days),
    }


def next_day(days: Sequence[Matchday]) -> Matchday | None:
    """The matchday to come: the first in which nothing or not all was played, those aside that are only waited for."""
    for at, day in enumerate(days):
        if not day.is_over and (at == len(days) - 1 or not any(one.is_done for one in days[at + 1].matches)):
            return day
    return None


def last_day(days: Sequence[Matchday]) -> Matchday | None:
    """The last matchday that has a result."""
    return next((day for day in reversed(days) if any(one.is_done for one in day.matches)), None)


def _late(days: Sequence[Matchday], coming: Matchday | None) -> list[fixtures.Match]:
    """Matches of earlier matchdays that are still to be played."""
    before = [day for day in days if coming is None or day.number < coming.number]
    return [one for day in before for one in day.matches if not one.is_done]


def last_result(days: Sequence[Matchday]) -> datetime | None:
    """When the last result came."""
    done = [one.pairing.done_at for day in days for one in day.matches if one.is_done and one.pairing.done_at]
    return max(done, default=None)


def _teams(division: Division) -> list[Team]:
    """The teams of a division that is not drawn, in the order of the draw."""
    own = SeasonEntry.objects.filter(division=division).select_related("team")
    found = [row.team for row in own.order_by("position", "pk")]
    for one in found:
        one.league = division.season.league
    return found


def events(season: Season) -> list[SeasonEvent]:
    """Cups and play-offs of a season."""
    own = SeasonEvent.objects.filter(season=season).select_related("tournament")
    return list(own.exclude(tournament__status=Tournament.Status.CANCELLED))


def level_words(division: Division) -> str:
    """What decides between teams that are level on points: `direct encounter, then Sonneborn–Berger`."""
    found = Stage.objects.filter(tournament=division.tournament_id).first() if division.tournament_id else None
    tiebreaks = format_text.stages([found])[0].tiebreaks if found is not None else ()
    return gettext(", then ").join(one.called for one in tiebreaks)
