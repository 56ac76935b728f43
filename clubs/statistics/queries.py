"""Matches for statistics, read in a fixed number of queries into plain records."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from accounts.display_names import FORMER, name_text
from clubs.models import Appearance, Club, Division, League, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from engine.play.paper import KINDS_OF_BOOK
from gameplay.models import Deal as TableDeal
from tournaments import seating
from tournaments.models import Pairing, Place, Result, Tournament
from tournaments.round_names import round_words

EARLIEST = datetime.min.replace(tzinfo=UTC)
_ABSENT = (Result.Kind.FORFEIT, Result.Kind.DOUBLE_FORFEIT)


@dataclass(frozen=True)
class Person:
    """A person who played."""

    membership_id: int
    name: str
    """Their name in the club; only the words for former members if they have left."""
    is_here: bool


@dataclass(frozen=True)
class Deal:
    """A deal of a match, as far as it was written down."""

    number: int
    points: tuple[int, int]
    """Card points of the two sides."""
    books: tuple[int, int] | None
    """Books of the two sides; `None` if only totals are known."""
    out: int | None
    """The side that went out first, 0 or 1; `None` if nobody did or it is unknown."""


@dataclass(frozen=True)
class Side:
    """A team in a finished match."""

    team: Team
    score: int | None
    """Card points; `None` if nothing was played."""
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
        """`Autumn 2026, Division 1, matchday 3`, or `Autumn 2026, Cup, semi-finals`."""
        return f"{self.season}, {self.event or self.division}, {round_words(self.pairing.round.name)}"

    @property
    def scores(self) -> tuple[int, int] | None:
        """Card points of the two sides; `None` without play, or if only the winner is known."""
        first, second = self.sides[0].score, self.sides[1].score
        return None if self.is_walkover or first is None or second is None else (first, second)

    @property
    def key(self) -> tuple[int, datetime, int, int]:
        """Sort key: the order in which the matches of a league were scheduled."""
        pairing = self.pairing
        at = pairing.starts_at or pairing.round.starts_at or pairing.done_at or EARLIEST
        return self.season.number, at, self.number, pairing.pk


def of_club(club: Club) -> list[Match]:
    """Every finished match of a club’s leagues, in order: a fixed number of queries."""
    return _matches(Season.objects.filter(league__club=club))


def of_league(league: League) -> list[Match]:
    """Every finished match of a league."""
    return _matches(Season.objects.filter(league=league))


def of_season(season: Season) -> list[Match]:
    """Every finished match of a season."""
    return _matches(Season.objects.filter(pk=season.pk))


def _matches(seasons: QuerySet[Season]) -> list[Match]:
    drawn = seasons.exclude(status=Season.Status.DRAFT).select_related("league__club")
    seasons_by_id = {season.pk: season for season in drawn}
    with_event = Division.objects.filter(season__in=seasons_by_id, tournament__isnull=False)
    divisions = {division.tournament_id: division for division in with_event}
    events = {event.tournament_id: event for event in SeasonEvent.objects.filter(season__in=seasons_by_id)}
    pairings = Pairing.objects.filter(
        Q(round__stage__tournament__in=[*divisions, *events]),
        round__stage__tournament__visibility=Tournament.Visibility.PUBLIC,
        status=Pairing.Status.DONE,
    ).order_by()
    ids = pairings.values("pk")
    teams, places = _teams(list(seasons_by_id.values())), _places(ids)
    people, dealt = _people(ids), _table_deals(ids)
    sizes: dict[int, int] = {}
    matches = []
    for pairing in pairings.select_related("round__stage__tournament", "result"):
        own_places = places[pairing.pk]
        if len(own_places) != 2 or any(place.entry_id not in teams for place in own_places):
            continue
        tournament = pairing.round.stage.tournament
        size = sizes.setdefault(tournament.pk, tournament.side_size)
        division, event = divisions.get(tournament.pk), events.get(tournament.pk)
        season_id = division.season_id if division else events[tournament.pk].season_id
        kind = pairing.result.kind if pairing.result is not None else ""
        matches.append(
            Match(
                pairing=pairing,
                season=seasons_by_id[season_id],
                division=division,
                event=event,
                number=pairing.round.number,
                sides=_sides(own_places, teams, people, size),
                is_walkover=pairing.is_walkover or kind in _ABSENT,
                deals=_deals(pairing, own_places, dealt.get(pairing.table_id or 0, ())),
            )
        )
    return sorted(matches, key=lambda match: match.key)


def _teams(seasons: Sequence[Season]) -> dict[int | None, Team]:
    """Teams by the ids of their entries."""
    leagues = {season.league_id: season.league for season in seasons}
    teams: dict[int | None, Team] = {}
    rows: list[Any] = [
        *SeasonEntry.objects.filter(season__in=seasons).exclude(entry=None).select_related("team"),
        *SeasonEventEntry.objects.filter(event__season__in=seasons).select_related("team"),
    ]
    for row in rows:
        row.team.league = leagues[row.team.league_id]
        teams[row.entry_id] = row.team
    return teams


def _places(pairings: QuerySet[Pairing, Any]) -> Mapping[int, list[Place]]:
    places: dict[int, list[Place]] = defaultdict(list)
    rows = Place.objects.filter(pairing__in=pairings).select_related("entry").order_by("pairing_id", "number")
    for place in rows.prefetch_related(Prefetch("entry__members")):
        places[place.pairing_id].append(place)
    return places


def _people(pairings: QuerySet[Pairing, Any]) -> dict[int, Person]:
    """People by the ids of their entry members."""
    rows = Appearance.objects.filter(member__entry__places__pairing__in=pairings).select_related("membership")
    return {
        appearance.member_id: Person(
            appearance.membership_id,
            name_text(appearance.membership.name if appearance.membership.is_here else FORMER),
            appearance.membership.is_here,
        )
        for appearance in rows.distinct()
    }


def _sides(
    places: Sequence[Place], teams: Mapping[int | None, Team], people: Mapping[int, Person], size: int
) -> tuple[Side, Side]:
    first = [place for place in places if place.rank == 1]
    home, away = (
        Side(
            team=teams[place.entry_id],
            score=place.score,
            sign="L" if place.rank != 1 else "W" if len(first) == 1 else "D",
            people=tuple(people[each.pk] for each in seating.fielded(place, size) if each.pk in people),
        )
        for place in places
    )
    return home, away


# Deals


def _table_deals(pairings: QuerySet[Pairing, Any]) -> dict[int, list[tuple[int, Mapping[str, Any]]]]:
    """Results of deals by the online table at which they were played."""
    deals: dict[int, list[tuple[int, Mapping[str, Any]]]] = defaultdict(list)
    rows = TableDeal.objects.filter(table__pairing__in=pairings, result__isnull=False)
    for table, number, result in rows.order_by("number").values_list("table_id", "number", "result"):
        deals[table].append((number, result or {}))
    return deals


def _deals(
    pairing: Pairing, places: Sequence[Place], dealt: Sequence[tuple[int, Mapping[str, Any]]]
) -> tuple[Deal, ...]:
    """The deals of a match, from the score sheet of its result, or from its table."""
    try:
        return _known_deals(pairing, places, dealt)
    except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
        # A sheet from the archive of another installation can have any shape.
        return ()


def _known_deals(
    pairing: Pairing, places: Sequence[Place], dealt: Sequence[tuple[int, Mapping[str, Any]]]
) -> tuple[Deal, ...]:
    sheet = pairing.result.sheet if pairing.result is not None else None
    if sheet and sheet.get("deals"):
        orders = [place.entry_id for place in places]
        sides = [tuple(side) for side in sheet.get("sides", ())]
        if sides == [(orders[1],), (orders[0],)]:
            return tuple(_written(number, deal, (1, 0)) for number, deal in enumerate(sheet["deals"], 1))
        if sides == [(orders[0],), (orders[1],)]:
            return tuple(_written(number, deal, (0, 1)) for number, deal in enumerate(sheet["deals"], 1))
        return ()
    result = pairing.result
    if result is None or result.origin != Result.Origin.TABLE or len({place.side for place in places}) != 2:
        return ()
    order = (0, 1) if places[0].side < places[1].side else (1, 0)
    return tuple(_played(number, result, order) for number, result in dealt)


def _written(number: int, deal: Mapping[str, Any], order: tuple[int, int]) -> Deal:
    """A deal of a score sheet; `order` maps the sides of the match to those of the sheet."""
    first, second = (int(deal["points"][at]) for at in order)
    teams = deal.get("teams")
    if not teams:
        return Deal(number, (first, second), None, None)
    books_a, books_b = (sum((teams[at].get("books") or {}).values()) for at in order)
    outs = [side for side, at in enumerate(order) if teams[at].get("out")]
    return Deal(number, (first, second), (books_a, books_b), outs[0] if len(outs) == 1 else None)


def _played(number: int, result: Mapping[str, Any], order: tuple[int, int]) -> Deal:
    """A deal of an online table."""
    first, second = (int(result["deal_score"][at]) for at in order)
    counts = [{item["what"]: item["number"] for item in sheet} for sheet in result["sheets"]]
    books_a, books_b = (sum(counts[at].get(kind, 0) for kind in KINDS_OF_BOOK) for at in order)
    outs = [side for side, at in enumerate(order) if counts[at].get("out")]
    return Deal(number, (first, second), (books_a, books_b), outs[0] if len(outs) == 1 else None)
