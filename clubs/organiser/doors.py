"""The five doors of “Manage club”: each with its one next thing, and the pages behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import cast

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext

from accounts.models import User
from clubs.league.fixtures import LATEST
from clubs.models import Club, JoinRequest, KeptAside, League, Meeting, Membership, News, Newsletter, Season
from clubs.organiser import season as reading
from clubs.public.page_context import Visit, address
from clubs.services.publications import newsletters
from clubs.tonight import evening
from web.text import date_and_time, on_calendar


@dataclass(frozen=True)
class NextThing:
    """The next thing to do behind a door."""

    sentence: str
    action: str
    """The words of its button."""
    url: str
    is_due: bool = True
    """Whether it waits; else it is only a good idea."""


@dataclass(frozen=True)
class Page:
    """A page behind a door."""

    act: str
    """The right that opens it (`roles.ACTS`)."""
    view: str
    title: Promise
    hint: Promise


@dataclass(frozen=True)
class Door:
    """A door as a reader sees it."""

    title: str
    hint: str
    url: str
    next: NextThing | None
    links: tuple[tuple[str, str, str], ...]
    """Address, name and hint of each page behind it that the reader can open."""


@dataclass(frozen=True)
class _Declared:
    page: Page
    pages: tuple[Page, ...]
    find_next: Callable[[Club, User, datetime], NextThing | None]


# What comes next


def _tonight(club: Club, reader: User, now: datetime) -> NextThing | None:
    sections = evening.sections(club, reader, now)
    if sections:
        first = sections[0]
        if first.first_day > timezone.localtime(now, club.zone).date():
            day = on_calendar(first.first_day, pgettext("date format", "l j F"))
            return _next(_on_day(first.title, day), gettext("Prepare evening"), "clubs:tonight", club)
        sentence = gettext("%(title)s is on.") % {"title": first.title}
        return _next(sentence, gettext("Open Tonight"), "clubs:tonight", club)
    coming = Meeting.objects.filter(club=club, is_called_off=False, starts_at__gte=now).order_by("starts_at").first()
    if coming is None:
        return _next(gettext("No evening is planned."), gettext("Add your club nights"), "clubs:dates", club)
    sentence = _on_day(coming.title, date_and_time(coming.starts_at))
    return _next(sentence, gettext("See the meetings"), "clubs:dates", club)


def _on_day(title: str, day: str) -> str:
    return gettext("%(title)s: %(day)s") % {"title": title, "day": day}


def _members(club: Club, reader: User, now: datetime) -> NextThing | None:
    requests = JoinRequest.objects.filter(club=club, status=JoinRequest.Status.OPEN).count()
    if requests:
        sentence = ngettext("%(count)s request to answer.", "%(count)s requests to answer.", requests)
        return _next(sentence % {"count": requests}, gettext("Answer"), "clubs:desk", club, at="waits-h")
    if Membership.objects.filter(club=club, left_at=None).count() < 2:
        return _next(gettext("You are the only member."), gettext("Import members"), "clubs:bring_in_people", club)
    if KeptAside.objects.filter(club=club, what="members").exists():
        sentence = gettext("Rows of a list were set aside.")
        return _next(sentence, gettext("See the rows"), "clubs:people", club, at="aside-h")
    free = Membership.objects.filter(club=club, left_at=None, user=None).count()
    if free:
        sentence = ngettext("%(count)s member has no account.", "%(count)s members have no account.", free)
        invite = gettext("Invite by email")
        return _idea(sentence % {"count": free}, invite, "clubs:people", club, at="invite-h")
    return _idea(gettext("All members have an account."), gettext("Print the handbook"), "clubs:handbook", club)


def _league(club: Club, reader: User, now: datetime) -> NextThing | None:
    leagues = list(League.objects.filter(club=club, is_archived=False).order_by("name"))
    if not leagues:
        return _next(gettext("There is no league yet."), gettext("Create a league"), "clubs:new_league", club)
    open_ones = Season.objects.filter(league__in=leagues).select_related("league__club").order_by("league__name")
    running = list(open_ones.filter(status=Season.Status.RUNNING))
    waiting = reading.waiting(running, now)
    for each in waiting:
        if thing := _of_running(each):
            return thing
    if draft := open_ones.filter(status=Season.Status.DRAFT).first():
        return _of_season(gettext("%(season)s is being prepared."), draft, gettext("Continue"), "clubs:season_desk")
    resting = [league for league in leagues if league.pk not in {season.league_id for season in running}]
    if resting:
        return _of_resting(resting[0], club)
    return _of_quiet(min(waiting, key=lambda each: each.next_at or LATEST))


def _of_running(waiting: reading.Waiting) -> NextThing | None:
    season = waiting.season
    if waiting.due:
        sentence = ngettext(
            "%(season)s: %(count)s match is overdue or disputed.",
            "%(season)s: %(count)s matches are overdue or disputed.",
            waiting.due,
        )
        return _of_season(sentence, season, gettext("Open the season"), "clubs:season_desk", count=waiting.due)
    if waiting.typed:
        sentence = ngettext(
            "%(season)s: %(count)s result is typed and not published.",
            "%(season)s: %(count)s results are typed and not published.",
            waiting.typed,
        )
        return _of_season(sentence, season, gettext("Check and publish"), "clubs:results_so_far", count=waiting.typed)
    if not waiting.left:
        return _of_season(
            gettext("%(season)s: all matches are over."), season, gettext("Close the season"), "clubs:close_season"
        )
    return None


def _of_resting(league: League, club: Club) -> NextThing:
    """A league without a season under way, where the next one is prepared from the last."""
    league.club = club
    last = Season.objects.filter(league=league, status=Season.Status.CLOSED).order_by("-number").first()
    words = gettext("%(league)s has no season under way.") % {"league": league}
    if last is None:
        return NextThing(words, gettext("Create a season"), address("clubs:new_season", club.slug, league.slug))
    url = address("clubs:next_season", club.slug, league.slug, last.slug)
    return NextThing(words, gettext("Prepare the next season"), url)


def _of_quiet(waiting: reading.Waiting) -> NextThing:
    """A season under way in which nothing waits."""
    season = waiting.season
    sentence = gettext("%(season)s: nothing is due.")
    values = {"season": f"{season.league}, {season}"}
    if waiting.next_at is not None:
        day = timezone.localtime(waiting.next_at, season.league.club.zone)
        values["day"] = on_calendar(day, pgettext("date format", "l j F"))
        sentence = gettext("%(season)s: nothing is due until %(day)s.")
    url = season.get_absolute_url()
    return NextThing(sentence % values, gettext("See the fixtures"), url, is_due=False)


def _tell(club: Club, reader: User, now: datetime) -> NextThing | None:
    draft = Newsletter.objects.filter(club=club, status=Newsletter.Status.DRAFT).order_by("-pk").first()
    if draft is not None:
        sentence = gettext("A newsletter is ready: %(subject)s") % {"subject": draft.subject}
        return NextThing(sentence, gettext("Read newsletter"), address("clubs:newsletter", club.slug, draft.pk))
    if closed := _closed_untold(club, now):
        words = gettext("%(season)s is over.") % {"season": f"{closed.league}, {closed}"}
        return _next(words, gettext("Announce the champion"), "clubs:write_newsletter", club)
    latest = News.objects.filter(club=club).order_by("-published_at").first()
    if latest is None:
        return _next(gettext("There is no news yet."), gettext("Write news"), "clubs:write_news", club)
    day = on_calendar(timezone.localtime(latest.published_at, club.zone), pgettext("date format", "j F Y"))
    sentence = gettext("The latest news is from %(day)s.") % {"day": day}
    return _idea(sentence, gettext("Write news"), "clubs:write_news", club)


def _closed_untold(club: Club, now: datetime) -> Season | None:
    """The season closed last, lately, if no newsletter tells of its end."""
    latest = newsletters.closed_lately(club, now).order_by("-closed_at").first()
    if latest is None or latest.closed_at is None:
        return None
    letters = Newsletter.objects.filter(club=club, season=latest, matchday=None, created_at__gte=latest.closed_at)
    return None if letters.exists() else latest


def _settings(club: Club, reader: User, now: datetime) -> NextThing | None:
    if not (club.line and (club.about or club.venue)):
        has_line = gettext("The club’s page has no description and no venue yet.")
        sentence = has_line if club.line else gettext("The club has no one-line description.")
        return _next(sentence, gettext("Describe your club"), "clubs:settings", club, at="line")
    if not club.house_rules.exists():
        sentence = gettext("The club has no house rules.")
        return _next(sentence, gettext("Write your house rules"), "clubs:new_house_rules", club)
    sentence = gettext("The club’s page has all that visitors look for.")
    return _idea(sentence, gettext("See the public page"), "clubs:club", club)


def _next(sentence: str, action: str, view: str, club: Club, at: str = "", *, is_due: bool = True) -> NextThing | None:
    url = address(view, club.slug)
    return NextThing(sentence, action, f"{url}#{at}" if at else url, is_due) if url else None


def _idea(sentence: str, action: str, view: str, club: Club, at: str = "") -> NextThing | None:
    """What is worth doing when nothing waits."""
    return _next(sentence, action, view, club, at, is_due=False)


def _of_season(sentence: str, season: Season, action: str, view: str, **words: int) -> NextThing:
    name = f"{season.league}, {season}"
    url = address(view, season.league.club.slug, season.league.slug, season.slug)
    return NextThing(sentence % {"season": name, **words}, action, url)


# The doors

_DOORS: dict[str, _Declared] = {
    "tonight": _Declared(
        Page("results", "clubs:tonight", gettext_lazy("Tonight"), gettext_lazy("Run an evening or a matchday.")),
        (
            Page("news", "clubs:dates", gettext_lazy("Meetings"), gettext_lazy("Club nights and meetings.")),
            Page(
                "news",
                "clubs:repeating",
                gettext_lazy("Repeating meetings"),
                gettext_lazy("Weekly or monthly, from a template."),
            ),
            Page("leagues", "clubs:all_series", gettext_lazy("Series"), gettext_lazy("Standings over evenings.")),
        ),
        _tonight,
    ),
    "members": _Declared(
        Page(
            "members",
            "clubs:people",
            gettext_lazy("Members"),
            gettext_lazy("Add, invite and rename people, give roles."),
        ),
        (
            Page(
                "directory",
                "clubs:members",
                gettext_lazy("Directory"),
                gettext_lazy("The page that all members can read."),
            ),
            Page(
                "directory", "clubs:handbook", gettext_lazy("Members’ handbook"), gettext_lazy("To print, or as PDF.")
            ),
            Page("look", "clubs:roles", gettext_lazy("Roles and permissions"), gettext_lazy("The roles of a club.")),
        ),
        _members,
    ),
    "league": _Declared(
        Page("leagues", "clubs:leagues", gettext_lazy("League"), gettext_lazy("Seasons, teams, fixtures.")), (), _league
    ),
    "tell": _Declared(
        Page("news", "clubs:tell_club", gettext_lazy("Tell the club"), gettext_lazy("News, newsletters, messages.")),
        (
            Page(
                "news",
                "clubs:write_news",
                gettext_lazy("Write news"),
                gettext_lazy("On the club’s page and in its feed."),
            ),
            Page("news", "clubs:all_news", gettext_lazy("News"), gettext_lazy("Read, change or delete news.")),
            Page(
                "news",
                "clubs:news_places",
                gettext_lazy("Where news goes"),
                gettext_lazy("Discord, Slack, Telegram, ntfy, Matrix, WhatsApp."),
            ),
            Page("letters", "clubs:newsletters", gettext_lazy("Newsletter"), gettext_lazy("For subscribers.")),
            Page(
                "members",
                "clubs:tell",
                gettext_lazy("Tell members"),
                gettext_lazy("Slips, text messages and WhatsApp for members without email."),
            ),
        ),
        _tell,
    ),
    "settings": _Declared(
        Page(
            "settings",
            "clubs:settings",
            gettext_lazy("Settings"),
            gettext_lazy("Description, colours, crest, joining, house rules, records."),
        ),
        (
            Page("rules", "clubs:rules", gettext_lazy("House rules"), gettext_lazy("The rules the club plays by.")),
            Page(
                "fair_play", "clubs:fair_play", gettext_lazy("Fair play"), gettext_lazy("Patterns worth a closer look.")
            ),
            Page("history", "clubs:history", gettext_lazy("History"), gettext_lazy("See and undo changes.")),
            Page("data", "clubs:data", gettext_lazy("Data"), gettext_lazy("Import past seasons, export the club.")),
            Page("archive", "clubs:archive", gettext_lazy("Archive"), gettext_lazy("Archive or restore the club.")),
        ),
        _settings,
    ),
}


def doors(visit: Visit) -> list[Door]:
    """The doors that the reader can open, each with its next thing."""
    every = [door(visit, name) for name in _DOORS]
    return [each for each in every if each is not None]


def door(visit: Visit, name: str) -> Door | None:
    """One door, by name; `None` without the right to it or without its page. Nothing waits in an archived club."""
    declared = _DOORS[name]
    url = _url(visit, declared.page)
    if not url:
        return None
    waits = None
    if not visit.club.archived_at:
        waits = declared.find_next(visit.club, cast(User, visit.player), timezone.now())
    return Door(str(declared.page.title), str(declared.page.hint), url, waits, links(visit, name))


def links(visit: Visit, name: str) -> tuple[tuple[str, str, str], ...]:
    """Address, name and hint of each page behind a door that the reader can open."""
    rows = [(_url(visit, page), str(page.title), str(page.hint)) for page in _DOORS[name].pages]
    return tuple(row for row in rows if row[0])


def _url(visit: Visit, page: Page) -> str:
    return address(page.view, visit.club.slug) if page.act in visit.may else ""
