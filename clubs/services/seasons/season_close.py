"""The close of a season: final places and honours, after its last match."""

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
from clubs.services.history import ActionRequest, Record, Rows, declare, perform, undo
from clubs.services.seasons import season_draw, season_plans, season_setup
from engine.compete.seasons import move
from tournaments.models import Pairing, Tournament
from web.errors import Refused
from web.text import join_words, joined, ordinal

NAMED = 5
"""Open matches of a division that are listed; the others are counted."""


@dataclass(frozen=True)
class FinalRow:
    """A team's final place in its division."""

    entry: SeasonEntry
    place: int
    is_shared: bool
    note: str
    """`champion`, `promoted to Division 1`, `relegated to Division 2`, each after the other; empty for none."""


@dataclass(frozen=True)
class Award:
    """An honour of a team, or its promotion or relegation."""

    team: Team
    stored: str
    """The title as it is stored: see `clubs.honours`."""
    place: int
    division: Division | None = None

    @property
    def title(self) -> str:
        return honours.title_text(self.stored)


@dataclass(frozen=True)
class Preview:
    """The outcome of closing a season."""

    season: Season
    waits_for: tuple[str, ...]
    """Open matters, a sentence each: the season cannot be closed while there are any."""
    divisions: tuple[tuple[Division, tuple[FinalRow, ...]], ...]
    honours: tuple[Award, ...]

    @property
    def can_close(self) -> bool:
        return not self.waits_for


# Preview


def preview(season: Season) -> Preview:
    """Preview the close of a season; nothing is written."""
    divisions = season_plans.divisions_of(season)
    orders = finals.final_orders(season, divisions)
    won = list(_honours(season, orders))
    notes: dict[int, list[str]] = {}
    for award in won:
        if award.division is not None:
            notes.setdefault(award.team.pk, []).append(_note(award))
    rows = {
        division: tuple(
            FinalRow(final.entry, final.place, final.is_shared, ", ".join(notes.get(final.team.pk, ())))
            for final in order
        )
        for division, order in orders.items()
    }
    waits = (*_open(season, divisions), *_tied(season, orders))
    return Preview(season, waits, tuple(rows.items()), tuple(won))


def read_closed(season: Season) -> Preview:
    """The stored final places and honours of a closed season: two queries, and one for its divisions."""
    rows = SeasonEntry.objects.filter(season=season).select_related("team__club")
    stored = Honour.objects.filter(season=season).select_related("team", "division")
    won = [
        Award(honour.team, honour.title, honour.place, honour.division)
        for honour in stored.order_by("division__level", "place", "pk")
    ]
    notes: dict[tuple[int, int], list[str]] = {}
    for award in won:
        if award.division is not None:
            notes.setdefault((award.division.pk, award.team.pk), []).append(_note(award))
    orders: dict[int, list[SeasonEntry]] = {}
    for entry in sorted(rows, key=lambda entry: (entry.final_rank is None, entry.final_rank or 0, entry.position)):
        orders.setdefault(entry.division_id, []).append(entry)
    tables = []
    for division in season_plans.divisions_of(season):
        ranked = [entry for entry in orders.get(division.pk, []) if entry.final_rank is not None]
        ranks = [entry.final_rank for entry in ranked]
        tables.append(
            (
                division,
                tuple(
                    FinalRow(
                        entry,
                        entry.final_rank or 0,
                        ranks.count(entry.final_rank) > 1,
                        ", ".join(notes.get((division.pk, entry.team_id), ())),
                    )
                    for entry in ranked
                ),
            )
        )
    return Preview(season, (gettext("%(season)s is already closed.") % {"season": season},), tuple(tables), tuple(won))


def _note(award: Award) -> str:
    return honours.note_text(award.stored)


def _open(season: Season, divisions: Sequence[Division]) -> Iterable[str]:
    """Matches and events that are not over."""
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
    texts = [
        gettext("%(match)s (matchday %(number)s)")
        % {"match": " – ".join(str(place.entry) for place in pairing.places.all()), "number": pairing.round.number}
        for pairing in rows[:NAMED]
    ]
    values = {"division": division, "matches": ", ".join(texts), "number": len(rows) - NAMED}
    if len(rows) > NAMED:
        return gettext("%(division)s: no result yet of %(matches)s and %(number)s more.") % values
    return gettext("%(division)s: no result yet of %(matches)s.") % values


def _tied(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[str]:
    """Teams that are tied in everything, of which only some are promoted or relegated."""
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
            tied = finals.tied_at(order, count, settled=settled)
            if tied:
                yield gettext(
                    "%(division)s: %(names)s are tied on every tie-break for promotion or relegation. Arrange a "
                    "play-off."
                ) % {"division": division, "names": joined([str(team) for team in tied])}


# Honours


def _honours(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[Award]:
    for division, order in orders.items():
        for final in order:
            if final.place == 1:
                yield Award(final.team, honours.write_title(honours.CHAMPION, division.name), 1, division)
            elif final.place == 2:
                yield Award(final.team, honours.write_title(honours.RUNNER_UP, division.name), 2, division)
    yield from _moved(season, orders)
    yield from _cups(season)


def _moved(season: Season, orders: Mapping[Division, Sequence[Final]]) -> Iterable[Award]:
    """Promotions and relegations, by places and play-offs."""
    divisions = list(orders)
    if len(divisions) < 2 or any(not order for order in orders.values()):
        return
    teams = [[final.team.pk for final in order] for order in orders.values()]
    ups, downs = (season_plans.borders(numbers, len(divisions)) for numbers in (season.up, season.down))
    after = move(*finals.after_playoffs(teams, ups, downs, finals.playoffs(season)), least=0)
    level_of = {team: level for level, division in enumerate(after) for team in division}
    for level, (division, order) in enumerate(orders.items()):
        for final in order:
            step = level_of[final.team.pk] - level
            if step:
                title = honours.PROMOTED if step < 0 else honours.RELEGATED
                yield Award(final.team, honours.write_title(title, divisions[level + step].name), final.place, division)


def _cups(season: Season) -> Iterable[Award]:
    events = SeasonEvent.objects.filter(season=season, kind=SeasonEvent.Kind.CUP)
    for event in events.filter(tournament__status=Tournament.Status.OVER).select_related("tournament"):
        order = finals.event_order(event)
        if order:
            yield Award(Team.objects.get(pk=order[0]), honours.write_title(honours.WINNER, event.name), 1)


# Closing


def _check_no_later(season: Season) -> None:
    """Raise if a later season of the league has started."""
    later = Season.objects.filter(league=season.league_id, number__gt=season.number)
    begun = later.exclude(status=Season.Status.DRAFT).first()
    if begun is not None:
        raise Refused(
            "begun",
            gettext("%(begun)s has already started. %(season)s stays closed.") % {"begun": begun, "season": season},
        )


def _check_last(record: Record, act: Act) -> None:
    """The same for the season that an act was about."""
    for change in act.changes:
        if change["model"] == "season":
            _check_no_later(Season.objects.get(pk=change["pk"]))


CLOSING = declare("close", needs="leagues", undo=Rows(first=_check_last))
REOPENING = declare("open", needs="leagues", undo=Rows())


def close(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Close a season: final places with play-offs counted, and honours. Raises `Refused` with the open matters."""

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        plan = preview(season)
        if plan.waits_for:
            raise Refused("open", " ".join(plan.waits_for), sentences=list(plan.waits_for))
        for _, rows in plan.divisions:
            for row in rows:
                record.change(row.entry, final_rank=row.place)
        record.create_all(
            [
                Honour(season=season, division=award.division, team=award.team, title=award.stored, place=award.place)
                for award in plan.honours
            ]
        )
        record.change(season, status=Season.Status.CLOSED, closed_at=record.now)
        champions = [
            award.team for award in plan.honours if award.place == 1 and award.division == plan.divisions[0][0]
        ]
        _tell(record, season, plan)
        values = {"season": season, "league": season.league, "names": join_words([str(team) for team in champions[:2]])}
        if not champions:
            return gettext("%(season)s of %(league)s was closed. Nobody won it.") % values
        return gettext("%(season)s of %(league)s was closed. Won by %(names)s.") % values

    return perform(season_setup.club_of(season_id), do, CLOSING, by=by, **how)


def _tell(record: Record, season: Season, plan: Preview) -> None:
    """Notify the players of their final places."""
    url = address("clubs:season", record.club.slug, season.league.slug, season.slug)
    notified: set[int] = set()
    for division, rows in plan.divisions:
        for row in rows:
            words = partial(_result_text, season, division, row, plan.honours)
            for user in permissions.people_of(row.entry.team):
                if user != record.by and user.pk not in notified:
                    notified.add(user.pk)
                    notifications.tell(record, user, words, key=f"closed:{season.pk}", url=url)


def _result_text(season: Season, division: Division, row: FinalRow, won: Sequence[Award]) -> str:
    words = gettext("%(season)s is over: %(team)s came %(place)s in %(division)s") % {
        "season": season,
        "team": row.entry.team,
        "place": ordinal(row.place),
        "division": division,
    }
    awards = [award for award in won if award.division == division and award.team == row.entry.team]
    return ", ".join([words, *map(_note, awards)])


def undo_close(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Reopen a season, also an imported one. Raises `Refused` if a later one has started."""
    act = season_draw.last_act_of(season_setup.club_of(season_id), "close", season_id, "season")
    return undo(act.pk, by=by, **season_draw.undo_options(how)) if act is not None else _reopen(season_id, by, **how)


def _reopen(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Reopen an imported season, which has no act of its close: deletes its places and honours; undoing restores
    them."""

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        if season.status != Season.Status.CLOSED:
            raise Refused("undone", gettext("%(season)s is not closed.") % {"season": season})
        if SeasonEntry.objects.filter(season=season).exclude(final_row=None).exists():
            raise Refused(
                "no_matches",
                gettext("%(season)s has only a final table, without matches. Undo its import instead.")
                % {"season": season},
            )
        _check_no_later(season)
        for entry in SeasonEntry.objects.filter(season=season).exclude(final_rank=None):
            record.change(entry, final_rank=None)
        for honour in Honour.objects.filter(season=season):
            record.delete(honour)
        record.change(season, status=Season.Status.RUNNING, closed_at=None)
        return gettext("%(season)s of %(league)s was reopened.") % {"season": season, "league": season.league}

    return perform(season_setup.club_of(season_id), do, REOPENING, by=by, **how)
