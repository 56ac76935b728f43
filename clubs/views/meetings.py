"""Meetings of a club: list, forms and calendar."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.coming import asking, guests, meeting_events
from clubs.coming.views import own_links
from clubs.exports import calendar
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Club, Meeting, Question, Reply
from clubs.public import overview, page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from clubs.services.publications import meetings as service
from web.errors import Refused

MOST, MOST_PAST = 200, 20
COMING = (Reply.Answer.YES, Reply.Answer.PARTNER)
_FORM = ["GET", "HEAD", "POST"]
_FIELDS = ("title", "starts_at", "ends_at", "venue", "words", "weeks")


@require_http_methods(_FORM)
def dates(request: HttpRequest, club: str) -> HttpResponse:
    """All future meetings and the last past ones, with the form to add one."""
    visit = (
        page_context.visit(request, club) if request.method != "POST" else page_context.visit_for(request, club, "news")
    )
    if request.method != "POST":
        return _all(request, visit)

    def do() -> Act:
        weeks = form_actions.number(request, "weeks") if request.POST.get("weeks", "").strip() else 1
        if weeks is None:
            raise Refused("bad_weeks", gettext("Enter a whole number of weeks."), field="weeks")
        how = form_actions.how(request)
        return service.add(
            visit.club.pk, form_actions.person(request), weeks=weeks, **_read(request, visit.club), **how
        )

    return form_actions.act(request, "date", do, lambda refusal: _all(request, visit, refusal), _page(visit))


def _all(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    club = visit.club
    coming = overview.coming_meetings(club, MOST)
    context = {
        "coming": coming,
        "past": overview.past_meetings(club, MOST_PAST),
        "zone_words": overview.zone_words(club),
        "own_links": own_links(visit, timezone.now()),
        "questions": _questions(visit),
        "guests": guests.counts([date.meeting.pk for date in coming]) if "results" in visit.may else {},
        "comes": {} if visit.role else {date.meeting.pk: overview.takes_guests(club, date.meeting) for date in coming},
        "values": _typed(request) if refusal else {"weeks": "1"},
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/dates.html", context, tab="club", title=gettext("Meetings"))


def _questions(visit: Visit) -> dict[int, int]:
    """For people who run evenings: the questions (ids) who comes, by the ids of meetings to come."""
    if "results" not in visit.may:
        return {}
    questions = Question.objects.filter(club=visit.club, meeting__starts_at__gt=timezone.now() - overview.STILL_ON)
    return {meeting: pk for meeting, pk in questions.values_list("meeting_id", "pk") if meeting is not None}


@never_cache
@require_http_methods(_FORM)
def edit_meeting(request: HttpRequest, club: str, meeting: int) -> HttpResponse:
    """The form to change, cancel or delete a meeting."""
    visit = page_context.visit_for(request, club, "news")
    this_meeting = first_or_404(Meeting.objects.filter(club=visit.club, pk=meeting), gettext("Meeting not found."))
    if request.method != "POST":
        return _meeting_page(request, visit, this_meeting)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person = form_actions.person(request)
        if wish == "delete":
            return service.delete(this_meeting.pk, person, **form_actions.how(request))
        if wish in ("off", "on"):
            return service.cancel(this_meeting.pk, person, is_off=wish == "off", **form_actions.how(request))
        if wish == "ask":
            return asking.ask(this_meeting.pk, person, **form_actions.how(request))
        if wish == "edit":
            return service.edit(
                this_meeting.pk, person, **_read(request, visit.club), **form_actions.how(request, seen=True)
            )
        raise Refused("no_act", gettext("Choose an action."))

    to = _page(visit)
    return form_actions.act(
        request, "date", do, lambda refusal: _meeting_page(request, visit, this_meeting, refusal), to
    )


def _meeting_page(request: HttpRequest, visit: Visit, meeting: Meeting, refusal: Refusal | None = None) -> HttpResponse:
    was_typed = refusal is not None and request.POST.get("act") == "edit"
    context = {
        "row": meeting,
        "date": overview.date_of(visit.club, meeting),
        "zone_words": overview.zone_words(visit.club),
        "values": _typed(request) if was_typed else _values(visit.club, meeting),
        "question": Question.objects.filter(meeting=meeting).first(),
        "guests": guests.counts([meeting.pk]).get(meeting.pk, 0) if "results" in visit.may else 0,
        "coming": Reply.objects.filter(question__meeting=meeting, answer__in=COMING).count(),
        "has_event": meeting_events.follows(meeting.event),
        "is_ahead": meeting.starts_at > timezone.now() and not meeting.is_called_off,
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/date.html", context, tab="club", title=meeting.title)


def _read(request: HttpRequest, club: Club) -> dict[str, Any]:
    """The input of a meeting’s form. Raises `Refused` for unreadable times."""
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


def _values(club: Club, meeting: Meeting) -> dict[str, str]:
    """The fields of a meeting, with times by the club’s clock."""
    times = {"starts_at": meeting.starts_at, "ends_at": meeting.ends_at}
    local = {name: f"{at.astimezone(club.zone):%Y-%m-%dT%H:%M}" if at else "" for name, at in times.items()}
    return {"title": meeting.title, "venue": meeting.venue, "words": meeting.words, **local}


def _page(visit: Visit) -> str:
    return reverse("clubs:dates", args=[visit.club.slug])


@require_safe
def calendar_file(request: HttpRequest, club: str) -> HttpResponse:
    """The club's meetings and public events as a calendar."""
    this_club = page_context.visit(request, club).club
    response = HttpResponse(calendar.of_club(this_club), content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{this_club.slug}.ics"'
    return page_context.conditional(request, response)
