"""Dates of a club: to read, to set, and as a calendar."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.exports import calendar
from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, Club, Meeting
from clubs.public import overview, page_context
from clubs.services.publications import meetings as service
from web.errors import Refused

MOST, MOST_PAST = 200, 20
_FORM = ["GET", "HEAD", "POST"]
_FIELDS = ("title", "starts_at", "ends_at", "venue", "words", "weeks")


@require_http_methods(_FORM)
def dates(request: HttpRequest, club: str) -> HttpResponse:
    """Every date to come and the last that were, with the form that sets one."""
    seen = (
        page_context.seen(request, club) if request.method != "POST" else page_context.seen_for(request, club, "news")
    )
    if request.method != "POST":
        return _all(request, seen)

    def do() -> Act:
        weeks = acting.number(request, "weeks") if request.POST.get("weeks", "").strip() else 1
        if weeks is None:
            raise Refused("bad_weeks", gettext("Enter a whole number of weeks."), field="weeks")
        asked = acting.how(request)
        return service.add(seen.club.pk, acting.person(request), weeks=weeks, **_read(request, seen.club), **asked)

    return acting.act(request, "date", do, lambda refusal: _all(request, seen, refusal), _page(seen))


def _all(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    club = seen.club
    context = {
        "coming": overview.coming(club, MOST),
        "past": overview.past(club, MOST_PAST),
        "zone_words": overview.zone_words(club),
        "values": _typed(request) if refusal else {"weeks": "1"},
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/dates.html", context, tab="club", title=gettext("Meetings"), status=status
    )


@never_cache
@require_http_methods(_FORM)
def one_date(request: HttpRequest, club: str, meeting: int) -> HttpResponse:
    """The form that changes a date, calls it off or deletes it."""
    seen = page_context.seen_for(request, club, "news")
    row = Meeting.objects.filter(club=seen.club, pk=meeting).first()
    if row is None:
        raise Http404(gettext("Meeting not found."))
    if request.method != "POST":
        return _one(request, seen, row)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person = acting.person(request)
        if wish == "delete":
            return service.delete(row.pk, person, **acting.how(request))
        if wish in ("off", "on"):
            return service.call_off(row.pk, person, is_off=wish == "off", **acting.how(request))
        if wish == "edit":
            return service.edit(row.pk, person, **_read(request, seen.club), **acting.how(request, seen=True))
        raise Refused("no_act", gettext("Choose an action."))

    return acting.act(request, "date", do, lambda refusal: _one(request, seen, row, refusal), _page(seen))


def _one(request: HttpRequest, seen: page_context.Seen, row: Meeting, refusal: Refusal | None = None) -> HttpResponse:
    was_typed = refusal is not None and request.POST.get("act") == "edit"
    context = {
        "row": row,
        "date": overview.date_of(seen.club, row),
        "zone_words": overview.zone_words(seen.club),
        "values": _typed(request) if was_typed else _values(seen.club, row),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return page_context.page(request, seen, "clubs/date.html", context, tab="club", title=row.title, status=status)


def _read(request: HttpRequest, club: Club) -> dict[str, Any]:
    """The fields of a date as typed. Raises `Refused` for times that cannot be read."""
    typed = _typed(request)
    return {
        "title": typed["title"],
        "words": typed["words"],
        "venue": typed["venue"],
        "starts_at": service.read_moment(club, typed["starts_at"], "starts_at"),
        "ends_at": service.read_moment(club, typed["ends_at"], "ends_at"),
    }


def _typed(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "")[:500] for name in _FIELDS}


def _values(club: Club, row: Meeting) -> dict[str, str]:
    """The fields of a date as they are, its times by the club's clock."""
    times = {"starts_at": row.starts_at, "ends_at": row.ends_at}
    local = {name: f"{at.astimezone(club.zone):%Y-%m-%dT%H:%M}" if at else "" for name, at in times.items()}
    return {"title": row.title, "venue": row.venue, "words": row.words, **local}


def _page(seen: page_context.Seen) -> str:
    return reverse("clubs:dates", args=[seen.club.slug])


@require_safe
def calendar_file(request: HttpRequest, club: str) -> HttpResponse:
    """The club's meetings and public events as a calendar."""
    found = page_context.seen(request, club).club
    response = HttpResponse(calendar.of_club(found), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{found.slug}.ics"'
    return page_context.conditional(request, response)
