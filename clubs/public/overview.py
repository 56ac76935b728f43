"""A club’s own page: meetings, results and news. The same for all readers of one kind in a time zone."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, Max, Min, Prefetch, Q, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext, pgettext

from clubs.models import Club, Division, Honour, League, LeagueClub, Meeting, Membership, News, Season, Series
from clubs.models.pages import STILL_ON as STILL_ON
from clubs.public import leaders
from clubs.public.page_context import address
from tournaments.models import Entry, Pairing, Place, Round, Tournament
from tournaments.public import listing
from tournaments.public.corrections import corrected_among
from tournaments.public.listing import EventRow
from tournaments.public.matches import Match
from tournaments.public.names import links_of
from tournaments.public.schedule import listed_match
from tournaments.round_names import is_of_bracket, round_words
from web.clocks import by_clock
from web.text import number, on_calendar

MEETINGS, EVENTS, OVER, RESULTS, NEWS, SERIES, LEAGUES, CHAMPIONS = 4, 5, 3, 6, 3, 3, 3, 6
"""Numbers of entries on the page."""


@dataclass(frozen=True)
class Date:
    """A meeting with its time at the club."""

    meeting: Meeting
    day: str
    """`Tue 24 Nov`, by the club's clock."""
    long_day: str
    """`Tuesday 24 November`."""
    clock: str
    """`19:00` or `19:00–22:30`."""
    venue: str
    is_elsewhere: bool
    """Whether it is not at the club's own venue."""


@dataclass(frozen=True)
class LeagueResult:
    """A result of a league."""

    match: Match
    where: str
    words: str
    """`matchday 14`, or in a cup `semi-final 1`."""
    sentence: str
    """`Okafor / Bell beat Lee / Park by 1,210.`; empty for a walkover, and for more than two sides."""

    @property
    def scores(self) -> str:
        """The scores in the order of the sentence: `9,240 – 8,030`."""
        return " – ".join(side.score for side in sorted(self.match.sides, key=lambda side: not side.has_won))


@dataclass(frozen=True)
class RunningSeason:
    """A season that is being played."""

    league: str
    season: str
    url: str


@dataclass(frozen=True)
class ClubRow:
    """A club in the list, with its next meeting by its own clock; empty for none."""

    club: Club
    meets: str


def club_rows(clubs: Iterable[Club]) -> list[ClubRow]:
    """Clubs with their next meetings: one query."""
    all_clubs = list(clubs)
    ahead = Meeting.objects.filter(club__in=all_clubs, starts_at__gt=timezone.now(), is_called_off=False)
    following = dict(ahead.order_by().values("club").annotate(next=Min("starts_at")).values_list("club", "next"))
    return [ClubRow(club, _meets(club, following.get(club.pk))) for club in all_clubs]


def _meets(club: Club, at: datetime | None) -> str:
    return "" if at is None else by_clock(at, club.zone, lambda there: f"{_day(there)} {there:%H:%M}")


def club_events(club: Club, *, inside: bool) -> QuerySet[Tournament]:
    """The club’s events, without those of its leagues: all that its members can see, or all public ones."""
    is_visible = Q(visibility=Tournament.Visibility.PUBLIC)
    if inside:
        is_visible |= Q(visibility=Tournament.Visibility.CIRCLE)
    events = Tournament.objects.filter(is_visible, circle=club.circle, division=None, season_event=None)
    return events.exclude(status=Tournament.Status.DRAFT)


def of_leagues(clubs: Collection[Club]) -> QuerySet[Tournament]:
    """The tournaments of the clubs’ leagues."""
    is_league = Q(division__season__league__club__in=clubs) | Q(season_event__season__league__club__in=clubs)
    return Tournament.objects.filter(is_league, visibility=Tournament.Visibility.PUBLIC)


def _leagues(club: Club) -> QuerySet[League]:
    """The leagues that the club runs, and those of other clubs that it plays in."""
    visited = LeagueClub.objects.filter(club=club).exclude(agreed_at=None).values("league")
    return League.objects.filter(Q(club=club) | Q(pk__in=visited))


def _own_entries(clubs: Collection[Club]) -> QuerySet[Entry]:
    """Entries of the clubs’ teams in leagues of other clubs."""
    is_own = Q(season_entry__team__club__in=clubs) | Q(season_event_entry__team__club__in=clubs)
    return Entry.objects.filter(is_own)


def stamp(club: Club) -> str:
    """A stamp that changes with the club’s tournaments, the leagues it plays in and their clubs: one query."""
    leagues = _leagues(club)
    events = Tournament.objects.filter(
        Q(circle=club.circle) | Q(division__season__league__in=leagues) | Q(season_event__season__league__in=leagues)
    )
    hosts = Club.objects.filter(leagues__in=leagues).exclude(pk=club.pk).order_by()
    grown = hosts.annotate(_all=Value(1)).values("_all").annotate(versions=Sum("version")).values("versions")
    totals = events.aggregate(count=Count("pk"), versions=Sum("version"), hosts=Max(Subquery(grown)))
    return f"{totals['count']}-{totals['versions']}-{totals['hosts']}"


@dataclass(frozen=True)
class OnToday:
    """An event or a matchday that is played today."""

    title: str
    """`Club evening`, or `Harbour League, matchday 6`."""
    url: str
    clock: str
    """`19:30`, by the club’s clock; empty if no time is set."""


def on_today(club: Club, *, inside: bool) -> list[OnToday]:
    """The club’s events and matchdays of today that are not over, by its clock, at most five: two queries."""
    midnight = timezone.now().astimezone(club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    tomorrow = midnight + timedelta(days=1)
    events = listing.current(club_events(club, inside=inside))
    events = events.annotate(begins_at=Coalesce("starts_at", "started_at"))
    events = events.filter(begins_at__gte=midnight, begins_at__lt=tomorrow).order_by("begins_at", "pk")
    rows = [(event.starts_at, event.name, event.get_absolute_url()) for event in events]
    tournaments = of_leagues([club]).exclude(status=Tournament.Status.CANCELLED)
    matchdays = Round.objects.filter(stage__tournament__in=tournaments, starts_at__gte=midnight, starts_at__lt=tomorrow)
    for matchday in matchdays.select_related("stage__tournament").order_by("starts_at", "pk"):
        event = matchday.stage.tournament
        rows.append((matchday.starts_at, f"{event}, {round_words(matchday.name)}", event.get_absolute_url()))
    return [OnToday(title, url, f"{at.astimezone(club.zone):%H:%M}" if at else "") for at, title, url in rows[:EVENTS]]


def next_meeting(club: Club, *, inside: bool = False) -> dict[str, Any]:
    """The next meeting that is not cancelled, and where it is; without one, what else is on today."""
    meeting = next((date for date in coming_meetings(club, MEETINGS) if not date.meeting.is_called_off), None)
    venue = meeting.venue if meeting else club.venue
    return {
        "next_meeting": meeting,
        "on_today": [] if meeting else on_today(club, inside=inside),
        "takes_guests": meeting is not None and takes_guests(club, meeting.meeting),
        "venue": venue,
        "map_url": map_url(venue),
        "zone_words": zone_words(club),
    }


def takes_guests(club: Club, meeting: Meeting) -> bool:
    """Whether strangers can say that they would like to come, if there is room."""
    is_ahead = meeting.starts_at > timezone.now() and not meeting.is_called_off
    return club.takes_guests and club.archived_at is None and is_ahead


def map_url(venue: str) -> str:
    """A map of a place, on a site that hears of it only when the link is followed."""
    return f"https://www.openstreetmap.org/search?{urlencode({'query': venue})}" if venue else ""


def league_leaders(club: Club) -> dict[str, Any]:
    """The first places in the top divisions of the leagues under way."""
    top = Division.objects.filter(
        level=1,
        season__status=Season.Status.RUNNING,
        season__league__in=_leagues(club),
        season__league__is_archived=False,
        tournament__visibility=Tournament.Visibility.PUBLIC,
    ).select_related("season__league__club", "tournament")
    shown = top.order_by("season__league__name", "-season__number")[:LEAGUES]
    return {
        "leaders": [leaders.part(division, "clubs/leaders.html") for division in shown],
        "led": {division.season_id for division in shown},
    }


def champions(club: Club) -> dict[str, Any]:
    """The last champions of the club’s leagues, the newest first: one query."""
    won = Honour.objects.filter(season__league__club=club, division__level=1, place=1, title__startswith="Champion")
    rows = won.select_related("team__league__club", "season__league__club")
    return {"champions": list(rows.order_by("-season__starts_on", "season__league__name", "pk")[:CHAMPIONS])}


PARTS: dict[str, Callable[[Club], dict[str, Any]]] = {
    "meeting": next_meeting,
    "standings": league_leaders,
    "results": lambda club: {"results": results([club])},
    "meetings": lambda club: {"dates": coming_meetings(club, MEETINGS), "zone_words": zone_words(club)},
    "champions": champions,
    "news": lambda club: {"news": list(News.objects.filter(club=club)[:NEWS])},
}
"""The parts of the page that other sites can show too, each a template in `clubs/parts/`, and what they show."""


def overview(club: Club, *, inside: bool) -> dict[str, Any]:
    """The content of the page: a fixed number of queries."""
    all_events = listing.with_counts(club_events(club, inside=inside))
    events = list(listing.current(all_events)[:EVENTS])
    over = list(listing.ended(all_events.filter(status=Tournament.Status.OVER))[:OVER])
    listing.with_stages([*events, *over])
    people = Membership.objects.filter(club=club, left_at=None).exclude(role=Membership.Role.GUEST)
    makers = [make for part, make in PARTS.items() if part != "meeting"]
    parts = {name: value for make in makers for name, value in make(club).items()}
    return {
        **parts,
        **next_meeting(club, inside=inside),
        "inside": inside,
        "events": _lines(events),
        "over": _lines(over),
        "seasons": running(club, but=parts["led"]),
        "series": list(Series.objects.filter(club=club).select_related("club")[:SERIES]),
        "member_count": people.count(),
    }


def _lines(events: Iterable[Tournament]) -> list[EventRow]:
    return listing.lines(events, set())


def all_events(club: Club, *, inside: bool) -> dict[str, Any]:
    """Every event of the club, future ones first."""
    events = club_events(club, inside=inside)
    current = list(listing.with_counts(listing.current(events))[:100])
    ended = list(listing.with_counts(listing.ended(events))[:100])
    listing.with_stages([*current, *ended])
    series = list(Series.objects.filter(club=club).select_related("club"))
    return {"current": _lines(current), "ended": _lines(ended), "series": series}


# Meetings


def coming_meetings(club: Club, most: int) -> list[Date]:
    """The next meetings, including those under way."""
    now = timezone.now()
    on = Q(ends_at=None, starts_at__gt=now - STILL_ON) | Q(ends_at__gt=now)
    meetings = Meeting.objects.filter(on, club=club).order_by("starts_at", "pk")[:most]
    return [date_of(club, meeting) for meeting in meetings]


def past_meetings(club: Club, most: int) -> list[Date]:
    """Past meetings, newest first."""
    now = timezone.now()
    over = Q(ends_at=None, starts_at__lte=now - STILL_ON) | Q(ends_at__lte=now)
    meetings = Meeting.objects.filter(over, club=club).order_by("-starts_at", "-pk")[:most]
    return [date_of(club, meeting) for meeting in meetings]


def date_of(club: Club, meeting: Meeting) -> Date:
    """A meeting with its time in words."""
    begins = meeting.starts_at.astimezone(club.zone)
    ends = meeting.ends_at.astimezone(club.zone) if meeting.ends_at else None
    clock = f"{begins:%H:%M}"
    if ends is not None:
        if ends.date() == begins.date():
            clock += f"–{ends:%H:%M}"
        else:
            clock = gettext("%(begins)s to %(ends)s") % {"begins": clock, "ends": f"{_day(ends)} {ends:%H:%M}"}
    long_day = on_calendar(begins, pgettext("date format", "l j F"))
    return Date(meeting, _day(begins), long_day, clock, meeting.venue or club.venue, bool(meeting.venue))


def _day(local: datetime) -> str:
    is_this_year = local.year == timezone.localtime(timezone.now(), local.tzinfo).year
    return on_calendar(local, pgettext("date format", "D j M") if is_this_year else pgettext("date format", "D j M Y"))


def zone_words(club: Club) -> str:
    """The place of the club’s time zone: `Toronto`."""
    return club.time_zone.rpartition("/")[2].replace("_", " ")


# Leagues


def results(clubs: Collection[Club]) -> list[LeagueResult]:
    """The latest results of the clubs' leagues, and of their teams in leagues of other clubs: four queries."""
    home = Pairing.objects.filter(round__stage__tournament__in=of_leagues(clubs))
    away = Pairing.objects.filter(places__entry__in=_own_entries(clubs))
    away = away.filter(round__stage__tournament__visibility=Tournament.Visibility.PUBLIC)
    is_shown = Q(pk__in=home.values("pk")) | Q(pk__in=away.values("pk"))
    pairings = Pairing.objects.filter(is_shown, status=Pairing.Status.DONE, done_at__isnull=False)
    rows = pairings.select_related("round__stage__tournament").order_by("-done_at", "-pk")
    latest = list(rows.prefetch_related(Prefetch("places", Place.objects.select_related("entry")))[:RESULTS])
    changed = corrected_among(pairing.pk for pairing in latest)
    return [_played(pairing, changed) for pairing in latest]


def _played(pairing: Pairing, changed: set[int]) -> LeagueResult:
    event = pairing.round.stage.tournament
    match = listed_match(pairing, links_of(event), {}, changed)
    words = match.words if is_of_bracket(pairing.name) else round_words(pairing.round.name)
    return LeagueResult(match, str(event), words, _result_words(pairing, match))


def _result_words(pairing: Pairing, match: Match) -> str:
    scores = [place.score for place in pairing.places.all() if place.score is not None]
    if len(match.sides) != 2 or len(scores) != 2:
        return ""
    first, second = match.sides
    gap = scores[0] - scores[1]
    if gap == 0:
        values = {"one": first.names, "other": second.names, "points": number(scores[0])}
        return gettext("%(one)s and %(other)s drew with %(points)s each.") % values
    winner, loser = (first, second) if gap > 0 else (second, first)
    if not winner.has_won or loser.has_won:
        return ""
    values = {"winner": winner.names, "loser": loser.names, "points": number(abs(gap))}
    return gettext("%(winner)s beat %(loser)s by %(points)s.") % values


def running(club: Club, *, but: Collection[int] = ()) -> list[RunningSeason]:
    """Other seasons (ids) that are being played, of the club's leagues and of those of clubs that it plays in."""
    seasons = Season.objects.filter(
        league__in=_leagues(club), status=Season.Status.RUNNING, league__is_archived=False
    ).select_related("league__club")
    seasons = seasons.exclude(pk__in=but)
    return [
        RunningSeason(
            season.league.name,
            season.name,
            address("clubs:season", season.league.club.slug, season.league.slug, season.slug),
        )
        for season in seasons.order_by("league__name", "-number")
    ]
