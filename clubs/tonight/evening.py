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
from engine.compete.records import Kind
from tournaments.models import Entry, Organiser, Pairing, Round, SitOut, Stage, Tournament
from tournaments.roles import ROLES
from tournaments.round_names import round_words
from web.text import join_words

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
    """The season of a matchday, or of the rounds of a cup; empty for an event of the club."""
    rounds: list[Round] = field(default_factory=list)
    """The rounds whose results are typed: of a matchday its round, else those being played or just finished."""
    may: dict[str, bool] = field(default_factory=dict)
    """What the reader can do in its event, by right."""
    has_later: bool = False
    """Whether matches that were put off stay in their round."""

    @property
    def is_matchday(self) -> bool:
        return self.season is not None

    @property
    def has_put_off(self) -> bool:
        """Whether matches can be put off to after it: those of a matchday, while rounds of a cup wait for theirs."""
        return self.event.has_matchdays

    @property
    def title_now(self) -> str:
        """The title with the rounds that are played: `Club evening, round 2`."""
        if self.is_matchday:
            return self.title
        names = dict.fromkeys(round_.name for round_ in self.rounds)
        return ", ".join(filter(None, (self.title, join_words(map(round_words, names)))))

    @property
    def has_begun(self) -> bool:
        return self.event.has_begun


def sections(club: Club, player: User, now: datetime) -> list[Section]:
    """What is on today for someone who enters its results, also on the day after; or else what comes next.

    What stays open for weeks, such as a round of a cup, has what comes next beside it.
    """
    midnight = _midnight(club, now)
    roles = dict(Organiser.objects.filter(user=player).values_list("tournament_id", "role"))
    all_sections = [*_events(club), *_matchdays(club, midnight)]
    all_sections = [each for each in all_sections if "results" in ROLES.get(roles.get(each.event.pk, ""), ())]
    on = _on(club, all_sections, midnight)
    on = _latest_of_each_event([*on, *_next_beside(on, all_sections, midnight.date())])
    for section in on:
        section.may = dict.fromkeys(ROLES[roles[section.event.pk]], True)
        if not section.is_matchday:
            section.rounds = _current_rounds(section.event)
    return sorted(on, key=lambda each: (each.first_day, each.starts_at or now, each.event.pk))


def _next_beside(on: Sequence[Section], all_sections: Sequence[Section], today: date) -> list[Section]:
    """The sections of the next day with any, unless something that is on has its day now: rounds of cups have none."""
    with_days = [each for each in on if each.has_put_off or not each.is_matchday]
    if any(each.first_day >= today - DAY for each in with_days):
        return []
    open_events = {each.event.pk for each in on}
    ahead = [each for each in all_sections if each.first_day > today and each.event.pk not in open_events]
    return [each for each in ahead if each.first_day == min(other.first_day for other in ahead)]


def so_far(season: Season, player: User, now: datetime) -> list[Section]:
    """The divisions of a season under way with all matchdays until now, and those with typed scores."""
    if season.status != Season.Status.RUNNING:
        return []
    roles = dict(Organiser.objects.filter(user=player).values_list("tournament_id", "role"))
    all_sections = []
    at_tables = Division.objects.filter(season=season, tournament__in=_at_real_tables()).select_related("tournament")
    for division in at_tables.order_by("level"):
        event, may = division.tournament, ROLES.get(roles.get(division.tournament_id or 0, ""), ())
        rounds = Round.objects.filter(stage__tournament=event).select_related("stage__tournament")
        is_past = Q(starts_at__lte=now) | Q(pairings__typed__isnull=False)
        past_rounds = list(rounds.filter(is_past).distinct().order_by("stage__number", "number"))
        if event is not None and past_rounds and "results" in may:
            first = timezone.localtime(past_rounds[0].starts_at or now, season.league.club.zone).date()
            rights = dict.fromkeys(may, True)
            all_sections.append(
                Section(
                    event, division.name, first, past_rounds[0].starts_at, season, past_rounds, rights, has_later=True
                )
            )
    return all_sections


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
    """Matchdays that are on: of today or yesterday, and without a start time of their matches until the deadline.

    Rounds of cups and play-offs have no day of their own: they are on from their opening until they are closed, also
    after their deadline.
    """
    division, cup = "stage__tournament__division__season", "stage__tournament__season_event__season"
    is_recent, is_open = Q(starts_at__gte=midnight - DAY), Q(deadline_at__gte=midnight)
    matchdays = Q(is_recent | (is_open & Q(**{f"{division}__plays_at": None})), _of_season(club, division))
    rounds = Q(status=Round.Status.OPEN) | Q(closed_at__gte=midnight)
    is_on = (matchdays & Q(starts_at__isnull=False)) | (rounds & _of_season(club, cup))
    running = Round.objects.alias(begins_at=Coalesce("starts_at", "opened_at"))
    return running.filter(is_on, _is_under_way("stage__tournament__", midnight), begins_at__lt=midnight + DAY)


def _of_season(club: Club, season: str) -> Q:
    return Q(**{f"{season}__league__club": club, f"{season}__status": Season.Status.RUNNING})


def _is_under_way(event: str, midnight: datetime) -> Q:
    """Events that are under way, or ended today."""
    return Q(**{f"{event}status": Status.RUNNING}) | Q(
        **{f"{event}status": Status.OVER, f"{event}ended_at__gte": midnight}
    )


def _on(club: Club, all_sections: Iterable[Section], midnight: datetime) -> list[Section]:
    """The sections that are on: two queries."""
    events = _at_real_tables().order_by().annotate(begins_at=Coalesce("starts_at", "started_at"))
    event_ids = set(events.filter(_is_event_on(club, midnight)).values_list("pk", flat=True))
    round_ids = set(_rounds_on(club, midnight).values_list("pk", flat=True))
    return [
        each
        for each in all_sections
        if (any(round_.pk in round_ids for round_ in each.rounds) if each.is_matchday else each.event.pk in event_ids)
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


def _matchdays(club: Club, midnight: datetime) -> list[Section]:
    """All matchdays of the club’s seasons under way, and the rounds of cups and play-offs that are played."""
    is_on = _of_season(club, "season") & _is_under_way("tournament__", midnight)
    divisions = Division.objects.filter(is_on).select_related("season__league", "tournament")
    events = SeasonEvent.objects.filter(is_on).select_related("season__league", "tournament")
    rounds: dict[int, list[Round]] = {}
    homes: list[Division | SeasonEvent] = [*divisions, *events]
    tournaments = [each.tournament_id for each in homes]
    running = Round.objects.filter(stage__tournament__in=tournaments).exclude(stage__status=Stage.Status.WAITING)
    for round_ in running.select_related("stage__tournament").order_by("stage__number", "number"):
        rounds.setdefault(round_.stage.tournament_id, []).append(round_)
    all_sections = []
    for home in homes:
        if home.tournament is None or home.tournament.setting == Tournament.Setting.ONLINE:
            continue
        drawn = rounds.get(home.tournament.pk, [])
        if isinstance(home, Division):
            all_sections += [_matchday(club, home, round_, drawn) for round_ in drawn if round_.starts_at is not None]
        else:
            all_sections += _rounds_of_cup(club, home, drawn, midnight)
    return all_sections


def _matchday(club: Club, home: Division, round_: Round, drawn: Sequence[Round]) -> Section:
    first = timezone.localtime(round_.starts_at, club.zone).date()
    words = gettext("%(league)s, %(division)s, matchday %(number)s of %(count)s")
    title = words % {"league": home.season.league, "division": home, "number": round_.number, "count": len(drawn)}
    assert home.tournament is not None  # noqa: S101  the caller has looked
    return Section(home.tournament, title, first, round_.starts_at, home.season, [round_])


def _rounds_of_cup(club: Club, home: SeasonEvent, drawn: Sequence[Round], midnight: datetime) -> list[Section]:
    """The rounds of a cup or a play-off that are played or ended today, or else the next one, as one section."""
    begins = [(round_.starts_at or round_.opened_at, round_) for round_ in drawn]
    timed = [(at, each) for at, each in begins if at is not None]
    now = [
        (at, each)
        for at, each in timed
        if at < midnight + DAY
        and (each.status == Round.Status.OPEN or (each.closed_at is not None and each.closed_at >= midnight))
    ]
    chosen = now or [(at, each) for at, each in timed if at >= midnight + DAY][:1]
    if not chosen:
        return []
    first, names = min(at for at, _ in chosen), dict.fromkeys(each.name for _, each in chosen)
    title = f"{home.season.league}, {home}, {join_words(map(round_words, names))}"
    assert home.tournament is not None  # noqa: S101  the caller has looked
    day = timezone.localtime(first, club.zone).date()
    return [Section(home.tournament, title, day, chosen[0][1].starts_at, home.season, [each for _, each in chosen])]


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
        rows.prefetch_related("places__entry__members", "results").order_by(
            "round__stage__number", "round__number", "number"
        )
    )


def byes_of(section: Section) -> list[Entry]:
    """The entries that have a bye in a round of a section that is being played."""
    rounds = [round_ for round_ in section.rounds if round_.status == Round.Status.OPEN]
    byes = SitOut.objects.filter(round__in=rounds).exclude(kind=Kind.WITHDRAWN).select_related("entry")
    return [bye.entry for bye in byes.order_by("round__stage__number", "round__number", "pk")]
