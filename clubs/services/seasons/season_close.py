"""The close of a season: final places and honours, once everything was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs import honours
from clubs.league import finals, permissions
from clubs.league.finals import Final
from clubs.models import Act, Division, Honour, Season, SeasonEntry, SeasonEvent, Team
from clubs.public.page_context import address
from clubs.services import notifications
from clubs.services.history import How, Record, Rows, declare, perform, undo
from clubs.services.seasons import season_draw, season_plans, season_setup
from engine.compete.seasons import move
from tournaments.models import Pairing, Tournament
from web.errors import Refused
from web.text import joined, listed, ordinal

NAMED = 5
"""Open matches of a division that are told by name; the others are counted."""


@dataclass(frozen=True)
class FinalRow:
    """A team's final place in its division."""

    entry: SeasonEntry
    place: int
    is_shared: bool
    note: str
    """`champion`, `promoted to Division 1`, `relegated to Division 2`, each after the other; empty for none."""


@dataclass(frozen=True)
class Won:
    """What a team won, or what became of it."""

    team: Team
    kept: str
    """The title as it is stored: see `clubs.honours`."""
    place: int
    division: Division | None = None

    @property
    def title(self) -> str:
        return honours.said(self.kept)


@dataclass(frozen=True)
class Preview:
    """What closing a season would decide."""

    season: Season
    waits_for: tuple[str, ...]
    """What is still open, a sentence each: the season cannot be closed while there is any."""
    divisions: tuple[tuple[Division, tuple[FinalRow, ...]], ...]
    honours: tuple[Won, ...]

    @property
    def can_close(self) -> bool:
        return not self.waits_for


# Looking


def preview(season: Season) -> Preview:
    """What closing would decide as things stand; nothing is written."""
    divisions = season_plans.divisions_of(season)
    orders = finals.final_orders(season, divisions)
    won = list(_honours(season, orders))
    notes: dict[int, list[str]] = {}
    for one in won:
        if one.division is not None:
            notes.setdefault(one.team.pk, []).append(_note(one))
    rows = {
        division: tuple(
            FinalRow(one.entry, one.place, one.is_shared, ", ".join(notes.get(one.team.pk, ()))) for one in order
        )
        for division, order in orders.items()
    }
    waits = (*_open(season, divisions), *_level(season, orders))
    return Preview(season, waits, tuple(rows.items()), tuple(won))


def kept(season: Season) -> Preview:
    """The final places and honours of a closed season as they were kept: two queries, and one for its divisions."""
    rows = SeasonEntry.objects.filter(season=season).select_related("team__club")
    stored = Honour.objects.filter(season=season).select_related("team", "division")
    won = [
        Won(one.team, one.title, one.place, one.division) for one in stored.order_by("division__level", "place", "pk")
    ]
    notes: dict[tuple[int, int], list[str]] = {}
    for one in won:
        if one.division is not None:
            notes.setdefault((one.division.pk, one.team.pk), []).append(_note(one))
    orders: dict[int, list[SeasonEntry]] = {}
    for row in sorted(rows, key=lambda row: (row.final_rank is None, row.final_rank or 0, row.position)):
        orders.setdefault(row.division_id, []).append(row)
    found = []
    for division in season_plans.divisions_of(season):
        own = [row for row in orders.get(division.pk, []) if row.final_rank is not None]
        ranks = [row.final_rank for row in own]
        found.append(
            (
                division,
                tuple(
                    FinalRow(
                        row,
                        row.final_rank or 0,
                        ranks.count(row.final_rank) > 1,
                        ", ".join(notes.get((division.pk, row.team_id), ())),
                    )
                    for row in own
                ),
            )
        )
    return Preview(season, (gettext("%(season)s is already closed.") % {"season": season},), tuple(found), tuple(won))


def _note(won: Won) -> str:
    return honours.noted(won.kept)


def _open(season: Season, divisions: Sequence[Division]) -> Iterable[str]:
    """What is still to be played."""
    if season.status == Season.Status.DRAFT:
        yield gettext("%(season)s is not drawn yet.") % {"season": season}
        return
    if season.status == Season.Status.CLOSED:
        yield gettext("%(season)s is already closed.") % {"season": season}
        return
    for division in divisions:
        if division.tournament is not None and division.tournament.status != Tournament.Status.OVER:
            yield _open_matches(division)
    for event in SeasonEvent.objects.filter(season=season).select_related("tournament"):
        if event.tournament.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED):
            yield gettext("%(event)s is not over.") % {"event": event.name}


def _open_matches(division: Division) -> str:
    over = (Pairing.Status.DONE, Pairing.Status.IDLE)
    matches = Pairing.objects.filter(round__stage__tournament=division.tournament).exclude(status__in=over)
    rows = list(matches.order_by("round__number", "number").prefetch_related("places__entry").select_related("round"))
    if not rows:
        return gettext("%(division)s is not over.") % {"division": division}
    named = [
        gettext("%(match)s (matchday %(number)s)")
        % {"match": " – ".join(str(place.entry) for place in row.places.all()), "number": row.round.number}
        for row in rows[:NAMED]
    ]
    values = {"division": division, "matches": ", ".join(named), "number": len(rows) - NAMED}
    if len(rows) > NAMED:
        return gettext("%(division)s: no result yet of %(matches)s and %(number)s more.") % values
    return gettext("%(division)s: no result yet of %(matches)s.") % values


def _level(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[str]:
    """Teams that are level in everything where one of them goes up or down and the other does not."""
    divisions = list(orders)
    ups, downs = (season_plans.borders(numbers, len(divisions)) for numbers in (season.up, season.down))
    decided = finals.playoffs(season)
    for border in range(1, len(divisions)):
        settled = decided[border].order if border in decided else ()
        lower, upper = orders[divisions[border]], orders[divisions[border - 1]]
        lines = (
            (divisions[border], lower, ups[border - 1]),
            (divisions[border - 1], upper, len(upper) - downs[border - 1]),
        )
        for division, order, count in lines:
            if division.tournament is None or division.tournament.status != Tournament.Status.OVER:
                continue
            tied = finals.level_at(order, count, settled=settled)
            if tied:
                yield gettext(
                    "%(division)s: %(names)s are tied on every tie-break for promotion or relegation. Arrange a "
                    "play-off."
                ) % {
                    "division": division,
                    "names": joined([str(team) for team in tied]),
                }


# What is won


def _honours(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[Won]:
    for division, order in orders.items():
        for one in order:
            if one.place == 1:
                yield Won(one.team, honours.made(honours.CHAMPION, division.name), 1, division)
            elif one.place == 2:
                yield Won(one.team, honours.made(honours.RUNNER_UP, division.name), 2, division)
    yield from _moved(season, orders)
    yield from _cups(season)


def _moved(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[Won]:
    """Who goes up and who goes down, by places and play-offs."""
    divisions = list(orders)
    if len(divisions) < 2 or any(not order for order in orders.values()):
        return
    teams = [[one.team.pk for one in order] for order in orders.values()]
    ups, downs = (season_plans.borders(numbers, len(divisions)) for numbers in (season.up, season.down))
    made = move(*finals.after_playoffs(teams, ups, downs, finals.playoffs(season)), least=0)
    level_of = {team: level for level, division in enumerate(made) for team in division}
    for level, (division, order) in enumerate(orders.items()):
        for one in order:
            step = level_of[one.team.pk] - level
            if step:
                title = honours.PROMOTED if step < 0 else honours.RELEGATED
                yield Won(one.team, honours.made(title, divisions[level + step].name), one.place, division)


def _cups(season: Season) -> Iterable[Won]:
    events = SeasonEvent.objects.filter(season=season, kind=SeasonEvent.Kind.CUP)
    for event in events.filter(tournament__status=Tournament.Status.OVER).select_related("tournament"):
        order = finals.event_order(event)
        if order:
            yield Won(Team.objects.get(pk=order[0]), honours.made(honours.WINNER, event.name), 1)


# Closing


def _check_no_later(season: Season) -> None:
    """Raise where a later season of the league has begun."""
    later = Season.objects.filter(league=season.league_id, number__gt=season.number)
    begun = later.exclude(status=Season.Status.DRAFT).first()
    if begun is not None:
        raise Refused(
            "begun",
            gettext("%(begun)s has already started. %(season)s stays closed.") % {"begun": begun, "season": season},
        )


def _check_last(record: Record, act: Act) -> None:
    """The same for the season that an act was about."""
    for one in act.changes:
        if one["model"] == "season":
            _check_no_later(Season.objects.get(pk=one["pk"]))


CLOSING = declare("close", needs="leagues", undo=Rows(first=_check_last))
REOPENING = declare("open", needs="leagues", undo=Rows())


def close(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Close a season: final places with play-offs counted, and honours. Raises `Refused` with what it waits for."""

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        found = preview(season)
        if found.waits_for:
            raise Refused("open", " ".join(found.waits_for), sentences=list(found.waits_for))
        for _, rows in found.divisions:
            for row in rows:
                record.change(row.entry, final_rank=row.place)
        record.create_all(
            [
                Honour(season=season, division=one.division, team=one.team, title=one.kept, place=one.place)
                for one in found.honours
            ]
        )
        record.change(season, status=Season.Status.CLOSED, closed_at=record.now)
        champions = [one.team for one in found.honours if one.place == 1 and one.division == found.divisions[0][0]]
        _tell(record, season, found)
        values = {"season": season, "league": season.league, "names": listed([str(team) for team in champions[:2]])}
        if not champions:
            return gettext("%(season)s of %(league)s was closed. Nobody won it.") % values
        return gettext("%(season)s of %(league)s was closed. Won by %(names)s.") % values

    return perform(season_setup.club_of(season_id), do, CLOSING, by=by, **how)


def _tell(record: Record, season: Season, found: Preview) -> None:
    """Tell everybody who played how they came out."""
    url = address("clubs:season", record.club.slug, season.league.slug, season.slug)
    told: set[int] = set()
    for division, rows in found.divisions:
        for row in rows:
            words = partial(_how_it_came_out, season, division, row, found.honours)
            for user in permissions.people_of(row.entry.team):
                if user != record.by and user.pk not in told:
                    told.add(user.pk)
                    notifications.tell(record, user, words, what=f"closed:{season.pk}", url=url)


def _how_it_came_out(season: Season, division: Division, row: FinalRow, won: Sequence[Won]) -> str:
    words = gettext("%(season)s is over: %(team)s came %(place)s in %(division)s") % {
        "season": season,
        "team": row.entry.team,
        "place": ordinal(row.place),
        "division": division,
    }
    own = [one for one in won if one.division == division and one.team == row.entry.team]
    return ", ".join([words, *map(_note, own)])


def undo_close(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Open a season again, one that was brought in as closed too. Raises `Refused` where a later one has begun."""
    act = season_draw.last_act_of("close", season_id, "season")
    return undo(act, by=by, **season_draw.asked(how)) if act is not None else _open_again(season_id, by, **how)


def _open_again(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Open a season that nobody closed here: it was brought in with its places and honours, and is closed anew as others
    are. Undone, it has those that it came with."""

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        if season.status != Season.Status.CLOSED:
            raise Refused("undone", gettext("%(season)s is not closed.") % {"season": season})
        _check_no_later(season)
        for row in SeasonEntry.objects.filter(season=season).exclude(final_rank=None):
            record.change(row, final_rank=None)
        for honour in Honour.objects.filter(season=season):
            record.delete(honour)
        record.change(season, status=Season.Status.RUNNING, closed_at=None)
        return gettext("%(season)s of %(league)s was reopened.") % {"season": season, "league": season.league}

    return perform(season_setup.club_of(season_id), do, REOPENING, by=by, **how)
