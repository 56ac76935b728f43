"""Pages about guests of a meeting: for strangers without an account, and the organisers' list."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.queries import player_of
from clubs.coming import guests as service
from clubs.coming import links, occasions
from clubs.coming.views import ended
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Club, Meeting, MeetingGuest
from clubs.public import overview, page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from web.errors import Refused
from web.form_actions import key_of

_FORM = ["GET", "HEAD", "POST"]


@never_cache
@require_http_methods(_FORM)
def come(request: HttpRequest, club: str, meeting: int) -> HttpResponse:
    """The form by which strangers say that they would like to come. Members have their own links."""
    visit = page_context.visit(request, club)
    this_meeting = meeting_of(visit.club, meeting)
    if visit.role:
        return redirect("clubs:dates", visit.club.slug)
    try:
        if request.method != "POST":
            service.check_open(this_meeting, timezone.now())
            return _come_page(request, visit, this_meeting)
        guest = service.add(
            this_meeting.pk,
            name=request.POST.get("name", "")[:200],
            note=request.POST.get("note", "")[:500],
            shown=request.POST.get("starts_at", "")[:40],
            key=key_of(request) or "",
            by=player_of(request),
        )
    except Refused as refused:
        refusal = Refusal(str(refused.details.get("field", "come")), refused.sentence, refused.status, refused.code)
        return _come_page(request, visit, meeting_of(visit.club, meeting), refusal)
    return HttpResponseRedirect(links.guest_path(guest))


def meeting_of(club: Club, meeting: int) -> Meeting:
    """A meeting of the club, with its club. Raises `Http404`."""
    rows = Meeting.objects.select_related("club", "event").filter(club=club, pk=meeting)
    return first_or_404(rows, gettext("Meeting not found."))


def _come_page(request: HttpRequest, visit: Visit, meeting: Meeting, refusal: Refusal | None = None) -> HttpResponse:
    is_read = request.method != "POST"
    context = {
        "meeting": meeting,
        "occasion": occasions.of_meeting(meeting),
        "map_url": overview.map_url(meeting.venue or visit.club.venue),
        "zone_words": overview.zone_words(visit.club),
        "is_closed": refusal is not None and refusal.code in ("no_guests", "cancelled", "closed", "full"),
        "typed": {name: request.POST.get(name, "")[:500] for name in ("name", "note")},
        "refusal": refusal,
    }
    title, status = gettext("I would like to come"), 200 if is_read else None
    return page_context.page(request, visit, "clubs/coming/come.html", context, tab="club", title=title, status=status)


@never_cache
@require_http_methods(_FORM)
def guest(request: HttpRequest, token: str) -> HttpResponse:
    """A guest's own link: when and where they come, and the button of those who cannot come after all."""
    try:
        meeting, guest_id = links.read_guest(token)
    except Refused as refusal:
        return ended(request, refusal)
    if request.method == "POST":
        service.leave(meeting.pk, guest_id)
        return HttpResponseRedirect(request.path)
    context = {
        "meeting": meeting,
        "club": meeting.club,
        "occasion": occasions.of_meeting(meeting),
        "map_url": overview.map_url(meeting.venue or meeting.club.venue),
        "guest": MeetingGuest.objects.filter(meeting=meeting, pk=guest_id).first(),
        "link": links.full(request.path),
    }
    with timezone.override(meeting.club.zone):
        return render(request, "clubs/coming/guest.html", context)


@never_cache
@require_http_methods(_FORM)
def guests(request: HttpRequest, club: str, meeting: int) -> HttpResponse:
    """The organisers' list of guests, with a button to remove each."""
    visit = page_context.visit_for(request, club, "results")
    this_meeting = meeting_of(visit.club, meeting)
    if request.method != "POST":
        return _guests_page(request, visit, this_meeting)
    to = reverse("clubs:meeting_guests", args=[visit.club.slug, this_meeting.pk])
    return form_actions.declared(
        request, service.remove, this_meeting, lambda refusal: _guests_page(request, visit, this_meeting, refusal), to
    )


def _guests_page(request: HttpRequest, visit: Visit, meeting: Meeting, refusal: Refusal | None = None) -> HttpResponse:
    # A link does nothing once the meeting is over.
    is_ahead = timezone.now() < meeting.over_at and not meeting.is_called_off
    context = {
        "meeting": meeting,
        "date": overview.date_of(visit.club, meeting),
        "rows": [
            (guest, links.full(links.guest_path(guest)) if is_ahead else "") for guest in service.guests_of(meeting)
        ],
        "most": service.MOST,
        "refusal": refusal,
    }
    title = gettext("Guests from the public page")
    return page_context.page(request, visit, "clubs/coming/guests.html", context, tab="club", title=title)
