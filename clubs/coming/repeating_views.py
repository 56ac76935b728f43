"""Pages of repeating meetings: the list with the form to add one, and each with its days and reserves."""

from datetime import date
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.dateparse import parse_date
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.coming import repeating as service
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Membership, RepeatingMeeting
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from clubs.public.overview import zone_words
from clubs.public.page_context import Visit
from tournaments.event_templates import STARTERS
from web.errors import Refused
from web.sent_numbers import read_ids
from web.text import on_calendar

_FORM = ["GET", "HEAD", "POST"]
EMPTY_RESERVES = 3
"""Empty places in the form of the reserves."""
_TEXTS = tuple(name for name in service.FIELDS if name != "asks")


@never_cache
@require_http_methods(_FORM)
def all_repeating(request: HttpRequest, club: str) -> HttpResponse:
    """The club's repeating meetings, and the form to add one."""
    visit = page_context.visit_for(request, club, "news")
    if request.method != "POST":
        return _all(request, visit)

    def do() -> Act:
        person, how = form_actions.person(request), form_actions.how(request)
        return service.save(visit.club.pk, person, values=_typed(request), **how)

    to = reverse("clubs:repeating", args=[visit.club.slug])
    return form_actions.act(request, "repeating", do, lambda refusal: _all(request, visit, refusal), to)


def _all(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    rows = RepeatingMeeting.objects.filter(club=visit.club)
    context = {
        "rows": [(row, service.in_words(row)) for row in rows],
        "values": _typed(request) if refusal else _first_values(),
        **_choices(visit),
        "refusal": refusal,
    }
    title = gettext("Repeating meetings")
    return page_context.page(request, visit, "clubs/coming/repeating.html", context, tab="club", title=title)


@never_cache
@require_http_methods(_FORM)
def one_repeating(request: HttpRequest, club: str, repeating: int) -> HttpResponse:
    """One repeating meeting: its settings, skipped days, reserves and end."""
    visit = page_context.visit_for(request, club, "news")
    rows = RepeatingMeeting.objects.filter(club=visit.club, pk=repeating)
    row = first_or_404(rows, gettext("Meeting not found."))
    if request.method != "POST":
        return _edit_page(request, visit, row)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person, how = form_actions.person(request), form_actions.how(request)
        if wish == "edit":
            how = form_actions.how(request, seen=True)
            return service.save(visit.club.pk, person, values=_typed(request), repeating_id=row.pk, **how)
        if wish in ("skip", "hold"):
            return service.skip(row.pk, person, day=_day(request, "day"), is_off=wish == "skip", **how)
        if wish == "end":
            return service.end(row.pk, person, last_day=_day(request, "end"), **how)
        if wish == "reserves":
            return service.set_reserves(row.pk, person, memberships=_reserves(request), **how)
        raise Refused("no_act", gettext("Choose an action."))

    return form_actions.act(
        request, "repeating", do, lambda refusal: _edit_page(request, visit, row, refusal), request.path
    )


def _edit_page(
    request: HttpRequest, visit: Visit, row: RepeatingMeeting, refusal: Refusal | None = None
) -> HttpResponse:
    row.refresh_from_db()
    was_typed = refusal is not None and request.POST.get("act") == "edit"
    reserves = list(row.reserves.all())
    typed = [text for text in request.POST.getlist("reserve")[: service.MOST_RESERVES] if text] if refusal else []
    context = {
        "row": row,
        "words": service.in_words(row),
        "values": _typed(request) if was_typed else _values(row),
        "skipped": service.skipped_days(row),
        "reserves": [*(typed or [str(reserve.membership_id) for reserve in reserves]), *("",) * EMPTY_RESERVES],
        "people": Membership.objects.filter(club=visit.club, left_at=None).order_by("name", "pk"),
        "typed": request.POST if refusal else {},
        **_choices(visit),
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/coming/repeating_one.html", context, tab="club", title=row.title)


def _choices(visit: Visit) -> dict[str, Any]:
    return {
        "zone_words": zone_words(visit.club),
        "weekdays": [(str(at), on_calendar(date(2024, 1, 1 + at), "l")) for at in range(7)],
        "everies": RepeatingMeeting.Every.choices,
        "nths": [(str(value), label) for value, label in RepeatingMeeting.Nth.choices],
        "starters": [(name, starter.title) for name, starter in STARTERS.items()],
    }


def _first_values() -> dict[str, Any]:
    return {"every": "week", "weekday": "1", "nth": "1", "minutes": "180", "asks": True, "ask_days": "4"} | {
        "least": "0",
        "reserve_hours": "12",
    }


def _typed(request: HttpRequest) -> dict[str, Any]:
    texts: dict[str, Any] = {name: request.POST.get(name, "")[:500] for name in _TEXTS}
    return texts | {"asks": "asks" in request.POST}


def _values(row: RepeatingMeeting) -> dict[str, Any]:
    """The fields of the form, as text."""
    texts = {name: getattr(row, name) for name in _TEXTS}
    plain = {name: "" if value is None else str(value) for name, value in texts.items()}
    return {**plain, "starts_at": f"{row.starts_at:%H:%M}", "asks": row.asks}


def _day(request: HttpRequest, field: str) -> date:
    """The day that was chosen. Raises `Refused`."""
    try:
        day = parse_date(request.POST.get(field, "")[:10])
    except ValueError:
        day = None
    if day is None:
        raise Refused("bad_day", gettext("Enter a day, such as 2026-11-24."), field=field)
    return day


def _reserves(request: HttpRequest) -> list[int]:
    """The chosen members (ids) in their order. Raises `Refused`."""
    texts = [text for text in request.POST.getlist("reserve")[: service.MOST_RESERVES + 1] if text]
    ids = read_ids(texts)
    if len(ids) < len(texts):
        raise Refused("no_such_row", gettext("Choose members of the club."), field="reserves")
    return ids
