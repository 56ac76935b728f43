"""What the front page of the site shows of clubs: to visitors a real league and the clubs that meet this week, to
members what is on tonight and the latest results of their own clubs.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import pgettext

from accounts.models import User
from clubs.coming import links
from clubs.models import Club, Division, Meeting, Membership, Question, Season
from clubs.public import leaders, league_link_cards, overview
from clubs.roles import ROLES
from clubs.tonight import evening
from tournaments.models import Pairing, Tournament
from web.fragment_cache import SECONDS
from web.text import on_calendar

CLUBS, RESULTS = 4, 4
"""Numbers of clubs that meet, and of results."""
OWN_CLUBS = 3
"""The most clubs of a person of which the page shows the next meeting."""
WEEK = timedelta(days=7)
_CHOSEN = "front-page-division"


@dataclass(frozen=True)
class Evening:
    """The next meeting of a club, by the club's own clock."""

    club: Club
    title: str
    day: str
    """`Tue 24 Nov`."""
    clock: str
    venue: str
    url: str
    is_today: bool = False
    asks: bool = False
    """Whether the link asks the reader if they come."""
    results_url: str = ""
    """Where the reader enters results tonight."""


# For visitors


def for_visitors() -> dict[str, Any]:
    """A real league, if there is one, and the clubs that meet this week."""
    division = league_to_show()
    return {
        "league": division.season if division else None,
        "league_leaders": leaders.part(division, "clubs/front/leaders.html") if division else "",
        "league_picture": league_link_cards.season_picture(division) if division else "",
        "evenings": _this_week(),
    }


def league_to_show() -> Division | None:
    """The top division with the latest result, of all leagues that everyone finds; chosen again every ten minutes."""
    chosen = cache.get(_CHOSEN)
    division = _shown().filter(pk=chosen).first() if chosen else None
    if division is None:
        played = Pairing.objects.filter(round__stage__tournament=OuterRef("tournament"), done_at__isnull=False)
        last = Subquery(played.order_by("-done_at").values("done_at")[:1])
        division = _shown().annotate(last_at=last).filter(last_at__isnull=False).order_by("-last_at", "pk").first()
        if division is not None:
            cache.set(_CHOSEN, division.pk, SECONDS)
    return division


def _shown() -> QuerySet[Division]:
    return Division.objects.filter(
        level=1,
        season__status=Season.Status.RUNNING,
        season__league__is_archived=False,
        season__league__club__is_listed=True,
        season__league__club__archived_at=None,
        tournament__visibility=Tournament.Visibility.PUBLIC,
    ).select_related("season__league__club", "tournament")


def _this_week() -> list[Evening]:
    """The next meeting of listed clubs within a week: one query."""
    now = timezone.now()
    ahead = _ahead().filter(starts_at__lt=now + WEEK, club__is_listed=True, club__archived_at=None)
    return [_evening(meeting) for meeting in _first_of_each_club(ahead[: 8 * CLUBS])][:CLUBS]


def _ahead() -> QuerySet[Meeting]:
    """Meetings that are on or to come, of every club, with their clubs."""
    now = timezone.now()
    is_on = Q(ends_at=None, starts_at__gt=now - overview.STILL_ON) | Q(ends_at__gt=now)
    return Meeting.objects.filter(is_on, is_called_off=False).select_related("club").order_by("starts_at", "pk")


def _first_of_each_club(meetings: Iterable[Meeting]) -> list[Meeting]:
    first: dict[int, Meeting] = {}
    for meeting in meetings:
        first.setdefault(meeting.club_id, meeting)
    return list(first.values())


def _evening(meeting: Meeting, **more: Any) -> Evening:
    club = meeting.club
    begins = meeting.starts_at.astimezone(club.zone)
    day = on_calendar(begins, pgettext("date format", "D j M"))
    url = more.pop("url", reverse("clubs:club", args=[club.slug]))
    return Evening(club, meeting.title, day, f"{begins:%H:%M}", meeting.venue or club.venue, url, **more)


# For members


def for_member(user: User) -> dict[str, Any]:
    """The next meetings and the latest results of the person's clubs."""
    memberships = Membership.objects.filter(user=user, left_at=None, club__archived_at=None).select_related("club")
    by_club = {membership.club_id: membership for membership in memberships}
    clubs = [membership.club for membership in by_club.values()]
    return {
        "own_clubs": clubs,
        "evenings": _own_evenings(by_club),
        "results": overview.results(clubs)[:RESULTS] if clubs else [],
    }


def _own_evenings(by_club: dict[int, Membership]) -> list[Evening]:
    ahead = _ahead().filter(club__in=by_club, starts_at__lt=timezone.now() + 8 * WEEK)
    meetings = _first_of_each_club(ahead[: 16 * OWN_CLUBS])[:OWN_CLUBS]
    questions = {each.meeting_id: each for each in Question.objects.filter(meeting__in=meetings)}
    return [_own_evening(meeting, by_club[meeting.club_id], questions.get(meeting.pk)) for meeting in meetings]


def _own_evening(meeting: Meeting, membership: Membership, question: Question | None) -> Evening:
    club, now = meeting.club, timezone.now()
    is_today = meeting.starts_at.astimezone(club.zone).date() <= now.astimezone(club.zone).date()
    may_enter = is_today and "results" in ROLES.get(membership.role, ())
    asks = question is not None and meeting.starts_at > now
    return _evening(
        meeting,
        url=links.own_path(question, membership.pk) if question and asks else reverse("clubs:dates", args=[club.slug]),
        is_today=is_today,
        asks=asks,
        results_url=reverse("clubs:tonight", args=[club.slug]) if may_enter and evening.is_on(club, now) else "",
    )
