"""The draw of a season: previewed, made in one act, and undone until something is played."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TypedDict, Unpack

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from accounts.models import User
from clubs import text
from clubs.league import permissions, timetable
from clubs.league.timetable import Day, Off
from clubs.models import Act, Division, Season, SeasonEntry, Team, TeamMember
from clubs.public.page_context import address
from clubs.services import notifications
from clubs.services.history import ActionRequest, Record, Rows, declare, perform, undo
from clubs.services.leagues import event_roles, leagues, team_entries
from clubs.services.seasons import season_plans, season_setup, undone_draws
from engine.compete import fixtures
from tournaments import plan_checks
from tournaments.models import Pairing, Tournament, TypedScores
from tournaments.plan import Plan
from tournaments.services.events import lifecycle
from tournaments.services.matches import match_scheduling
from tournaments.stage_state import has_begun
from web.errors import Refused
from web.text import several


@dataclass(frozen=True)
class DrawnMatch:
    """A match that the draw would make."""

    home: Team
    away: Team
    clashes: tuple[str, ...] = ()
    """Reasons against its days: a sentence for each team that is away."""
    starts_at: datetime | None = None
    """Its own start, of a list; `None` for that of its matchday."""
    venue: str = ""
    scores: tuple[int, int] | None = None
    """Its scores in the list, if it was played."""


@dataclass(frozen=True)
class DrawnDay:
    """A matchday of one division."""

    number: int
    first_day: date
    last_day: date
    starts_at: datetime
    deadline_at: datetime
    moved: str
    """Why it is later than the usual day; empty if it is not."""
    matches: tuple[DrawnMatch, ...]
    byes: tuple[Team, ...]


@dataclass(frozen=True)
class DrawnDivision:
    """A division as it would be drawn."""

    division: Division
    order: tuple[SeasonEntry, ...]
    """The teams in the order of the draw, which respects their days off as far as it can."""
    days: tuple[DrawnDay, ...]
    is_listed: bool = False
    """Whether its matches are those of a list, not of the draw."""

    @property
    def fixtures(self) -> list[list[list[int]]]:
        """Its matches by matchday, as places in the order of the draw."""
        places = {entry.team_id: at for at, entry in enumerate(self.order, 1)}
        return [[[places[match.home.pk], places[match.away.pk]] for match in day.matches] for day in self.days]


@dataclass(frozen=True)
class Preview:
    """A season as it would be drawn."""

    season: Season
    divisions: tuple[DrawnDivision, ...]
    wrong: tuple[str, ...]
    """Problems, a sentence each: the season cannot be drawn while there are any."""
    notes: tuple[str, ...]
    """Notes: clashes, divisions that are not full, matchdays that were moved."""

    @property
    def can_draw(self) -> bool:
        return not self.wrong


# Preview


def preview(
    season: Season, now: datetime | None = None, from_list: Mapping[int, DrawnDivision] | None = None
) -> Preview:
    """Preview the draw of a draft; nothing is written. `from_list` are divisions as a list has them, by id."""
    plan = season_plans.plan_of(season)
    teams = _teams_of(season)
    rosters = _rosters(season)
    wrong = [*_wrong_season(season), *_wrong_rosters(season, teams, rosters)]
    divisions: list[DrawnDivision] = []
    for division, entries in teams.items():
        problems = _wrong_division(season, plan, division, entries)
        wrong += problems
        if not problems:
            drawn = (from_list or {}).get(division.pk)
            divisions.append(drawn or _drawn(season, plan, division, entries))
    now = now or timezone.now()
    wrong += _wrong_days(season, divisions, now)
    notes = [*_notes(divisions), *_past_notes(divisions, now)]
    return Preview(season, tuple(divisions), tuple(dict.fromkeys(wrong)), tuple(notes))


def _teams_of(season: Season) -> dict[Division, list[SeasonEntry]]:
    by_division: dict[int, list[SeasonEntry]] = defaultdict(list)
    for entry in SeasonEntry.objects.filter(season=season).select_related("team__club").order_by("position", "pk"):
        by_division[entry.division_id].append(entry)
    return {division: by_division[division.pk] for division in season_plans.divisions_of(season)}


def _drawn(season: Season, plan: Plan, division: Division, entries: Sequence[SeasonEntry]) -> DrawnDivision:
    is_double = plan.legs == 2
    rounds = fixtures.round_robin(len(entries), double=is_double)
    try:
        days = season_plans.matchdays(season, len(rounds))
    except timetable.NoDay:
        return DrawnDivision(division, tuple(entries), ())
    off = season_plans.off_by_team(season)
    away = {at: _rounds_away(days, off.get(entry.team_id, [])) for at, entry in enumerate(entries, 1)}
    order = [entries[at - 1] for at in timetable.order(len(entries), double=is_double, away=away)]
    drawn = []
    for day, pairs in zip(days, rounds, strict=True):
        matches = [_match(day, order[first - 1].team, order[second - 1].team, off) for first, second in pairs.tables]
        byes = tuple(order[at - 1].team for at in pairs.byes)
        drawn.append(
            DrawnDay(
                day.number, day.first_day, day.last_day, day.starts_at, day.deadline_at, day.moved, tuple(matches), byes
            )
        )
    return DrawnDivision(division, tuple(order), tuple(drawn))


def _rounds_away(days: Iterable[Day], off: Sequence[Off]) -> set[int]:
    return {day.number for day in days if timetable.clashing(day, off)} if off else set()


def _match(day: Day, home: Team, away: Team, off: dict[int, list[Off]]) -> DrawnMatch:
    clashes = []
    for team in (home, away):
        clash = timetable.clashing(day, off.get(team.pk, []))
        if clash is not None:
            number = f"{day.number} ({clash.reason})" if clash.reason else day.number
            clashes.append(
                gettext("%(team)s cannot play on matchday %(number)s. The match must be rescheduled.")
                % {"team": team, "number": number}
            )
    return DrawnMatch(home, away, tuple(clashes))


def _notes(divisions: Sequence[DrawnDivision]) -> Iterable[str]:
    for drawn in divisions:
        count, size = len(drawn.order), drawn.division.size
        if count != size:
            yield gettext("%(division)s has %(count)s. It was planned for %(size)s.") % {
                "division": drawn.division,
                "count": several(count, "team"),
                "size": size,
            }
        if count % 2:
            yield gettext("%(division)s has an odd number of teams. One of them has a bye on each matchday.") % {
                "division": drawn.division
            }
        for day in drawn.days:
            for match in day.matches:
                yield from (f"{drawn.division}: {sentence}" for sentence in match.clashes)
    moved = {(day.number, day.first_day, day.moved) for drawn in divisions for day in drawn.days if day.moved}
    for number, first, why in sorted(moved):
        yield gettext("Matchday %(number)s starts on %(day)s because its usual day is off (%(why)s).") % {
            "number": number,
            "day": text.day(first),
            "why": why,
        }


# Problems


def _wrong_season(season: Season) -> Iterable[str]:
    if season.status != Season.Status.DRAFT:
        yield gettext("%(season)s has already been drawn.") % {"season": season}
    if season.league.is_archived:
        yield gettext("%(league)s is archived. Restore it first.") % {"league": season.league}
    before = season.drawn_from
    if before is not None and before.status != Season.Status.CLOSED:
        yield gettext(
            "The divisions were created from %(before)s, which has been reopened since then. Close it first."
        ) % {"before": before}
    try:
        season_plans.check(season)
    except Refused as refusal:
        yield refusal.sentence


def _wrong_division(season: Season, plan: Plan, division: Division, entries: Sequence[SeasonEntry]) -> list[str]:
    if len(entries) < 2:
        return [
            gettext("%(division)s has %(count)s. It needs at least two.")
            % {"division": division, "count": several(len(entries), "team")}
        ]
    tournament = season_plans.tournament_for(season, division.name)
    return [f"{division}: {sentence}" for sentence in plan_checks.count_problems(tournament, plan, len(entries))]


def _wrong_days(season: Season, divisions: Sequence[DrawnDivision], now: datetime) -> Iterable[str]:
    if any(not drawn.days for drawn in divisions):
        yield gettext("More than a year is off. There are not enough days for all matchdays.")
    first = min((drawn.days[0].deadline_at for drawn in divisions if drawn.days), default=None)
    if first is None or first > now:
        return
    settings = season_plans.values_for(season)
    if settings["setting"] != Tournament.Setting.FACE:
        yield gettext(
            "The first matchday is already over, and online matches need their days. Choose a later first day."
        )
    elif settings.get("no_show") == Tournament.NoShow.WALKOVER:
        yield gettext(
            "The first matchday is already over, and both sides lose matches that are not played in time. Choose a later"
            " first day, or that the organisers decide."
        )


def _past_notes(divisions: Sequence[DrawnDivision], now: datetime) -> Iterable[str]:
    """A season under way can be drawn: its results so far are entered afterwards."""
    past = max((sum(day.deadline_at <= now for day in drawn.days) for drawn in divisions), default=0)
    if past:
        yield ngettext(
            "%(count)s matchday is already over. Enter its results after the draw.",
            "%(count)s matchdays are already over. Enter their results after the draw.",
            past,
        ) % {"count": past}


def _rosters(season: Season) -> dict[int, list[TeamMember]]:
    """Rosters of the teams of a season, by id of the team. One query."""
    rosters: dict[int, list[TeamMember]] = defaultdict(list)
    here = TeamMember.objects.filter(team__seasons__season=season, left_at=None)
    for member in here.select_related("membership__user").order_by("position", "pk"):
        rosters[member.team_id].append(member)
    return rosters


def _wrong_rosters(
    season: Season, teams: dict[Division, list[SeasonEntry]], rosters: dict[int, list[TeamMember]]
) -> Iterable[str]:
    clubs = set(leagues.clubs_of(season.league).values_list("pk", flat=True))
    size = season_plans.values_for(season)["side_size"]
    for division, entries in teams.items():
        for entry in entries:
            yield from _wrong_team(season, entry.team, rosters[entry.team_id], clubs, size)
        yield from _wrong_twice(division, [member for entry in entries for member in rosters[entry.team_id]])


def _wrong_team(season: Season, team: Team, roster: Sequence[TeamMember], clubs: set[int], size: int) -> Iterable[str]:
    players = [member for member in roster if member.role != TeamMember.Role.RESERVE]
    if team.left_at is not None:
        yield gettext("%(team)s has left the league. Remove it.") % {"team": team}
    elif team.club_id not in clubs:
        yield gettext("%(club)s no longer takes part in %(league)s. Remove %(team)s.") % {
            "club": team.club,
            "league": season.league,
            "team": team,
        }
    for member in roster:
        if member.membership.left_at is not None:
            yield gettext("%(membership)s has left %(club)s. Remove them from %(team)s.") % {
                "membership": member.membership,
                "club": team.club,
                "team": team,
            }
    if len(players) < size:
        yield gettext("%(team)s has %(count)s, and needs %(size)s.") % {
            "team": team,
            "count": several(len(players), "player"),
            "size": size,
        }
    if season.is_online:
        names = [member.membership.name for member in players if team_entries.account_of(member.membership) is None]
        if names:
            yield gettext("%(team)s: everyone needs an account to play online. Without an account: %(names)s.") % {
                "team": team,
                "names": ", ".join(names),
            }


def _wrong_twice(division: Division, people: Sequence[TeamMember]) -> Iterable[str]:
    """A sentence for each person who is in two teams of one division."""
    keys = [_person(member) for member in people]
    names = {_person(member): member.membership.name for member in people}
    for key, count in Counter(keys).items():
        if count > 1:
            yield gettext(
                "%(names)s is in %(count)s teams of %(division)s, as a player or a reserve. Only one is allowed."
            ) % {"names": names[key], "count": count, "division": division}


def _person(member: TeamMember) -> tuple[str, int]:
    user = team_entries.account_of(member.membership)
    return ("user", user.pk) if user is not None else ("name", member.membership_id)


# Drawing


def check_not_begun(record: Record, act: Act) -> None:
    """Raise `Refused` if a match of the draw was played, or its scores were typed since."""
    pairings = Pairing.objects.filter(round__stage__tournament__in=undone_draws.tournaments_of(act))
    for pairing in pairings.select_related("table"):
        if has_begun(pairing):
            raise Refused("has_begun", gettext("A match has been played, so you cannot undo the draw."))
    if TypedScores.objects.filter(pairing__in=pairings, at__gt=act.at).exists():
        raise Refused(
            "has_scores",
            gettext("Scores have been typed since the draw, and would be lost. Remove them first to undo the draw."),
        )


FIXTURE_LIST = "fixture_list"
"""The kind of an act that draws a season by a list of fixtures."""
DRAW = declare("draw", needs="leagues", undo=Rows(first=check_not_begun))


def draw(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Draw a season: a tournament for each division, with its matches and days. Raises `Refused` with all problems."""

    def do(record: Record) -> str:
        season = season_setup.season_of(record, season_id)
        if season.status != Season.Status.DRAFT:
            raise Refused("drawn", gettext("%(season)s has already been drawn.") % {"season": season})
        count = draw_within(record, season, by)
        return gettext("%(season)s of %(league)s was drawn: %(count)s.") % {
            "season": season,
            "league": season.league,
            "count": several(count, "match", "matches"),
        }

    return perform(season_setup.club_of(season_id), do, DRAW, by=by, **how)


def draw_within(record: Record, season: Season, by: User, from_list: Mapping[int, DrawnDivision] | None = None) -> int:
    """Draw a draft within an act, or take its matches from a list; returns their number. Raises `Refused` with all
    problems."""
    plan = preview(season, record.now, from_list)
    if plan.wrong:
        raise Refused("cannot_work", " ".join(plan.wrong), sentences=list(plan.wrong))
    for drawn in plan.divisions:
        _draw_division(record, season, drawn, by)
    record.change(season, status=Season.Status.RUNNING, started_at=record.now)
    event_roles.sync(record.club, by, within=record)

    def words() -> str:
        published = gettext("the fixtures of %(league)s, %(season)s are published")
        return published % {"league": season.league, "season": season}

    _tell_teams(record, season, plan, words, "drawn")
    return sum(len(day.matches) for drawn in plan.divisions for day in drawn.days)


def _draw_division(record: Record, season: Season, drawn: DrawnDivision, by: User) -> None:
    """Create the tournament of a division, enter its teams in the order of the draw, start it and set its days."""
    division, plan = drawn.division, season_plans.plan_of(season)
    if drawn.is_listed:
        plan = plan.but(fixtures=drawn.fixtures)
    tournament = make_tournament(
        record, season, division.name, plan, by, starts_at=drawn.days[0].starts_at, has_matchdays=True
    )
    record.change(division, tournament=tournament)
    for position, season_entry in enumerate(drawn.order, 1):
        entry = team_entries.enter(record, tournament.pk, by, season_entry.team)
        record.change(season_entry, entry=entry, position=position)
    lifecycle.start(tournament.pk, by, now=record.now, within=record)
    times = {day.number: (day.starts_at, day.deadline_at) for day in drawn.days}
    entry_ids = {entry.team_id: entry.entry_id or 0 for entry in drawn.order}
    starts = {
        (day.number, entry_ids[match.home.pk]): match.starts_at
        for day in drawn.days
        for match in day.matches
        if match.starts_at is not None
    }
    match_scheduling.set_timetable(
        tournament.stages.get().pk, by, times=times, starts=starts, has_past=True, now=record.now, within=record
    )


def make_tournament(
    record: Record,
    season: Season,
    name: str,
    plan: Plan,
    by: User,
    *,
    starts_at: datetime | None = None,
    has_matchdays: bool = False,
) -> Tournament:
    """Create and publish a tournament of a season, without entries."""
    values = season_plans.values_for(season) | {"rules": season.rules, "starts_at": starts_at}
    title = season_plans.title(season.league, season, name)
    tournament = lifecycle.make_event(
        by, name=title, settings=values, plans=[(name, plan)], has_matchdays=has_matchdays
    )
    lifecycle.publish(tournament.pk, by, now=record.now, within=record)
    return tournament


def _tell_teams(record: Record, season: Season, plan: Preview, words: notifications.Words, key: str) -> None:
    url = address("clubs:season", record.club.slug, season.league.slug, season.slug)
    teams = [entry.team for drawn in plan.divisions for entry in drawn.order]
    for user in {user.pk: user for team in teams for user in permissions.people_of(team)}.values():
        if user != record.by:
            notifications.tell(record, user, words, key=f"{key}:{season.pk}", url=url)


# Undoing


def undo_draw(season_id: int, by: User, **how: Unpack[ActionRequest]) -> Act:
    """Undo a draw: the season is a draft again, or gone if its fixtures made it. Raises `Refused` if something was
    played."""
    club_id = season_setup.club_of(season_id)
    act = last_act_of(club_id, FIXTURE_LIST, season_id, "season")
    return undo(act.pk if act else act_of(club_id, "draw", season_id, "season"), by=by, **undo_options(how))


def import_of(season: Season) -> Act | None:
    """The import of the fixtures by which a season was drawn; `None` if the site drew it."""
    return last_act_of(season.league.club_id, FIXTURE_LIST, season.pk, "season")


def is_made_by(act: Act, season: Season) -> bool:
    """Whether an import of fixtures made the season, so that undoing its draw deletes it."""
    return any(each["model"] == "season" and each["pk"] == season.pk and each["was"] is None for each in act.changes)


def act_of(club_id: int, kind: str, pk: int, model: str) -> int:
    """The id of the last act of a kind that changed or made a row and was not undone. Raises `Refused`."""
    act = last_act_of(club_id, kind, pk, model)
    if act is None:
        raise Refused("undone", gettext("This has already been undone."))
    return act.pk


def last_act_of(club_id: int, kind: str, pk: int, model: str) -> Act | None:
    """The same act of a club, or `None` if there is none."""
    for act in Act.objects.filter(club=club_id, kind=kind, undone_by=None).order_by("-pk").iterator(chunk_size=20):
        if any(change["model"] == model and change["pk"] == pk for change in act.changes):
            return act
    return None


class UndoOptions(TypedDict):
    """Options of undoing."""

    request_key: str | None
    seen: int | None
    reason: str


def undo_options(how: ActionRequest) -> UndoOptions:
    """The options of an act that undoing takes."""
    return {"request_key": how.get("request_key"), "seen": how.get("seen"), "reason": how.get("reason", "")}
