"""Cups and play-offs alongside the divisions of a season."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from clubs.league import finals
from clubs.models import Act, Division, Season, SeasonEntry, SeasonEvent, SeasonEventEntry, Team
from clubs.services import naming
from clubs.services.history import ActionRequest, Record, Rows, added_row, declare, perform, undo
from clubs.services.leagues import event_roles, team_entries, titles
from clubs.services.seasons import cup_seeds, season_draw, season_plans, season_setup
from tournaments import plan_checks
from tournaments.models import Tournament
from tournaments.plan import BRACKETS, Plan, standard
from tournaments.services.events import lifecycle
from web.errors import Refused
from web.text import either, several

LONGEST = 60
TOP = 4
"""The number of teams in a championship play-off if none are chosen."""
MOST_DAYS = 92


@dataclass(frozen=True)
class Candidate:
    """A team that could be in a play-off, with its division and place."""

    team: Team
    division: Division
    place: int


CUP = declare("cup", needs="leagues", undo=Rows(first=season_draw.check_not_begun))


def make_cup(
    season_id: int,
    by: User,
    *,
    name: str,
    team_ids: Sequence[int],
    format: str = "single_elimination",
    third_place: bool = False,
    round_days: int = 14,
    seeding: str = "hand",
    **how: Unpack[ActionRequest],
) -> SeasonEvent:
    """Create a knockout of teams of the season, drawn and started at once. `seeding` is one of `cup_seeds.WAYS`: `hand`
    seeds in the given order. `format` may be `double_elimination`; each round must be played within `round_days`.
    Raises `Refused` (fields `name`, `teams`, `format`, `round_days`, `seeding`)."""

    def do(record: Record) -> str:
        season = _running(record, season_id)
        order = cup_seeds.seed_order(season, team_ids, seeding)
        event = _make(
            record, season, by, SeasonEvent.Kind.CUP, name, order, _plan(format, third_place, round_days), None
        )
        return gettext("%(event)s of %(season)s started with %(count)s, seeded %(words)s.") % {
            "event": event,
            "season": season,
            "count": several(len(order), "team"),
            "words": gettext(cup_seeds.WORDS[seeding]),
        }

    return added_row(perform(season_setup.club_of(season_id), do, CUP, by=by, **how), SeasonEvent)


def candidates(season: Season, border: int) -> list[Candidate]:
    """The teams of a play-off by the current standings: for the championship (`border` 0) the top four of the top
    division; at a border the team above direct relegation and the team below direct promotion."""
    divisions = season_plans.divisions_of(season)
    if border == 0:
        order = finals.table_order(divisions[0]) if divisions else []
        count = TOP if len(order) >= TOP else 2
        return [Candidate(final.team, divisions[0], final.place) for final in order[:count]]
    if not 1 <= border < len(divisions):
        return []
    ups, downs = (season_plans.borders(numbers, len(divisions)) for numbers in (season.up, season.down))
    upper, lower = (finals.table_order(division) for division in divisions[border - 1 : border + 1])
    safe = upper[: len(upper) - downs[border - 1]]
    staying = [Candidate(final.team, divisions[border - 1], final.place) for final in safe[-1:]]
    waiting = lower[ups[border - 1] : ups[border - 1] + 1]
    return staying + [Candidate(final.team, divisions[border], final.place) for final in waiting]


def make_playoff(
    season_id: int,
    by: User,
    *,
    border: int,
    name: str = "",
    team_ids: Sequence[int] = (),
    third_place: bool = False,
    round_days: int = 14,
    **how: Unpack[ActionRequest],
) -> SeasonEvent:
    """Create a play-off for the championship (`border` 0) or over a border between two divisions: its winner plays
    above it next season, the others below. Seeded in this order; by default `candidates`. Raises `Refused` while one of
    its divisions is not over, and for teams that are promoted or relegated anyway."""

    def do(record: Record) -> str:
        season = _running(record, season_id)
        divisions = season_plans.divisions_of(season)
        if not 0 <= border < len(divisions):
            raise Refused("no_border", gettext("Choose two divisions that are next to each other."), field="border")
        concerned = divisions[:1] if border == 0 else divisions[border - 1 : border + 1]
        for division in concerned:
            if division.tournament is None or division.tournament.status != Tournament.Status.OVER:
                raise Refused(
                    "not_over",
                    gettext("%(division)s is not over yet. Its final standings decide the teams of the play-off.")
                    % {"division": division},
                    field="border",
                )
        existing = SeasonEvent.objects.filter(season=season, kind=SeasonEvent.Kind.PLAYOFF, border=border)
        if existing.exclude(tournament__status=Tournament.Status.CANCELLED).exists():
            raise Refused("made", gettext("There is already a play-off for this."), field="border")
        chosen = list(team_ids) or [candidate.team.pk for candidate in candidates(season, border)]
        _check_playoff(season, divisions, concerned, border, chosen)
        title = name.strip() or (
            gettext("Championship play-off")
            if border == 0
            else gettext("Play-off for %(division)s") % {"division": concerned[0].name}
        )
        plan = _plan("single_elimination", third_place, round_days)
        event = _make(record, season, by, SeasonEvent.Kind.PLAYOFF, title, chosen, plan, border)
        return gettext("%(event)s of %(season)s started with %(count)s.") % {
            "event": event,
            "season": season,
            "count": several(len(chosen), "team"),
        }

    return added_row(perform(season_setup.club_of(season_id), do, CUP, by=by, **how), SeasonEvent)


def undo_event(season_event_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Undo a cup or a play-off in which nothing was played. Raises `Refused`."""
    club_id = SeasonEvent.objects.filter(pk=season_event_id).values_list("season__league__club_id", flat=True).first()
    act_id = season_draw.act_of(club_id or 0, "cup", season_event_id, "seasonevent")
    return undo(act_id, by=by, **season_draw.undo_options(how))


# Parts


def _check_playoff(
    season: Season, divisions: Sequence[Division], concerned: Sequence[Division], border: int, team_ids: Sequence[int]
) -> None:
    orders = {division.pk: finals.table_order(division) for division in concerned}
    final_of = {final.team.pk: final for order in orders.values() for final in order}
    if not set(team_ids) <= set(final_of):
        names = either([str(division) for division in concerned])
        raise Refused(
            "not_in_division",
            gettext("Only teams of %(names)s can be in this play-off.") % {"names": names},
            field="teams",
        )
    if border == 0:
        return
    ups, downs = (season_plans.borders(numbers, len(divisions)) for numbers in (season.up, season.down))
    upper, lower = orders[concerned[0].pk], orders[concerned[1].pk]
    rising = {final.team.pk for final in lower[: ups[border - 1]]}
    falling = {final.team.pk for final in upper[max(0, len(upper) - downs[border - 1]) :]}
    for pk in team_ids:
        if pk in rising | falling:
            words = (
                gettext("%(team)s is promoted anyway.") if pk in rising else gettext("%(team)s is relegated anyway.")
            )
            raise Refused("moves_anyway", words % {"team": final_of[pk].team}, field="teams")


def _plan(format: str, third_place: bool, round_days: int) -> Plan:
    if format not in BRACKETS:
        raise Refused("bad_format", gettext("A cup must be a knockout or a double elimination."), field="format")
    if not 1 <= round_days <= MOST_DAYS:
        raise Refused(
            "bad_days", gettext("A round must take 1 to %(most)s days.") % {"most": MOST_DAYS}, field="round_days"
        )
    return standard(format, third_place=third_place and format == "single_elimination", round_hours=24 * round_days)


def _running(record: Record, season_id: int) -> Season:
    season = season_setup.season_of(record, season_id)
    if season.status != Season.Status.RUNNING:
        raise Refused("not_running", gettext("%(season)s is not under way.") % {"season": season})
    return season


def _make(
    record: Record,
    season: Season,
    by: User,
    kind: str,
    name: str,
    team_ids: Sequence[int],
    plan: Plan,
    border: int | None,
) -> SeasonEvent:
    """Create the tournament of a cup or a play-off, enter its teams by seed, and start it."""
    title = naming.clean(name, LONGEST, field="name")
    events = SeasonEvent.objects.filter(season=season).exclude(tournament__status=Tournament.Status.CANCELLED)
    if titles.is_taken(title, events.values_list("name", flat=True)):
        raise Refused(
            "name_taken",
            gettext("Something in this season is already called %(title)s.") % {"title": title},
            field="name",
        )
    entries = SeasonEntry.objects.filter(season=season, team__in=team_ids).select_related("team__club", "team__league")
    teams = {entry.team_id: entry.team for entry in entries}
    if len(set(team_ids)) < len(team_ids) or len(teams) < len(team_ids):
        raise Refused("not_in_season", gettext("Choose teams of the season, each once."), field="teams")
    if wrong := plan_checks.count_problems(season_plans.tournament_for(season, title), plan, len(teams)):
        raise Refused("cannot_work", " ".join(wrong), field="teams")
    tournament = season_draw.make_tournament(record, season, title, plan, by, starts_at=record.now)
    event = SeasonEvent(season=season, kind=kind, name=title, tournament=tournament, border=border)
    record.create(event)
    for team_id in team_ids:
        entry = team_entries.enter(record, tournament.pk, by, teams[team_id])
        record.create(SeasonEventEntry(event=event, team=teams[team_id], entry=entry))
    lifecycle.start(tournament.pk, by, now=record.now, within=record)
    event_roles.sync(record.club, by, within=record)
    return event
