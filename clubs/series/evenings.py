"""The evenings of a series: events of the club, and what each brought its entries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Any, NamedTuple

from django.core.cache import cache
from django.utils import timezone
from django.utils.translation import gettext

from clubs.models import Series
from tournaments import stage_standings
from tournaments.models import Entry, Stage, Tournament
from tournaments.plan import WITHOUT_POINTS, Plan
from tournaments.services.matches.scores import duplicate_fields
from tournaments.stage_state import StageState, TableState, load
from web.errors import NotAllowed

EDITION = 1
"""Increased with every change of what is cached of an evening."""
SECONDS = 24 * 60 * 60
MOST = 400
"""Events that are looked at, the latest first."""


@dataclass(frozen=True)
class Evening:
    """An event that could count."""

    event: Tournament
    day: date
    """By the club's clock."""
    is_within: bool
    """Whether it is between the days of the series."""
    is_counted: bool

    @property
    def is_public(self) -> bool:
        return self.event.visibility == Tournament.Visibility.PUBLIC


class Figures(NamedTuple):
    """What an evening brought an entry; `None` where it has no such figure."""

    entry: int
    """Its id."""
    points: Fraction | None
    rank: int | None
    won: Fraction | None
    most: Fraction | None


def candidates(series: Series) -> list[Evening]:
    """Finished events of the club that could count, in the order they were played: two queries.

    Events of leagues are left out, and events that only people with their link can see.
    """
    shown = (Tournament.Visibility.PUBLIC, Tournament.Visibility.CIRCLE)
    events = Tournament.objects.filter(circle=series.club.circle, division=None, season_event=None)
    over = events.filter(status=Tournament.Status.OVER, visibility__in=shown).defer("rules_json", "terms")
    exceptions = dict(series.exceptions.values_list("event", "is_counted"))
    evenings = [_evening(series, event, exceptions) for event in over.order_by("-starts_at", "-pk")[:MOST]]
    return sorted(evenings, key=lambda evening: (evening.day, evening.event.pk))


def evenings_of(series: Series) -> list[Evening]:
    """The evenings that count, in the order they were played."""
    return [evening for evening in candidates(series) if evening.is_counted]


def can_read(series: Series, *, inside: bool) -> bool:
    """Whether a reader can see the standings: members (`inside`), and everyone if all its evenings are public."""
    return inside or all(evening.is_public for evening in evenings_of(series))


def check_readable(series: Series, *, inside: bool) -> None:
    """Raise `NotAllowed` for a reader who cannot see the standings."""
    if not can_read(series, inside=inside):
        sentence = gettext("Some of these evenings are for members only, and so are the standings.")
        raise NotAllowed("members_only", sentence)


def _evening(series: Series, event: Tournament, exceptions: dict[int, bool]) -> Evening:
    at = event.starts_at or event.started_at or event.created_at
    day = timezone.localtime(at, series.club.zone).date()
    is_within = series.first_day <= day and (series.last_day is None or day <= series.last_day)
    return Evening(event, day, is_within, exceptions.get(event.pk, is_within))


def figures(event: Tournament) -> list[Figures]:
    """What an evening brought each entry that played: cached until something in the event changes."""
    key = f"series-evening:{EDITION}:{event.pk}:{event.slug}:{event.version}"
    rows: list[Any] | None = cache.get(key)
    if rows is None:
        rows = [tuple(figure) for figure in _figures(event)]
        cache.set(key, rows, SECONDS)
    return [Figures(*row) for row in rows]


def _figures(event: Tournament) -> list[Figures]:
    states = [load(stage, event) for stage in Stage.objects.filter(tournament=event).order_by("number")]
    out = Entry.objects.filter(tournament=event, status=Entry.Status.DISQUALIFIED).values_list("pk", flat=True)
    points, ranks, won = _points(states), _ranks(states), _won(states)
    return [Figures(pk, points.get(pk), ranks.get(pk), *won[pk]) for pk in won if pk not in set(out)]


def _points(states: Sequence[StageState]) -> dict[int, Fraction]:
    """Points in the first stage that has any, because everyone plays it: a final only decides places."""
    for state in states:
        if state.plan.format not in WITHOUT_POINTS:
            return {state.entries[row.entry].entry_id: row.points for row in stage_standings.table(state)}
    return {}


def _ranks(states: Sequence[StageState]) -> dict[int, int]:
    """Final places: those of the last stage, behind them those of the stage before, and so on."""
    ranks: dict[int, int] = {}
    for state in reversed(states):
        ahead = len(ranks)
        rest = [(row.rank, state.entries[row.entry].entry_id) for row in stage_standings.ranking(state)]
        rest = [(rank, pk) for rank, pk in rest if pk not in ranks]
        ranks |= {pk: ahead + 1 + sum(other < rank for other, _ in rest) for rank, pk in rest}
    return ranks


def _won(states: Sequence[StageState]) -> dict[int, tuple[Fraction | None, Fraction | None]]:
    """By each entry that played: match points of its matches, and how many there were to win."""
    sums: dict[int, tuple[Fraction | None, Fraction | None]] = {}
    for state in states:
        fields = {pk: len(field) for field in duplicate_fields(state).values() for pk, _ in field}
        for table in (table for round_ in state.rounds for table in round_.tables):
            most = _most(state.plan, table, fields.get(table.row.pk, 1))
            for place in table.places if table.is_decided and not table.row.is_walkover else ():
                if place.entry_id is not None and place.score is not None:
                    won, possible = sums.get(place.entry_id, (Fraction(0), Fraction(0)))
                    if most is None or won is None or possible is None:
                        sums[place.entry_id] = (None, None)
                    else:
                        sums[place.entry_id] = (won + Fraction(place.points or 0), possible + most)
    return sums


def _most(plan: Plan, table: TableState, field: int) -> Fraction | None:
    """The match points that one side can win at a table; `None` where there is no such number."""
    sides = len({place.side for place in table.places})
    if plan.scoring == "by_result":
        return max(Fraction(plan.win), Fraction(plan.draw))
    if plan.scoring == "by_place":
        return Fraction(plan.place_points[0]) if plan.place_points else Fraction(sides - 1)
    top = {"normalised_places": 1, "victory_points": 20, "matchpoints": 2 * (field - 1)}
    return Fraction(top[plan.scoring]) if plan.scoring in top else None
