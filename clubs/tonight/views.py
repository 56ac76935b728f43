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
from clubs.public import page_context
from clubs.services.publications import newsletters
from clubs.tonight import grid, running, typing
from clubs.tonight.page import Night, Slip
from clubs.views.login_required import person_of, sign_in
from tournaments.models import Act
from web.errors import Refused, is_htmx
from web.form_actions import Refusal

LAST_MINUTE = time(23, 59)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def tonight(request: HttpRequest, club: str) -> HttpResponse:
    """The page from which an evening or a matchday is run, for people who enter results."""
    visit = page_context.visit(request, club)
    reader = person_of(request)
    if reader is None:
        return sign_in(request)
    night = Night(visit.club, reader, timezone.now())
    if "results" not in visit.may and not night.sections:
        access.check_as(visit.role, "results")
    if request.method == "POST":
        return _post(request, night)
    night.slip = _asked_slip(request, night)
    return show(request, night)


def _asked_slip(request: HttpRequest, night: Night) -> Slip:
    """The slip of the table that the address names, ready for its scores."""
    row = grid.find(night.grids, typing.whole_number(request.GET.get("table", "")) or 0)
    if row is None or not row.can_type:
        return Slip()
    return Slip(str(row.number), [side.score for side in row.sides], row)


def show(request: HttpRequest, night: Night, refusal: Refusal | None = None, status: int = 200) -> HttpResponse:
    """The whole page; browsers with scripts take the needed parts out of it."""
    context = {
        "club": night.club,
        "night": night,
        "refusal": refusal,
        "can_write_letter": bool(night.matchdays) and access.may(night.reader, night.club, "letters"),
        "typed": request.POST if refusal else {},
        "today": timezone.localtime(night.now, night.club.zone).date(),
    }
    status = refusal.status if refusal else status
    with timezone.override(night.club.zone):
        response = render(request, "clubs/tonight/tonight.html", context, status=status)
    if is_htmx(request):
        response["HX-Push-Url"] = "false"
    return response


def _post(request: HttpRequest, night: Night) -> HttpResponse:
    # A row that was changed sends its own fields alone.
    is_row = any(name.startswith("v-") for name in request.POST)
    wish, _, about = request.POST.get("do", "grid" if is_row else "").partition(":")
    if wish == "slip":
        return _slip(request, night)
    if wish == "grid":
        return _grid(request, night)
    if wish == "letter":
        return _letter(request, night)
    pk = typing.whole_number(about) or 0
    if wish in ("keep", "instead", "mine", "theirs"):
        return _done(request, night, wish, lambda: typing.decide(night, wish, pk, request.POST))
    acts: dict[str, Callable[[], object]] = {
        "publish": lambda: running.publish(night, running.keys_of(request)),
        "next": lambda: running.publish_and_go(night, pk, request),
        "back": lambda: running.take_back(night),
        "begin": lambda: running.begin(night, pk, request),
        "go": lambda: running.go(night, pk, request),
        "roll": lambda: running.call_roll(night, pk, request),
        "coming": lambda: running.add_coming(night, pk, request),
        "add": lambda: running.add(night, pk, request),
        "redraw": lambda: running.redraw(night, pk, request),
        "off": lambda: running.put_off(night, _row(night, request.POST.get("match", "")), _last_day(night, request)),
        "on": lambda: running.put_on(night, pk),
    }
    if wish not in acts:
        refusal = Refusal("page", gettext("Choose one of the buttons on the page."))
        return show(request, night, refusal)
    return _done(request, night, wish, acts[wish])


def _slip(request: HttpRequest, night: Night) -> HttpResponse:
    night.slip = typing.slip(night, request.POST)
    if night.slip.kept and not is_htmx(request):
        messages.success(request, night.slip.kept)
        return HttpResponseRedirect(night.url + "#slip")
    return show(request, night, status=422 if night.slip.error else 200)


def _grid(request: HttpRequest, night: Night) -> HttpResponse:
    is_right = typing.rows(night, request.POST)
    if is_htmx(request):
        return show(request, night)
    if not is_right:
        return show(request, night, status=422)
    messages.success(request, gettext("Saved."))
    return HttpResponseRedirect(night.url + "#grid")


def _done(request: HttpRequest, night: Night, at: str, do: Callable[[], object]) -> HttpResponse:
    """Do one act and show the page as it is then; if it is refused, with the sentence at its control."""

    def shown(refusal: Refusal) -> HttpResponse:
        return show(request, Night(night.club, night.reader, night.now), refusal)

    def as_sentence() -> object:
        """The sentence of an act of an event, which the pages of clubs do not know."""
        outcome = do()
        return outcome.sentence if isinstance(outcome, Act) else outcome

    return form_actions.act(request, at, as_sentence, shown, night.url)


def _letter(request: HttpRequest, night: Night) -> HttpResponse:
    """Draft the newsletter about tonight’s matchdays, and open it."""
    drafts: list[ClubAct] = []

    def do() -> ClubAct:
        how = form_actions.how(request)
        drafts.append(newsletters.draft(night.club.pk, night.reader, about=night.matchdays, **how))
        return drafts[0]

    def to() -> str:
        return reverse("clubs:edit_newsletter", args=[night.club.slug, added_row(drafts[0], Newsletter).pk])

    return form_actions.act(request, "letter", do, lambda refusal: show(request, night, refusal), to)


def _row(night: Night, text: str) -> grid.Row:
    row = grid.by_pk(night.grids, typing.whole_number(text) or 0)
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
