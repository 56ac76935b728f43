"""The matches that statistics are made of, read in a fixed number of queries into plain records."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet
from django.utils.translation import gettext

from accounts.display_names import FORMER
from clubs.models import Appearance, Club, Division, League, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from engine.play.paper import KINDS_OF_BOOK
from gameplay.models import Deal as TableDeal
from tournaments import seating
from tournaments.models import Pairing, Place, Result, Tournament

EARLIEST = datetime.min.replace(tzinfo=UTC)
_ABSENT = (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT)


@dataclass(frozen=True)
class Person:
    """Somebody who played."""

    membership_id: int
    name: str
    """What the club calls them; of who has left only that."""
    is_here: bool


@dataclass(frozen=True)
class Deal:
    """A deal of a match, as far as somebody wrote it down."""

    number: int
    points: tuple[int, int]
    """Card points of the two sides."""
    books: tuple[int, int] | None
    """Books of the two sides; empty where only totals are known."""
    out: int | None
    """Which side went out first: 0 or 1; empty where nobody did, or nobody knows."""


@dataclass(frozen=True)
class Side:
    """A team in a match that is over."""

    team: Team
    score: int | None
    """Card points; empty where nothing was played."""
    sign: str
    """`W`, `D` or `L`."""
    people: tuple[Person, ...]


@dataclass(frozen=True)
class Match:
    """A match of two teams that has its result."""

    pairing: Pairing
    season: Season
    division: Division | None
    event: SeasonEvent | None
    """The cup or play-off; empty in a division."""
    number: int
    """Of its matchday, or of the round of its cup."""
    sides: tuple[Side, Side]
    is_walkover: bool
    """Won or lost without play: no scores of it count."""
    deals: tuple[Deal, ...] = field(default=())

    @property
    def url(self) -> str:
        """The match's own page."""
        return self.pairing.get_absolute_url()

    @property
    def where(self) -> str:
        """`Autumn 2026, Division 1, matchday 3`, or `Autumn 2026, Cup, round 2`."""
        if self.event is not None:
            values = {"season": self.season, "event": self.event, "number": self.number}
            return gettext("%(season)s, %(event)s, round %(number)s") % values
        return gettext("%(season)s, %(division)s, matchday %(number)s") % {
            "season": self.season,
            "division": self.division,
            "number": self.number,
        }

    @property
    def scores(self) -> tuple[int, int] | None:
        """Card points of the two sides; empty where nothing was played, or only who won is known."""
        one, other = self.sides[0].score, self.sides[1].score
        return None if self.is_walkover or one is None or other is None else (one, other)

    @property
    def key(self) -> tuple[int, datetime, int, int]:
        """Puts the matches of a league into the order in which they were meant to be played."""
        row = self.pairing
        return self.season.number, row.starts_at or row.round.starts_at or row.done_at or EARLIEST, self.number, row.pk


def of_club(club: Club) -> list[Match]:
    """Every match of a club's leagues that is over, in order: a fixed number of queries."""
    return _matches(Season.objects.filter(league__club=club))


def of_league(league: League) -> list[Match]:
    """The same of one league."""
    return _matches(Season.objects.filter(league=league))


def of_season(season: Season) -> list[Match]:
    """The same of one season."""
    return _matches(Season.objects.filter(pk=season.pk))


def _matches(seasons: QuerySet[Season]) -> list[Match]:
    own = seasons.exclude(status=Season.Status.DRAFT).select_related("league__club")
    known = {one.pk: one for one in own}
    divisions = {one.tournament_id: one for one in Division.objects.filter(season__in=known, tournament__isnull=False)}
    events = {one.tournament_id: one for one in SeasonEvent.objects.filter(season__in=known)}
    done = Pairing.objects.filter(
        Q(round__stage__tournament__in=[*divisions, *events]),
        round__stage__tournament__visibility=Tournament.Visibility.PUBLIC,
        status=Pairing.Status.DONE,
    ).order_by()
    ids = done.values("pk")
    teams, places = _teams(list(known.values())), _places(ids)
    people, dealt = _people(ids), _table_deals(ids)
    sizes: dict[int, int] = {}
    found = []
    for row in done.select_related("round__stage__tournament", "result"):
        own_places = places[row.pk]
        if len(own_places) != 2 or any(place.entry_id not in teams for place in own_places):
            continue
        tournament = row.round.stage.tournament
        size = sizes.setdefault(tournament.pk, tournament.side_size)
        division, event = divisions.get(tournament.pk), events.get(tournament.pk)
        season_id = division.season_id if division else events[tournament.pk].season_id
        kind = row.result.kind if row.result is not None else ""
        found.append(
            Match(
                pairing=row,
                season=known[season_id],
                division=division,
                event=event,
                number=row.round.number,
                sides=_sides(own_places, teams, people, size),
                is_walkover=row.is_walkover or kind in _ABSENT,
                deals=_deals(row, own_places, dealt.get(row.table_id or 0, ())),
            )
        )
    return sorted(found, key=lambda one: one.key)


def _teams(seasons: Sequence[Season]) -> dict[int | None, Team]:
    """Teams by the ids of their entries."""
    leagues = {one.league_id: one.league for one in seasons}
    found: dict[int | None, Team] = {}
    rows: list[Any] = [
        *SeasonEntry.objects.filter(season__in=seasons).exclude(entry=None).select_related("team"),
        *SeasonEventEntry.objects.filter(event__season__in=seasons).select_related("team"),
    ]
    for row in rows:
        row.team.league = leagues[row.team.league_id]
        found[row.entry_id] = row.team
    return found


def _places(pairings: QuerySet[Pairing, Any]) -> Mapping[int, list[Place]]:
    found: dict[int, list[Place]] = defaultdict(list)
    rows = Place.objects.filter(pairing__in=pairings).select_related("entry").order_by("pairing_id", "number")
    for place in rows.prefetch_related(Prefetch("entry__members")):
        found[place.pairing_id].append(place)
    return found


def _people(pairings: QuerySet[Pairing, Any]) -> dict[int, Person]:
    """People by the ids of what they are in their entries."""
    rows = Appearance.objects.filter(member__entry__places__pairing__in=pairings).select_related("membership")
    return {
        row.member_id: Person(
            row.membership_id, row.membership.name if row.membership.is_here else FORMER, row.membership.is_here
        )
        for row in rows.distinct()
    }


def _sides(
    places: Sequence[Place], teams: Mapping[int | None, Team], people: Mapping[int, Person], size: int
) -> tuple[Side, Side]:
    first = [place for place in places if place.rank == 1]
    one, other = (
        Side(
            team=teams[place.entry_id],
            score=place.score,
            sign="L" if place.rank != 1 else "W" if len(first) == 1 else "D",
            people=tuple(people[each.pk] for each in seating.fielded(place, size) if each.pk in people),
        )
        for place in places
    )
    return one, other


# Deals


def _table_deals(pairings: QuerySet[Pairing, Any]) -> dict[int, list[tuple[int, Mapping[str, Any]]]]:
    """Results of deals by the online table at which they were played."""
    found: dict[int, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    rows = TableDeal.objects.filter(table__pairing__in=pairings, result__isnull=False)
    for table, number, result in rows.order_by("number").values_list("table_id", "number", "result"):
        found[table].append((number, result or {}))
    return found


def _deals(row: Pairing, places: Sequence[Place], dealt: Sequence[tuple[int, Mapping[str, Any]]]) -> tuple[Deal, ...]:
    """The deals of a match: of the score sheet that its result came with, else of its table."""
    try:
        return _known_deals(row, places, dealt)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        # A sheet that came with the archive of another installation may be of any shape.
        return ()


def _known_deals(
    row: Pairing, places: Sequence[Place], dealt: Sequence[tuple[int, Mapping[str, Any]]]
) -> tuple[Deal, ...]:
    sheet = row.result.sheet if row.result is not None else None
    if sheet and sheet.get("deals"):
        orders = [place.entry_id for place in places]
        sides = [tuple(one) for one in sheet.get("sides", ())]
        if sides == [(orders[1],), (orders[0],)]:
            return tuple(_written(number, one, (1, 0)) for number, one in enumerate(sheet["deals"], 1))
        if sides == [(orders[0],), (orders[1],)]:
            return tuple(_written(number, one, (0, 1)) for number, one in enumerate(sheet["deals"], 1))
        return ()
    if row.result is None or row.result.origin != Result.Origin.TABLE or len({place.side for place in places}) != 2:
        return ()
    order = (0, 1) if places[0].side < places[1].side else (1, 0)
    return tuple(_played(number, result, order) for number, result in dealt)


def _written(number: int, deal: Mapping[str, Any], order: tuple[int, int]) -> Deal:
    """A deal of a score sheet; `order` says which of its sides is which of the match."""
    one, other = (int(deal["points"][at]) for at in order)
    teams = deal.get("teams")
    if not teams:
        return Deal(number, (one, other), None, None)
    first, second = (sum((teams[at].get("books") or {}).values()) for at in order)
    outs = [side for side, at in enumerate(order) if teams[at].get("out")]
    return Deal(number, (one, other), (first, second), outs[0] if len(outs) == 1 else None)


def _played(number: int, result: Mapping[str, Any], order: tuple[int, int]) -> Deal:
    """A deal of an online table."""
    one, other = (int(result["deal_score"][at]) for at in order)
    counted = [{item["what"]: item["number"] for item in sheet} for sheet in result["sheets"]]
    first, second = (sum(counted[at].get(kind, 0) for kind in KINDS_OF_BOOK) for at in order)
    outs = [side for side, at in enumerate(order) if counted[at].get("out")]
    return Deal(number, (one, other), (first, second), outs[0] if len(outs) == 1 else None)
