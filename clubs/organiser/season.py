"""What an organiser does with a season: its form saved, looked at beforehand, and the desk while it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs.league import fixtures, timetable
from clubs.league.fixtures import Match, Matchday
from clubs.models import Act, Blackout, Club, Division, League, Season, SeasonEntry, Team
from clubs.organiser.season_form import Typed, divisions_of, off_of, season_values
from clubs.public import fixtures as public
from clubs.public.fixtures import Shown
from clubs.services import history
from clubs.services.history import How
from clubs.services.publications import meetings
from clubs.services.seasons import season_draw, season_plans, season_setup
from clubs.services.seasons.season_draw import Preview
from tournaments.models import Pairing
from web.errors import NotAllowed, Refused, Stale

Status = Pairing.Status


# Saving the form


def save_new(league: League, by: User, found: Typed, asked: How) -> Season:
    """Make a draft with its days off, and put the league's teams into its divisions: all of it or nothing."""
    divisions = [(name, size) for _, name, size in divisions_of(found)]
    with transaction.atomic():
        season = season_setup.make(league.pk, by, divisions=divisions, **season_values(found), **asked)
        _save_off(season, by, found, asked)
        fill(season, by, asked)
    return Season.objects.select_related("league__club").get(pk=season.pk)


def save(season: Season, by: User, found: Typed, asked: How) -> str:
    """Change a draft, its divisions and its days off: all of it or nothing. What was done in a sentence."""
    divisions = divisions_of(found)
    with transaction.atomic():
        if _was_done(season, asked):
            return gettext("The season was saved.")
        rows = Division.objects.filter(season=season).order_by("level")
        is_same = list(rows.values_list("pk", "name", "size")) == divisions
        done = [
            not is_same and bool(season_setup.set_divisions(season.pk, by, divisions=divisions, **_part(asked, "div"))),
            _unless_same(
                lambda: season_setup.change(season.pk, by, changes=season_values(found), **_part(asked, "set"))
            ),
            _save_off(season, by, found, asked),
        ]
    if not any(done):
        raise Refused("nothing_new", gettext("Nothing was changed."))
    return gettext("The season was saved.")


def _was_done(season: Season, asked: How) -> bool:
    """Whether this form was sent before. Raises `Stale` where the club has moved on since it was shown."""
    club = Club.objects.locked(season.league.club_id)
    key = asked.get("request_key")
    if key and Act.objects.filter(club=club, request_key__startswith=f"{key}:").exists():
        return True
    if asked.get("seen") not in (None, club.version):
        raise Stale(
            "stale", gettext("Something has changed since you opened this page. Check it again."), version=club.version
        )
    return False


def _unless_same(do: Any) -> bool:
    """Whether an act did something; that nothing changed is no reason to stop."""
    try:
        do()
    except Refused as refusal:
        if refusal.code != "nothing_new":
            raise
        return False
    return True


def _part(asked: How, mark: str) -> How:
    """How one of several acts of a form is asked for: with a key of its own."""
    key = asked.get("request_key")
    return {"request_key": f"{key}:{mark}" if key else None}


def _save_off(season: Season, by: User, found: Typed, asked: How) -> bool:
    """Let the days on which nobody plays be those of the form; whether any changed."""
    have = {str(row.pk): row for row in Blackout.objects.filter(season=season, team=None)}
    named = {typed.pk for typed in found.off}  # others came from another page meanwhile
    kept: set[str] = set()
    new: list[tuple[int, date, date, str]] = []
    for at, typed, first, last in off_of(found):
        own = have.get(typed.pk)
        if own is not None and (own.first_day, own.last_day, own.reason) == (first, last, typed.reason):
            kept.add(typed.pk)
        elif own is not None or not typed.pk:
            new.append((at, first, last, typed.reason))
    gone = [row for pk, row in have.items() if pk in named and pk not in kept]
    for row in gone:
        season_setup.remove_blackout(row.pk, by, **_part(asked, f"gone{row.pk}"))
    for at, first, last, reason in new:
        key = _part(asked, f"off{at}").get("request_key")
        with _at("off"):
            season_setup.add_blackout(season.pk, by, first_day=first, last_day=last, reason=reason, request_key=key)
    return bool(new or gone)


class _at:
    """Says a refusal beside one control of the form, whatever field the service names."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Refused) and not isinstance(error, NotAllowed):
            raise type(error)(error.code, error.sentence, **{**error.details, "field": self.name}) from None


def fill(season: Season, by: User, asked: How) -> None:
    """Put the teams of the league into the divisions of a draft without any: by their numbers, from the top."""
    if SeasonEntry.objects.filter(season=season).exists():
        return
    teams = list(Team.objects.filter(league=season.league_id, left_at=None).order_by("number"))
    divisions = list(Division.objects.filter(season=season).order_by("level"))
    if not teams or not divisions:
        return
    wanted: dict[int, list[int]] = {}
    rest = [one.pk for one in teams]
    for one in divisions[:-1]:
        wanted[one.pk], rest = rest[: one.size], rest[one.size :]
    wanted[divisions[-1].pk] = rest
    season_setup.place(season.pk, by, divisions=wanted, **_part(asked, "fill"))


# Looking beforehand


@dataclass(frozen=True)
class Planned:
    """A matchday as it would be."""

    number: int
    first_day: date
    last_day: date
    moved: str
    matches: tuple[str, ...]
    byes: tuple[str, ...]
    clashes: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedDivision:
    """A division as it would be drawn."""

    name: str
    teams: int
    size: int
    days: tuple[Planned, ...]

    @property
    def matches(self) -> int:
        return sum(len(day.matches) for day in self.days)


@dataclass(frozen=True)
class Outlook:
    """A season as it would be drawn, or why it cannot be."""

    divisions: tuple[PlannedDivision, ...] = ()
    wrong: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    refusal: str = ""
    """Why the form cannot even be saved as it is."""
    at: str = ""
    """Which control that is about."""


def look_new(league: League, by: User, found: Typed) -> Outlook:
    """What would come of a new season's form; nothing is written."""
    return _look(league.club, lambda: save_new(league, by, found, {}))


def look_changed(season: Season, by: User, found: Typed) -> Outlook:
    """What would come of a draft changed so; nothing is written."""

    def do() -> Season:
        _unless_same(lambda: save(season, by, found, {}))
        return Season.objects.select_related("league__club").get(pk=season.pk)

    return _look(season.league.club, do)


def _look(club: Club, do: Any) -> Outlook:
    try:
        with history.rolled_back(club.pk):
            return outlook(season_draw.preview(do()))
    except NotAllowed:
        raise
    except Refused as refusal:
        return Outlook(refusal=refusal.sentence, at=str(refusal.details.get("field", "season")))


def outlook(found: Preview) -> Outlook:
    """A preview of a draw for a page: of divisions that lack teams the days, as if they were full."""
    drawn = {one.division.pk: one for one in found.divisions}
    rows = []
    for division in season_plans.divisions_of(found.season):
        one = drawn.get(division.pk)
        count = SeasonEntry.objects.filter(division=division).count()
        if one is not None and one.days:
            days = tuple(
                Planned(
                    day.number,
                    day.first_day,
                    day.last_day,
                    day.moved,
                    tuple(f"{match.home} – {match.away}" for match in day.matches),
                    tuple(str(team) for team in day.byes),
                    tuple(sentence for match in day.matches for sentence in match.clashes),
                )
                for day in one.days
            )
        else:
            days = _as_if_full(found.season, division)
        rows.append(PlannedDivision(division.name, count, division.size, days))
    return Outlook(tuple(rows), found.wrong, found.notes)


def _as_if_full(season: Season, division: Division) -> tuple[Planned, ...]:
    plan = season_plans.plan_of(season)
    rounds = (division.size + division.size % 2 - 1) * plan.legs
    try:
        days = timetable.matchdays(
            rounds,
            starts_on=season.starts_on,
            step=season.days,
            play_days=season.play_days,
            plays_at=season.plays_at,
            zone=season.league.club.zone,
            off=season_plans.off_for_all(season),
        )
    except timetable.NoDay:
        return ()
    return tuple(Planned(day.number, day.first_day, day.last_day, day.moved, (), ()) for day in days)


# Who plays where


def read_places(request: HttpRequest, season: Season) -> dict[int, list[int]]:
    """Who plays in which division, in the order of the numbers typed; teams without one are not in the season.

    Raises `Refused` for a division of another season.
    """
    divisions = {str(pk): pk for pk in Division.objects.filter(season=season).values_list("pk", flat=True)}
    teams = Team.objects.filter(league=season.league, left_at=None).order_by("number")
    wanted: dict[int, list[tuple[int, int, int]]] = {pk: [] for pk in divisions.values()}
    for team in teams:
        place = request.POST.get(f"place_{team.pk}", "")
        if place in divisions:
            order = request.POST.get(f"order_{team.pk}", "")
            at = int(order) if order.isdecimal() and len(order) < 5 else 9999
            wanted[divisions[place]].append((at, team.number, team.pk))
        elif place:
            raise Refused(
                "no_division",
                gettext("The division of %(team)s is not in this season. Choose another.") % {"team": team},
            )
    return {pk: [team for _, _, team in sorted(rows)] for pk, rows in wanted.items()}


# When and where a match is played


def read_time(request: HttpRequest, club: Club, name: str) -> datetime | None:
    """A moment by the club's clock; nothing where none was typed. Raises `Refused`."""
    return meetings.read_moment(club, request.POST.get(name, "")[:40], name)


def read_arrangement(request: HttpRequest, club: Club) -> dict[str, Any]:
    """When and where a match is to be played, and words to the other side. Raises `Refused`."""
    where = request.POST.get("where", "")
    return {
        "starts_at": read_time(request, club, "starts_at"),
        "venue": request.POST.get("venue", "")[:300],
        "is_online": {"online": True, "face": False}.get(where),
        "words": request.POST.get("words", "")[:400],
    }


def typed_arrangement(request: HttpRequest, club: Club, match: Match, *, is_refused: bool) -> dict[str, str]:
    """What the forms of a match show: what was typed, or how it is arranged now."""
    names = ("starts_at", "deadline_at", "venue", "where", "words", "answer", "team")
    if is_refused:
        return {name: request.POST.get(name, "")[:400] for name in names} | {"act": request.POST.get("act", "")}
    row = match.pairing
    times = {"starts_at": row.starts_at, "deadline_at": row.deadline_at}
    local = {name: f"{at.astimezone(club.zone):%Y-%m-%dT%H:%M}" if at else "" for name, at in times.items()}
    fixture = getattr(row, "fixture", None)
    venue = fixture.venue if fixture is not None else ""
    return {**local, "venue": venue, "where": "online" if match.is_online else "face", "words": "", "act": ""}


# The desk of a running season


@dataclass(frozen=True)
class DeskDivision:
    """A division on the desk."""

    division: Division
    days: tuple[Matchday, ...]
    current: public.ShownDay | None

    @property
    def left(self) -> int:
        """Matches without a result."""
        return sum(not one.is_done for day in self.days for one in day.matches)


@dataclass(frozen=True)
class Desk:
    """A season under way: what waits for an organiser, and each division's matchday."""

    divisions: tuple[DeskDivision, ...]
    disputed: tuple[Shown, ...]
    reported: tuple[Shown, ...]
    proposed: tuple[Shown, ...]
    overdue: tuple[Shown, ...]
    matchdays: tuple[int, ...]
    """Numbers of the matchdays that are not over in every division."""

    @property
    def waits(self) -> int:
        return len(self.disputed) + len(self.reported) + len(self.proposed) + len(self.overdue)


def running(season: Season, divisions: Sequence[Division], now: datetime | None = None) -> Desk:
    """What the desk shows: a fixed number of queries for each division."""
    at = now or timezone.now()
    days = fixtures.of_season(season)
    live = public.playing(divisions)
    every = [one for division in divisions for day in days.get(division.pk, ()) for one in day.matches]
    rows = {one.match.pairing.pk: one for one in public.shown([one for one in every if not one.is_done], live)}
    of_division = tuple(_desk_division(division, days.get(division.pk, ()), live) for division in divisions)
    return Desk(
        of_division,
        _chosen(rows, lambda one: one.pairing.status == Status.DISPUTED),
        _chosen(rows, lambda one: one.pairing.status == Status.REPORTED),
        _chosen(rows, lambda one: one.proposal is not None),
        _chosen(rows, lambda one: _is_overdue(one, at)),
        tuple(sorted({day.number for own in days.values() for day in own if not day.is_over})),
    )


def _desk_division(division: Division, days: tuple[Matchday, ...], live: Mapping[int, Any]) -> DeskDivision:
    current = fixtures.current_matchday(days)
    return DeskDivision(division, days, public.shown_days([current], live)[0] if current else None)


def _chosen(rows: Mapping[int, Shown], wanted: Any) -> tuple[Shown, ...]:
    return tuple(one for one in rows.values() if wanted(one.match))


def _is_overdue(match: Match, now: datetime) -> bool:
    is_left = match.pairing.status in (Status.READY, Status.PLAYING)
    return is_left and match.deadline_at is not None and match.deadline_at < now
