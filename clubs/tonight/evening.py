"""What is on tonight: the club’s events and matchdays of today, or else the next ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from clubs.models import Club, Division, Season, SeasonEvent
from tournaments.models import Organiser, Pairing, Round, Stage, Tournament
from tournaments.roles import ROLES

DAY = timedelta(days=1)
Status = Tournament.Status


@dataclass
class Section:
    """An event or a matchday that is played tonight."""

    event: Tournament
    title: str
    """`Harbour League, matchday 6 of 14`, or the name of an event."""
    first_day: date
    starts_at: datetime | None
    season: Season | None = None
    """The season of a matchday; empty for an event of the club."""
    rounds: list[Round] = field(default_factory=list)
    """The rounds whose results are typed: of a matchday its round, else those being played or just finished."""
    may: dict[str, bool] = field(default_factory=dict)
    """What the reader can do in its event, by right."""

    @property
    def is_matchday(self) -> bool:
        return self.season is not None

    @property
    def has_begun(self) -> bool:
        return self.event.has_begun


def sections(club: Club, player: User, now: datetime) -> list[Section]:
    """What is on today for someone who enters its results, also on the day after; or else what comes next."""
    midnight = _midnight(club, now)
    roles = dict(Organiser.objects.filter(user=player).values_list("tournament_id", "role"))
    all_sections = [*_events(club), *_matchdays(club)]
    all_sections = [each for each in all_sections if "results" in ROLES.get(roles.get(each.event.pk, ""), ())]
    on = _on(club, all_sections, midnight)
    if not on and (ahead := [each.first_day for each in all_sections if each.first_day > midnight.date()]):
        on = [each for each in all_sections if each.first_day == min(ahead)]
    on = _latest_of_each_event(on)
    for section in on:
        section.may = dict.fromkeys(ROLES[roles[section.event.pk]], True)
        if not section.is_matchday:
            section.rounds = _current_rounds(section.event)
    return sorted(on, key=lambda each: (each.first_day, each.starts_at or now, each.event.pk))


def is_on(club: Club, now: datetime) -> bool:
    """Whether an event or a matchday of the club is on today, or was yesterday: one query, for every page of the club."""
    midnight = _midnight(club, now)
    has_matchday = Exists(_rounds_on(club, midnight).filter(stage__tournament=OuterRef("pk")))
    events = _at_real_tables().order_by().annotate(begins_at=Coalesce("starts_at", "started_at"))
    return events.filter(_is_event_on(club, midnight) | Q(has_matchday)).exists()


def _midnight(club: Club, now: datetime) -> datetime:
    """The beginning of the day, by the club’s clock."""
    return now.astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)


def _is_event_on(club: Club, midnight: datetime) -> Q:
    """Events of the club that are on: of today or yesterday, and those under way; `begins_at` is annotated."""
    is_recent = Q(begins_at__gte=midnight - DAY) | Q(status=Status.RUNNING)
    return Q(is_recent, circle=club.circle, division=None, season_event=None, begins_at__lt=midnight + DAY)


def _rounds_on(club: Club, midnight: datetime) -> QuerySet[Round]:
    """Matchdays that are on: of today or yesterday, and without a start time of their matches until the deadline."""
    is_on = Q()
    for season in ("stage__tournament__division__season", "stage__tournament__season_event__season"):
        is_own = Q(**{f"{season}__league__club": club, f"{season}__status": Season.Status.RUNNING})
        is_open = Q(deadline_at__gte=midnight, **{f"{season}__plays_at": None})
        is_on |= is_own & (is_open | Q(starts_at__gte=midnight - DAY))
    running = Round.objects.filter(stage__status=Stage.Status.RUNNING, stage__tournament__status=Status.RUNNING)
    return running.filter(is_on, starts_at__lt=midnight + DAY)


def _on(club: Club, all_sections: Iterable[Section], midnight: datetime) -> list[Section]:
    """The sections that are on: two queries."""
    events = _at_real_tables().order_by().annotate(begins_at=Coalesce("starts_at", "started_at"))
    event_ids = set(events.filter(_is_event_on(club, midnight)).values_list("pk", flat=True))
    round_ids = set(_rounds_on(club, midnight).values_list("pk", flat=True))
    return [
        each
        for each in all_sections
        if (each.rounds[0].pk in round_ids if each.is_matchday else each.event.pk in event_ids)
    ]


def _at_real_tables() -> QuerySet[Tournament]:
    """Events that are played at real tables, announced and not cancelled."""
    played = Tournament.objects.exclude(setting=Tournament.Setting.ONLINE)
    return played.exclude(status__in=(Status.DRAFT, Status.CANCELLED))


def _latest_of_each_event(all_sections: Iterable[Section]) -> list[Section]:
    """On the day after a matchday the next one may have begun: the later one counts."""
    by_event: dict[int, Section] = {}
    for section in sorted(all_sections, key=lambda each: each.first_day):
        by_event[section.event.pk] = section
    return list(by_event.values())


def _events(club: Club) -> list[Section]:
    """Events of the club at real tables."""
    events = _at_real_tables().filter(circle=club.circle, division=None, season_event=None)
    all_sections = []
    for event in events.order_by("pk"):
        at = event.starts_at or event.started_at
        if at is None:
            continue
        all_sections.append(Section(event, event.name, at.astimezone(club.zone).date(), event.starts_at))
    return all_sections


def _matchdays(club: Club) -> list[Section]:
    """All matchdays of the club’s seasons under way, cups and play-offs too."""
    is_on = Q(season__league__club=club, season__status=Season.Status.RUNNING, tournament__status=Status.RUNNING)
    divisions = Division.objects.filter(is_on).select_related("season__league", "tournament")
    events = SeasonEvent.objects.filter(is_on).select_related("season__league", "tournament")
    rounds: dict[int, list[Round]] = {}
    homes: list[Division | SeasonEvent] = [*divisions, *events]
    tournaments = [each.tournament_id for each in homes]
    running = Round.objects.filter(stage__tournament__in=tournaments, stage__status=Stage.Status.RUNNING)
    for round_ in running.select_related("stage__tournament").order_by("stage__number", "number"):
        rounds.setdefault(round_.stage.tournament_id, []).append(round_)
    all_sections = []
    for home in homes:
        if home.tournament is None or home.tournament.setting == Tournament.Setting.ONLINE:
            continue
        drawn = rounds.get(home.tournament.pk, [])
        all_sections += [_matchday(club, home, round_, drawn) for round_ in drawn if round_.starts_at is not None]
    return all_sections


def _matchday(club: Club, home: Division | SeasonEvent, round_: Round, drawn: Sequence[Round]) -> Section:
    first = timezone.localtime(round_.starts_at, club.zone).date()
    words = gettext("%(league)s, %(division)s, matchday %(number)s of %(count)s")
    title = words % {"league": home.season.league, "division": home, "number": round_.number, "count": len(drawn)}
    assert home.tournament is not None  # noqa: S101  the caller has looked
    return Section(home.tournament, title, first, round_.starts_at, home.season, [round_])


def _current_rounds(event: Tournament) -> list[Round]:
    """The rounds of an event that are played now, or else the last one that was."""
    rounds = Round.objects.filter(stage__tournament=event).exclude(status=Round.Status.DRAWN)
    in_order = list(rounds.select_related("stage__tournament").order_by("stage__number", "number"))
    open_ones = [round_ for round_ in in_order if round_.status == Round.Status.OPEN]
    return open_ones or in_order[-1:]


def matches_of(section: Section) -> list[Pairing]:
    """The matches of a section by table, with everything that a row of the grid shows; without byes."""
    pairings = Pairing.objects.filter(round__in=section.rounds)
    pairings = pairings.exclude(status__in=(Pairing.Status.IDLE, Pairing.Status.WAITS))
    rows = pairings.select_related("round__stage__tournament", "result__by", "typed__by")
    return list(
        rows.prefetch_related("places__entry", "results__by_entry").order_by(
            "round__stage__number", "round__number", "number"
        )
    )
