"""The close of a season: final places and honours, once everything was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from accounts.models import User
from clubs.league import acting, finals
from clubs.league.finals import Final
from clubs.models import Act, Division, Honour, Season, SeasonEntry, SeasonEvent, Team
from clubs.public.frame import address
from clubs.services import drawing, season_plans, seasons, telling
from clubs.services.history import NEEDED, UNDOING, UNDONE_BY_ROWS, How, Record, perform, undo
from engine.compete.seasons import move
from tournaments.models import Pairing, Tournament
from web.errors import Refused

UNDONE_BY_ROWS |= {"close", "open"}
NEEDED.update({"close": "leagues", "open": "leagues"})

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
    title: str
    place: int
    division: Division | None = None


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
    honours = list(_honours(season, orders))
    notes: dict[int, list[str]] = {}
    for one in honours:
        if one.division is not None:
            notes.setdefault(one.team.pk, []).append(_note(one))
    rows = {
        division: tuple(
            FinalRow(one.entry, one.place, one.is_shared, ", ".join(notes.get(one.team.pk, ()))) for one in order
        )
        for division, order in orders.items()
    }
    waits = (*_open(season, divisions), *_level(season, orders))
    return Preview(season, waits, tuple(rows.items()), tuple(honours))


def kept(season: Season) -> Preview:
    """The final places and honours of a closed season as they were kept: two queries, and one for its divisions."""
    rows = SeasonEntry.objects.filter(season=season).select_related("team__club")
    honours = Honour.objects.filter(season=season).select_related("team", "division")
    won = [
        Won(one.team, one.title, one.place, one.division) for one in honours.order_by("division__level", "place", "pk")
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
    return Preview(season, (f"{season} is closed already.",), tuple(found), tuple(won))


def _note(won: Won) -> str:
    title = won.title
    if title.startswith("Champion"):
        return "champion"
    if title.startswith("Runner-up"):
        return "runner-up"
    return title[:1].lower() + title[1:]


def _open(season: Season, divisions: Sequence[Division]) -> Iterable[str]:
    """What is still to be played."""
    if season.status == Season.Status.DRAFT:
        yield f"{season} is not drawn yet."
        return
    if season.status == Season.Status.CLOSED:
        yield f"{season} is closed already."
        return
    for division in divisions:
        if division.tournament is not None and division.tournament.status != Tournament.Status.OVER:
            yield _open_matches(division)
    for event in SeasonEvent.objects.filter(season=season).select_related("tournament"):
        if event.tournament.status not in (Tournament.Status.OVER, Tournament.Status.CANCELLED):
            yield f"{event.name} is not over."


def _open_matches(division: Division) -> str:
    over = (Pairing.Status.DONE, Pairing.Status.IDLE)
    matches = Pairing.objects.filter(round__stage__tournament=division.tournament).exclude(status__in=over)
    rows = list(matches.order_by("round__number", "number").prefetch_related("places__entry").select_related("round"))
    if not rows:
        return f"{division} is not over."
    named = [
        f"{' – '.join(str(place.entry) for place in row.places.all())} (matchday {row.round.number})"
        for row in rows[:NAMED]
    ]
    more = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return f"{division}: no result yet of {', '.join(named)}{more}."


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
                names = " and ".join(str(team) for team in tied)
                yield f"{division}: {names} are level in everything at the line: let them play off."


# What is won


def _honours(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[Won]:
    for division, order in orders.items():
        for one in order:
            if one.place == 1:
                yield Won(one.team, f"Champion of {division.name}"[:80], 1, division)
            elif one.place == 2:
                yield Won(one.team, f"Runner-up of {division.name}"[:80], 2, division)
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
                verb = "Promoted" if step < 0 else "Relegated"
                yield Won(one.team, f"{verb} to {divisions[level + step].name}"[:80], one.place, division)


def _cups(season: Season) -> Iterable[Won]:
    events = SeasonEvent.objects.filter(season=season, kind=SeasonEvent.Kind.CUP)
    for event in events.filter(tournament__status=Tournament.Status.OVER).select_related("tournament"):
        order = finals.event_order(event)
        if order:
            yield Won(Team.objects.get(pk=order[0]), f"Winner of {event.name}"[:80], 1)


# Closing


def close(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Close a season: final places with play-offs counted, and honours. Raises `Refused` with what it waits for."""

    def do(record: Record) -> str:
        season = seasons.season_of(record, season_id)
        found = preview(season)
        if found.waits_for:
            raise Refused("open", " ".join(found.waits_for), sentences=list(found.waits_for))
        for _, rows in found.divisions:
            for row in rows:
                record.change(row.entry, final_rank=row.place)
        record.create_all(
            [
                Honour(season=season, division=one.division, team=one.team, title=one.title, place=one.place)
                for one in found.honours
            ]
        )
        record.change(season, status=Season.Status.CLOSED, closed_at=record.now)
        champions = [one.team for one in found.honours if one.place == 1 and one.division == found.divisions[0][0]]
        _tell(record, season, found)
        return f"{season} of {season.league} was closed; {' and '.join(map(str, champions[:2])) or 'nobody'} won it."

    return perform(seasons.club_of(season_id), do, act="leagues", kind="close", by=by, **how)


def _tell(record: Record, season: Season, found: Preview) -> None:
    """Tell everybody who played how they came out."""
    url = address("clubs:season", record.club.slug, season.league.slug, season.slug)
    told: set[int] = set()
    for division, rows in found.divisions:
        for row in rows:
            words = f"{season} is over: {row.entry.team} came {ordinal(row.place)} in {division}"
            for user in acting.people_of(row.entry.team):
                if user != record.by and user.pk not in told:
                    told.add(user.pk)
                    note = f", {row.note}" if row.note else ""
                    telling.tell(record, user, f"{words}{note}", what=f"closed:{season.pk}", url=url)


def ordinal(place: int) -> str:
    """`1st`, `2nd`, `11th`."""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return f"{place}{({1: 'st', 2: 'nd', 3: 'rd'}).get(place % 10, 'th')}"


def undo_close(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Open a season again, one that was brought in as closed too. Raises `Refused` where a later one has begun."""
    act = drawing.last_act_of("close", season_id, "season")
    return undo(act, by=by, **drawing.asked(how)) if act is not None else _open_again(season_id, by, **how)


def _open_again(season_id: int, by: User, **how: Unpack[How]) -> Act:
    """Open a season that nobody closed here: it was brought in with its places and honours, and is closed anew as others
    are. Undone, it has those that it came with."""

    def do(record: Record) -> str:
        season = seasons.season_of(record, season_id)
        if season.status != Season.Status.CLOSED:
            raise Refused("undone", f"{season} is not closed.")
        _check_no_later(season)
        for row in SeasonEntry.objects.filter(season=season).exclude(final_rank=None):
            record.change(row, final_rank=None)
        for honour in Honour.objects.filter(season=season):
            record.delete(honour)
        record.change(season, status=Season.Status.RUNNING, closed_at=None)
        return f"{season} of {season.league} was opened again."

    return perform(seasons.club_of(season_id), do, act="leagues", kind="open", by=by, **how)


def _check_no_later(season: Season) -> None:
    """Raise where a later season of the league has begun."""
    later = Season.objects.filter(league=season.league_id, number__gt=season.number)
    begun = later.exclude(status=Season.Status.DRAFT).first()
    if begun is not None:
        raise Refused("begun", f"{begun} has begun already: {season} stays closed.")


def _check_last(record: Record, act: Act) -> None:
    """The same for the season that an act was about."""
    for one in act.changes:
        if one["model"] == "season":
            _check_no_later(Season.objects.get(pk=one["pk"]))


UNDOING["close"] = _check_last
