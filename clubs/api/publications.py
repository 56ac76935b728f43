"""Doors to what a club tells: its news and its dates."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Asked, Form, act, look
from clubs.models import Act, Club, Meeting, News
from clubs.services.publications import meetings
from clubs.services.publications import news as services
from gameplay.api.base import read_query
from gameplay.api.tables import answer

A_PAGE = 100

# News


@look(response_serializers.NewsList, name="clubs_news_list")
def all_news(request: Request, club: str) -> Response:
    """A club's news, pinned items first."""
    found = access.open_club(club)
    rows = list(News.objects.filter(club=found)[: A_PAGE + 1])
    data = {"news": [_news(found, row) for row in rows[:A_PAGE]], "more": len(rows) > A_PAGE}
    return answer(request, response_serializers.NewsList, data)


@look(response_serializers.NewsShape, name="clubs_news_retrieve")
def one_news(request: Request, club: str, news: int) -> Response:
    """A piece of news."""
    found = access.open_club(club)
    return answer(request, response_serializers.NewsShape, _news(found, news_of(found, news)))


def _news(club: Club, row: News) -> dict[str, Any]:
    return {
        **{name: getattr(row, name) for name in ("title", "body", "is_pinned", "published_at")},
        "id": row.pk,
        "by": row.name,
        "url": settings.SITE_URL + reverse("clubs:news", args=[club.slug, row.pk]),
    }


def news_of(club: Club, news: int) -> News:
    """A piece of news of the club. Raises `Http404`."""
    found = News.objects.filter(club=club, pk=news).first()
    if found is None:
        raise Http404(gettext("News not found."))
    return found


@act("news", request_serializers.NewNews)
def write_news(asked: Asked, form: Form) -> Act:
    """Write news."""
    values = {name: form[name] for name in ("title", "body", "is_pinned")}
    return services.write(asked.club.pk, asked.by, **values, **asked.how)


@act("news", request_serializers.ChangeNews, find=news_of)
def edit_news(asked: Asked, form: Form) -> Act:
    """Change a piece of news."""
    return services.edit(asked.row.pk, asked.by, title=form["title"], body=form["body"], **asked.how)


@act("news", request_serializers.PinNews, find=news_of)
def pin_news(asked: Asked, form: Form) -> Act:
    """Pin or unpin a piece of news."""
    return services.pin(asked.row.pk, asked.by, is_pinned=form["is_pinned"], **asked.how)


@act("news", find=news_of)
def delete_news(asked: Asked, form: Form) -> Act:
    """Delete a piece of news."""
    return services.delete(asked.row.pk, asked.by, **asked.how)


# Dates


@look(response_serializers.Dates, asks=request_serializers.WhichDates, name="clubs_dates_list")
def dates(request: Request, club: str) -> Response:
    """The club’s meetings from today on, or with `which=past` earlier ones, newest first."""
    found, which = access.open_club(club), read_query(request_serializers.WhichDates, request)["which"]
    today = timezone.now().astimezone(found.zone).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Meeting.objects.filter(club=found, starts_at__gte=today)[:A_PAGE]
    if which == "past":
        rows = Meeting.objects.filter(club=found, starts_at__lt=today).order_by("-starts_at", "-pk")[:A_PAGE]
    return answer(request, response_serializers.Dates, {"dates": [_date(row) for row in rows]})


def _date(row: Meeting) -> dict[str, Any]:
    names = ("title", "words", "venue", "starts_at", "ends_at", "is_called_off")
    return {"id": row.pk, **{name: getattr(row, name) for name in names}}


def date_of(club: Club, meeting: int) -> Meeting:
    """A date of the club. Raises `Http404`."""
    found = Meeting.objects.filter(club=club, pk=meeting).first()
    if found is None:
        raise Http404(gettext("Meeting not found."))
    return found


_FIELDS = ("title", "starts_at", "ends_at", "words", "venue")


@act("news", request_serializers.NewDate)
def add_date(asked: Asked, form: Form) -> Act:
    """Add a meeting, or one a week for some weeks."""
    values = {name: form[name] for name in (*_FIELDS, "weeks")}
    return meetings.add(asked.club.pk, asked.by, **values, **asked.how)


@act("news", request_serializers.ChangeDate, find=date_of)
def edit_date(asked: Asked, form: Form) -> Act:
    """Change a meeting."""
    return meetings.edit(asked.row.pk, asked.by, **{name: form[name] for name in _FIELDS}, **asked.how)


@act("news", request_serializers.CallOff, find=date_of)
def call_off_date(asked: Asked, form: Form) -> Act:
    """Cancel a meeting, or restore a cancelled one."""
    return meetings.call_off(asked.row.pk, asked.by, is_off=form["is_off"], **asked.how)


@act("news", find=date_of)
def delete_date(asked: Asked, form: Form) -> Act:
    """Delete a meeting."""
    return meetings.delete(asked.row.pk, asked.by, **asked.how)
