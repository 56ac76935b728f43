"""API views for publications of a club: news and meetings."""

from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Form, act, read_view
from clubs.models import Act, Club, Meeting, News
from clubs.public.lookups import first_or_404
from clubs.services.publications import meetings
from clubs.services.publications import news as services
from gameplay.api.base import read_query
from gameplay.api.tables import answer

A_PAGE = 100

# News


@read_view(response_serializers.NewsList, name="clubs_news_list")
def all_news(request: Request, club: str) -> Response:
    """A club's news, pinned items first."""
    this_club = access.open_club(club)
    rows = list(News.objects.filter(club=this_club)[: A_PAGE + 1])
    data = {"news": [_news(this_club, item) for item in rows[:A_PAGE]], "more": len(rows) > A_PAGE}
    return answer(request, response_serializers.NewsList, data)


@read_view(response_serializers.NewsShape, name="clubs_news_retrieve")
def one_news(request: Request, club: str, news: int) -> Response:
    """A piece of news."""
    this_club = access.open_club(club)
    return answer(request, response_serializers.NewsShape, _news(this_club, news_of(this_club, news)))


def _news(club: Club, item: News) -> dict[str, Any]:
    return {
        **{name: getattr(item, name) for name in ("title", "body", "is_pinned", "published_at")},
        "id": item.pk,
        "by": item.name,
        "url": settings.SITE_URL + reverse("clubs:news", args=[club.slug, item.pk]),
    }


def news_of(club: Club, news: int) -> News:
    """A piece of news of the club. Raises `Http404`."""
    return first_or_404(News.objects.filter(club=club, pk=news), gettext("News not found."))


@act("news", request_serializers.NewNews)
def write_news(action: Action, form: Form) -> Act:
    """Write news."""
    values = {name: form[name] for name in ("title", "body", "is_pinned")}
    return services.write(action.club.pk, action.by, **values, **action.how)


@act("news", request_serializers.ChangeNews, find=news_of)
def edit_news(action: Action, form: Form) -> Act:
    """Change a piece of news."""
    return services.edit(action.row.pk, action.by, title=form["title"], body=form["body"], **action.how)


@act("news", request_serializers.PinNews, find=news_of)
def pin_news(action: Action, form: Form) -> Act:
    """Pin or unpin a piece of news."""
    return services.pin(action.row.pk, action.by, is_pinned=form["is_pinned"], **action.how)


@act("news", find=news_of)
def delete_news(action: Action, form: Form) -> Act:
    """Delete a piece of news."""
    return services.delete(action.row.pk, action.by, **action.how)


# Meetings


@read_view(response_serializers.Dates, asks=request_serializers.WhichDates, name="clubs_dates_list")
def dates(request: Request, club: str) -> Response:
    """The club’s meetings from today on, or with `which=past` earlier ones, newest first."""
    this_club, which = access.open_club(club), read_query(request_serializers.WhichDates, request)["which"]
    today = timezone.now().astimezone(this_club.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Meeting.objects.filter(club=this_club, starts_at__gte=today)[:A_PAGE]
    if which == "past":
        rows = Meeting.objects.filter(club=this_club, starts_at__lt=today).order_by("-starts_at", "-pk")[:A_PAGE]
    return answer(request, response_serializers.Dates, {"dates": [_meeting(meeting) for meeting in rows]})


def _meeting(meeting: Meeting) -> dict[str, Any]:
    names = ("title", "words", "venue", "starts_at", "ends_at", "is_called_off")
    return {"id": meeting.pk, **{name: getattr(meeting, name) for name in names}}


def meeting_of(club: Club, meeting: int) -> Meeting:
    """A meeting of the club. Raises `Http404`."""
    return first_or_404(Meeting.objects.filter(club=club, pk=meeting), gettext("Meeting not found."))


_FIELDS = ("title", "starts_at", "ends_at", "words", "venue")


@act("news", request_serializers.NewDate)
def add_meeting(action: Action, form: Form) -> Act:
    """Add a meeting, or one a week for some weeks."""
    values = {name: form[name] for name in (*_FIELDS, "weeks")}
    return meetings.add(action.club.pk, action.by, **values, **action.how)


@act("news", request_serializers.ChangeDate, find=meeting_of)
def edit_meeting(action: Action, form: Form) -> Act:
    """Change a meeting."""
    return meetings.edit(action.row.pk, action.by, **{name: form[name] for name in _FIELDS}, **action.how)


@act("news", request_serializers.CallOff, find=meeting_of)
def cancel_meeting(action: Action, form: Form) -> Act:
    """Cancel a meeting, or restore a cancelled one."""
    return meetings.cancel(action.row.pk, action.by, is_off=form["is_off"], **action.how)


@act("news", find=meeting_of)
def delete_meeting(action: Action, form: Form) -> Act:
    """Delete a meeting."""
    return meetings.delete(action.row.pk, action.by, **action.how)
