"""The page of tonight: who is here, the draw, results, what was put off, publishing."""

from collections.abc import Callable
from datetime import datetime, time

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from acts.recording import added_row
from clubs import access
from clubs.forms import form_actions
from clubs.models import Act as ClubAct
from clubs.models import Newsletter
from clubs.organiser import doors
from clubs.public import page_context
from clubs.services.publications import newsletters
from clubs.tonight import grid, posting, running, ticks, typing
from clubs.tonight.page import Night, Slip
from clubs.views.login_required import person_of, sign_in
from web.errors import Refused, is_htmx
from web.form_actions import Refusal
from web.sent_numbers import read_whole

LAST_MINUTE = time(23, 59)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tonight(request: HttpRequest, club: str) -> HttpResponse:
    """The page from which an evening or a matchday is run, for people who enter results."""
    visit = page_context.visit(request, club)
    reader = person_of(request)
    if reader is None:
        return sign_in(request)
    night = Night(visit.club, reader, timezone.now(), ticks=ticks.of(request))
    if "results" not in visit.may and not night.sections:
        access.check_as(visit.role, "results")
    if request.method == "POST":
        return _post(request, night)
    night.slip = _asked_slip(request, night)
    return show(request, night)


def _asked_slip(request: HttpRequest, night: Night) -> Slip:
    """The slip of the table that the address names, ready for its scores."""
    event = read_whole(request.GET.get("of", "")) or 0
    row = grid.find(night.grids, read_whole(request.GET.get("table", "")) or 0, event)
    if row is None or not row.can_type:
        return Slip(event=event)
    return Slip(str(row.number), [side.score for side in row.sides], row, event=row.event)


def show(request: HttpRequest, night: Night, refusal: Refusal | None = None, status: int = 200) -> HttpResponse:
    """The whole page; browsers with scripts take the needed parts out of it."""
    may_write = bool(night.published) and running.may_write(night)
    visit = page_context.Visit(night.reader, night.club)
    context = {
        "club": night.club,
        "night": night,
        "refusal": refusal,
        "newsletter": night.newsletter if may_write else None,
        "can_write_letter": may_write,
        "may_pair": access.may(night.reader, night.club, "results"),
        "typed": request.POST if refusal else {},
        "links": doors.links(visit, "tonight"),
        "door": None if night.sections else doors.door(visit, "tonight"),
        "today": timezone.localtime(night.now, night.club.zone).date(),
        "adding": read_whole(request.GET.get("adding", "")),
        "about": posting.wish_of(request)[1] if refusal else 0,
        "can_plan": "leagues" in visit.may and not night.club.archived_at,
    }
    status = refusal.status if refusal else status
    with timezone.override(night.club.zone):
        response = render(request, "clubs/tonight/tonight.html", context, status=status)
    if is_htmx(request):
        response["HX-Push-Url"] = "false"
    return response


def _post(request: HttpRequest, night: Night) -> HttpResponse:
    wish, pk = posting.wish_of(request)
    if wish == "slip":
        return _slip(request, night)
    if wish == "grid":
        return posting.keep_rows(request, night, show)
    if wish == "letter":
        return _letter(request, night)
    if wish in posting.ANSWERS:
        return posting.done(request, night, wish, lambda: typing.decide(night, wish, pk, request.POST), show)
    if wish == "ticks":
        return _ticks(request, night, pk)
    if wish == "publish":
        return posting.publish(request, night, show)
    acts: dict[str, Callable[[], object]] = {
        "next": lambda: running.publish_and_go(night, pk, request),
        "back": lambda: running.take_back(night),
        "begin": lambda: running.begin(night, pk, request),
        "go": lambda: running.go(night, pk, request),
        "again": lambda: running.draw_again(night, pk, request),
        "roll": lambda: running.call_roll(night, pk, request),
        "coming": lambda: running.add_coming(night, pk, request),
        "add": lambda: running.add(night, pk, request),
        "pair": lambda: running.pair(night, pk, request),
        "partner": lambda: running.change_partner(night, pk, request),
        "redraw": lambda: running.redraw(night, pk, request),
        "off": lambda: running.put_off(night, _row(night, request.POST.get("match", "")), _last_day(night, request)),
        "on": lambda: running.put_on(night, pk),
    }
    if wish not in acts:
        refusal = Refusal("page", gettext("Choose one of the buttons on the page."))
        return show(request, night, refusal)
    # Before the start one name follows another: the cursor stays in the field.
    url = f"{night.url}?adding={pk}" if wish == "add" else ""
    return posting.done(request, night, wish, acts[wish], show, url=url)


def _ticks(request: HttpRequest, night: Night, event_id: int) -> HttpResponse:
    """The draw with those who are ticked; nothing is saved."""
    try:
        running.keep_ticks(night, event_id, request)
    except Refused as refused:
        return show(request, night, Refusal("page", refused.sentence))
    return show(request, night)


def _slip(request: HttpRequest, night: Night) -> HttpResponse:
    night.slip = typing.slip(night, request.POST)
    if night.slip.kept and not is_htmx(request):
        messages.success(request, night.slip.kept)
        query = f"?of={night.slip.event}" if night.events else ""
        return HttpResponseRedirect(f"{night.url}{query}#slip")
    return show(request, night, status=422 if night.slip.error else 200)


def _letter(request: HttpRequest, night: Night) -> HttpResponse:
    """Draft the newsletter about tonight’s matchdays, and open it."""
    drafts: list[ClubAct] = []

    def do() -> ClubAct:
        how = form_actions.how(request)
        drafts.append(
            newsletters.draft(night.club.pk, night.reader, about=night.matchdays, events=night.evenings, **how)
        )
        return drafts[0]

    def to() -> str:
        return reverse("clubs:edit_newsletter", args=[night.club.slug, added_row(drafts[0], Newsletter).pk])

    return form_actions.act(request, "letter", do, lambda refusal: show(request, night, refusal), to)


def _row(night: Night, text: str) -> grid.Row:
    row = grid.by_pk(night.grids, read_whole(text) or 0)
    if row is None:
        raise Refused("nothing_chosen", gettext("Choose a match."), field="off")
    return row


def _last_day(night: Night, request: HttpRequest) -> datetime:
    """The end of the day until which a match is put off, by the club’s clock."""
    try:
        day = parse_date(request.POST.get("until", ""))
    except ValueError:
        day = None
    if day is None:
        raise Refused("bad_day", gettext("Choose the day until which it must be played."), field="off")
    return datetime.combine(day, LAST_MINUTE, night.club.zone)
