"""Organisers’ work on a season: save and preview its form, and the desk of a running season."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs.league import fixtures, timetable
from clubs.league.agenda import agenda, is_put_off
from clubs.league.fixtures import Match, Matchday
from clubs.models import Act, Blackout, Club, Division, League, Season, SeasonEntry, Team
from clubs.organiser.season_arguments import divisions_of, off_of, season_values
from clubs.organiser.season_form import Typed
from clubs.public import fixtures as public
from clubs.public.fixtures import MatchRow
from clubs.services import history
from clubs.services.history import ActionRequest
from clubs.services.publications import meetings
from clubs.services.seasons import season_draw, season_plans, season_setup
from clubs.services.seasons.season_draw import Preview
from tournaments.models import Pairing, TypedScores
from web.errors import NotAllowed, Refused, Stale
from web.sent_numbers import read_whole

Status = Pairing.Status


# Saving the form


def save_new(league: League, by: User, form: Typed, how: ActionRequest) -> Season:
    """Create a draft with its days off, and put the league’s teams into its divisions: all or nothing."""
    divisions = [(name, size) for _, name, size in divisions_of(form)]
    with transaction.atomic():
        season = season_setup.make(league.pk, by, divisions=divisions, **season_values(form), **how)
        _save_off(season, by, form, how)
        fill(season, by, how, absent=form.absent)
    return Season.objects.select_related("league__club").get(pk=season.pk)


def save(season: Season, by: User, form: Typed, how: ActionRequest) -> str:
    """Change a draft, its divisions and its days off: all or nothing. Return the success message."""
    divisions = divisions_of(form)
    with transaction.atomic():
        if _is_repeat(season, how):
            return gettext("The season was saved.")
        rows = Division.objects.filter(season=season).order_by("level")
        is_same = list(rows.values_list("pk", "name", "size")) == divisions
        changed = [
            not is_same and bool(season_setup.set_divisions(season.pk, by, divisions=divisions, **_part(how, "div"))),
            _unless_same(lambda: season_setup.change(season.pk, by, changes=season_values(form), **_part(how, "set"))),
            _save_off(season, by, form, how),
        ]
    if not any(changed):
        raise Refused("nothing_new", gettext("Nothing was changed."))
    return gettext("The season was saved.")


def _is_repeat(season: Season, how: ActionRequest) -> bool:
    """Whether this form was sent before. Raises `Stale` if the club has changed since it was shown."""
    club = Club.objects.locked(season.league.club_id)
    key = how.get("request_key")
    if key and Act.objects.filter(club=club, request_key__startswith=f"{key}:").exists():
        return True
    if how.get("seen") not in (None, club.version):
        raise Stale(
            "stale", gettext("Something has changed since you opened this page. Check it again."), version=club.version
        )
    return False


def _unless_same(do: Any) -> bool:
    """Whether an act changed something; `nothing_new` is not an error."""
    try:
        do()
    except Refused as refusal:
        if refusal.code != "nothing_new":
            raise
        return False
    return True


def _part(how: ActionRequest, mark: str) -> ActionRequest:
    """The options of one of several acts of a form, with its own key."""
    key = how.get("request_key")
    return {"request_key": f"{key}:{mark}" if key else None}


def _save_off(season: Season, by: User, form: Typed, how: ActionRequest) -> bool:
    """Save the days off of the form; return whether any changed."""
    have = {str(blackout.pk): blackout for blackout in Blackout.objects.filter(season=season, team=None)}
    known_ids = {typed.pk for typed in form.off}  # others were added on another page
    same: set[str] = set()
    new: list[tuple[int, date, date, str]] = []
    for at, typed, first, last in off_of(form):
        stored = have.get(typed.pk)
        if stored is not None and (stored.first_day, stored.last_day, stored.reason) == (first, last, typed.reason):
            same.add(typed.pk)
        elif stored is not None or not typed.pk:
            new.append((at, first, last, typed.reason))
    gone = [blackout for pk, blackout in have.items() if pk in known_ids and pk not in same]
    for blackout in gone:
        season_setup.remove_blackout(blackout.pk, by, **_part(how, f"gone{blackout.pk}"))
    for at, first, last, reason in new:
        key = _part(how, f"off{at}").get("request_key")
        with _at("off"):
            season_setup.add_blackout(season.pk, by, first_day=first, last_day=last, reason=reason, request_key=key)
    return bool(new or gone)


class _at:
    """Shows a refusal at one control of the form, whichever field the service names."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, Refused) and not isinstance(error, NotAllowed):
            raise type(error)(error.code, error.sentence, **{**error.details, "field": self.name}) from None


def fill(season: Season, by: User, how: ActionRequest, absent: Sequence[int] = ()) -> None:
    """Put the teams of the league into the divisions of a draft without any: by their numbers, from the top, without
    those that are absent."""
    if SeasonEntry.objects.filter(season=season).exists():
        return
    playing = Team.objects.filter(league=season.league_id, left_at=None).exclude(pk__in=absent)
    teams = list(playing.order_by("number"))
    divisions = list(Division.objects.filter(season=season).order_by("level"))
    if not teams or not divisions:
        return
    places: dict[int, list[int]] = {}
    rest = [team.pk for team in teams]
    for division in divisions[:-1]:
        places[division.pk], rest = rest[: division.size], rest[division.size :]
    places[divisions[-1].pk] = rest
    season_setup.place(season.pk, by, divisions=places, **_part(how, "fill"))


# Previews


@dataclass(frozen=True)
class PlannedDay:
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
    days: tuple[PlannedDay, ...]

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
    """The reason why the form cannot be saved."""
    at: str = ""
    """The control of the refusal."""

    @property
    def first_days(self) -> list[date]:
        """The first day of every matchday."""
        return sorted({day.first_day for division in self.divisions for day in division.days})


def usual_days(league: League, form: Typed) -> list[date]:
    """First days of the matchdays of a new season’s form, without looking at its teams; none if the form is wrong."""
    try:
        values = season_values(form)
        off = [timetable.Off(first, last, row.reason) for _, row, first, last in off_of(form)]
        count = max(((size + size % 2 - 1) * values["plan"]["legs"] for _, _, size in divisions_of(form)), default=0)
        spans = {name: values[name] for name in ("starts_on", "play_days", "plays_at")}
        days = timetable.matchdays(count, **spans, step=values["days"], zone=league.club.zone, off=off)
    except (Refused, timetable.NoDay):
        return []
    return [day.first_day for day in days]


def preview_new(league: League, by: User, form: Typed) -> Outlook:
    """Preview a new season’s form; nothing is saved."""
    return _preview(league.club, lambda: save_new(league, by, form, {}))


def preview_changed(season: Season, by: User, form: Typed) -> Outlook:
    """Preview a changed draft; nothing is saved."""

    def do() -> Season:
        _unless_same(lambda: save(season, by, form, {}))
        return Season.objects.select_related("league__club").get(pk=season.pk)

    return _preview(season.league.club, do)


def _preview(club: Club, do: Any) -> Outlook:
    try:
        with history.rolled_back(club.pk):
            return outlook(season_draw.preview(do()))
    except NotAllowed:
        raise
    except Refused as refusal:
        return Outlook(refusal=refusal.sentence, at=str(refusal.details.get("field", "season")))


def outlook(preview: Preview) -> Outlook:
    """A preview of a draw for a page; divisions that are not full get the days of full ones."""
    drawn = {plan.division.pk: plan for plan in preview.divisions}
    rows = []
    for division in season_plans.divisions_of(preview.season):
        plan = drawn.get(division.pk)
        count = SeasonEntry.objects.filter(division=division).count()
        if plan is not None and plan.days:
            days = tuple(
                PlannedDay(
                    day.number,
                    day.first_day,
                    day.last_day,
                    day.moved,
                    tuple(f"{match.home} – {match.away}" for match in day.matches),
                    tuple(str(team) for team in day.byes),
                    tuple(sentence for match in day.matches for sentence in match.clashes),
                )
                for day in plan.days
            )
        else:
            days = _as_if_full(preview.season, division)
        rows.append(PlannedDivision(division.name, count, division.size, days))
    return Outlook(tuple(rows), preview.wrong, preview.notes)


def _as_if_full(season: Season, division: Division) -> tuple[PlannedDay, ...]:
    plan = season_plans.plan_of(season)
    rounds = (division.size + division.size % 2 - 1) * plan.legs
    try:
        days = season_plans.matchdays(season, rounds)
    except timetable.NoDay:
        return ()
    return tuple(PlannedDay(day.number, day.first_day, day.last_day, day.moved, (), ()) for day in days)


# Teams in divisions


def read_places(request: HttpRequest, season: Season) -> dict[int, list[int]]:
    """The teams of each division, by the numbers typed. Raises `Refused` for another season’s division."""
    divisions = {str(pk): pk for pk in Division.objects.filter(season=season).values_list("pk", flat=True)}
    teams = Team.objects.filter(league=season.league, left_at=None).order_by("number")
    places: dict[int, list[tuple[int, int, int]]] = {pk: [] for pk in divisions.values()}
    for team in teams:
        place = request.POST.get(f"place_{team.pk}", "")
        if place in divisions:
            at = read_whole(request.POST.get(f"order_{team.pk}", ""), digits=4)
            places[divisions[place]].append((9999 if at is None else at, team.number, team.pk))
        elif place:
            raise Refused(
                "no_division",
                gettext("The division of %(team)s is not in this season. Choose another.") % {"team": team},
            )
    return {pk: [team for _, _, team in sorted(rows)] for pk, rows in places.items()}


# Scheduling a match


def read_time(request: HttpRequest, club: Club, name: str) -> datetime | None:
    """A time by the club’s clock; `None` if empty. Raises `Refused`."""
    return meetings.read_moment(club, request.POST.get(name, "")[:40], name)


def read_arrangement(request: HttpRequest, club: Club) -> dict[str, Any]:
    """Time and place of a match, and a message to the other side. Raises `Refused`."""
    where = request.POST.get("where", "")
    return {
        "starts_at": read_time(request, club, "starts_at"),
        "venue": request.POST.get("venue", "")[:300],
        "is_online": {"online": True, "face": False}.get(where),
        "words": request.POST.get("words", "")[:400],
    }


def typed_arrangement(request: HttpRequest, club: Club, match: Match, *, is_refused: bool) -> dict[str, str]:
    """The values of a match’s forms: the input, or the current time and place."""
    names = ("starts_at", "deadline_at", "venue", "where", "words", "answer", "team")
    if is_refused:
        return {name: request.POST.get(name, "")[:400] for name in names} | {"act": request.POST.get("act", "")}
    pairing = match.pairing
    times = {"starts_at": pairing.starts_at, "deadline_at": pairing.deadline_at}
    local = {name: f"{at.astimezone(club.zone):%Y-%m-%dT%H:%M}" if at else "" for name, at in times.items()}
    fixture = getattr(pairing, "fixture", None)
    venue = fixture.venue if fixture is not None else ""
    return {**local, "venue": venue, "where": "online" if match.is_online else "face", "words": "", "act": ""}


# The desk of a running season


@dataclass(frozen=True)
class DeskDivision:
    """A division on the desk."""

    division: Division
    days: tuple[Matchday, ...]
    current: public.MatchdayRow | None

    @property
    def left(self) -> int:
        """Matches without a result."""
        return sum(not match.is_done for day in self.days for match in day.matches)


@dataclass(frozen=True)
class Desk:
    """A season under way: tasks of the organiser, and each division’s matchday."""

    divisions: tuple[DeskDivision, ...]
    disputed: tuple[MatchRow, ...]
    reported: tuple[MatchRow, ...]
    proposed: tuple[MatchRow, ...]
    overdue: tuple[MatchRow, ...]
    later: tuple[MatchRow, ...]
    """Matches put off to a day after their matchday; they wait for nobody."""
    typed: int
    """Matches whose scores are typed and not published."""
    matchdays: tuple[int, ...]
    """Numbers of the matchdays that are not over in every division."""

    @property
    def waits(self) -> int:
        return len(self.disputed) + len(self.reported) + len(self.proposed) + len(self.overdue)


def running(season: Season, divisions: Sequence[Division], now: datetime | None = None) -> Desk:
    """The content of the desk: a fixed number of queries for each division."""
    at = now or timezone.now()
    days = fixtures.of_season(season)
    live = public.playing(divisions)
    every = [match for division in divisions for day in days.get(division.pk, ()) for match in day.matches]
    rows = {
        row.match.pairing.pk: row for row in public.match_rows([match for match in every if not match.is_done], live)
    }
    typed = set(TypedScores.objects.filter(pairing__in=rows).values_list("pairing_id", flat=True))
    of_division = tuple(_desk_division(division, days.get(division.pk, ()), live, at) for division in divisions)
    return Desk(
        of_division,
        _chosen(rows, lambda match: match.pairing.status == Status.DISPUTED),
        _chosen(rows, lambda match: match.pairing.status == Status.REPORTED),
        _chosen(rows, lambda match: match.proposal is not None),
        _chosen(rows, lambda match: _waits(match, at, typed)),
        _chosen(rows, lambda match: is_put_off(match.pairing) and not _is_overdue(match, at)),
        len(typed),
        tuple(sorted({day.number for matchdays in days.values() for day in matchdays if not day.is_over})),
    )


@dataclass(frozen=True)
class Waiting:
    """What waits in a season under way, in short."""

    season: Season
    due: int
    """Matches that are overdue or disputed."""
    typed: int
    """Matches whose scores are typed and not published."""
    left: int
    """Matches without a result."""
    next_at: datetime | None
    """The next start or deadline of a match."""


def waiting(seasons: Sequence[Season], now: datetime) -> list[Waiting]:
    """What waits in each of these seasons: a fixed number of queries, however many there are."""
    days = fixtures.of_seasons(seasons)
    open_ones: dict[int, list[Match]] = {season.pk: [] for season in seasons}
    for matchdays in days.values():
        for match in (match for day in matchdays for match in day.matches if not match.is_done):
            open_ones[match.season.pk].append(match)
    ids = [match.pairing.pk for matches in open_ones.values() for match in matches]
    typed = set(TypedScores.objects.filter(pairing__in=ids).values_list("pairing_id", flat=True)) if ids else set()

    return [
        Waiting(
            season,
            sum(match.pairing.status == Status.DISPUTED or _waits(match, now, typed) for match in matches),
            sum(match.pairing.pk in typed for match in matches),
            len(matches),
            min((match.at for match in matches if match.at and match.at > now), default=None),
        )
        for season in seasons
        for matches in [open_ones[season.pk]]
    ]


def _desk_division(
    division: Division, days: tuple[Matchday, ...], live: Mapping[int, Any], now: datetime
) -> DeskDivision:
    current = agenda(days, now).current or (days[-1] if days else None)
    return DeskDivision(division, days, public.matchday_rows([current], live)[0] if current else None)


def _chosen(rows: Mapping[int, MatchRow], is_wanted: Any) -> tuple[MatchRow, ...]:
    return tuple(row for row in rows.values() if is_wanted(row.match))


def _waits(match: Match, now: datetime, typed: Collection[int]) -> bool:
    """Whether a match is overdue, and its scores are not typed either."""
    return _is_overdue(match, now) and match.pairing.pk not in typed


def _is_overdue(match: Match, now: datetime) -> bool:
    is_left = match.pairing.status in (Status.READY, Status.PLAYING)
    return is_left and match.deadline_at is not None and match.deadline_at < now
