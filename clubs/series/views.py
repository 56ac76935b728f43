"""Series: their list, the standings, the file, and the page on which organisers change them."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from acts.declaring import Declared
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Series
from clubs.public import overview, page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from clubs.series import evenings, files, services
from clubs.series.standings import board, rule_words
from engine.compete.series import MEASURES, WAYS
from web.errors import Refused
from web.files import CSV, kept_file
from web.sent_numbers import read_ids

_FORM = ["GET", "HEAD", "POST"]
_FIELDS = ("name", "first_day", "last_day", "measure", "way", "number")


# Reading


@require_http_methods(_FORM)
def all_series(request: HttpRequest, club: str) -> HttpResponse:
    """All series of a club, with the form to create one."""
    if request.method != "POST":
        return _all(request, page_context.visit(request, club))
    visit = page_context.visit_for(request, club, "leagues")
    to = reverse("clubs:all_series", args=[visit.club.slug])
    return form_actions.declared(request, services.make, visit.club, lambda refusal: _all(request, visit, refusal), to)


def _all(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    rows = [(series, rule_words(series)) for series in Series.objects.filter(club=visit.club).select_related("club")]
    today = timezone.now().astimezone(visit.club.zone).date()
    values = _typed(request) if refusal else {"first_day": today.isoformat(), "measure": "points", "way": "best"}
    context = {"rows": rows, "values": values, "refusal": refusal, **_choices()}
    return page_context.page(request, visit, "clubs/series/all.html", context, tab="events", title=gettext("Series"))


@require_safe
def series_page(request: HttpRequest, club: str, series: str) -> HttpResponse:
    """The standings of a series."""
    visit = page_context.visit(request, club)
    this_series = series_of(visit, series)

    def make() -> Mapping[str, Any]:
        return {"series": this_series, "board": board(this_series), "rule": rule_words(this_series)}

    part = None
    if evenings.can_read(this_series, inside=bool(visit.role)):
        stamp = overview.stamp(visit.club)
        part = page_context.part(visit.club, stamp, "clubs/series/part.html", make, key=f"series-{this_series.pk}")
    context = {"series": this_series, "rule": rule_words(this_series), "part": part}
    return page_context.page(request, visit, "clubs/series/one.html", context, tab="events", title=this_series.name)


@require_safe
def standings_csv(request: HttpRequest, club: str, series: str) -> HttpResponse:
    """The standings of a series as CSV."""
    visit = page_context.visit(request, club)
    this_series = series_of(visit, series)
    evenings.check_readable(this_series, inside=bool(visit.role))
    follows = f"series|{this_series.pk}|{visit.club.version}|{overview.stamp(visit.club)}"

    def make() -> bytes:
        return files.standings_csv(visit.club.zone, board(this_series))

    name = f"{visit.club.slug}-{this_series.slug}.csv"
    return kept_file(request, name, CSV, make, follows=follows, zone=visit.club.zone, saved=True)


def series_of(visit: Visit, slug: str) -> Series:
    """A series of the club. Raises `Http404`."""
    rows = Series.objects.filter(club=visit.club, slug=slug).select_related("club")
    return first_or_404(rows, gettext("Series not found."))


# Organising


@never_cache
@require_http_methods(_FORM)
def edit_series(request: HttpRequest, club: str, series: str) -> HttpResponse:
    """The page to change a series, to choose its evenings, or to delete it."""
    visit = page_context.visit_for(request, club, "leagues")
    this_series = series_of(visit, series)
    if request.method != "POST":
        return _edit(request, visit, this_series)
    acts: dict[str, Declared[Any, Any, Any, Act]] = {"edit": services.change, "delete": services.delete}
    wish = request.POST.get("act", "")
    page = this_series.get_absolute_url()

    def show(refusal: Refusal) -> HttpResponse:
        return _edit(request, visit, this_series, refusal)

    if wish == "evenings":
        chosen: dict[str, Any] = _chosen(request)
        return form_actions.declared(request, services.choose, this_series, show, page, **chosen)
    if wish in acts:
        to = reverse("clubs:all_series", args=[visit.club.slug]) if wish == "delete" else page
        return form_actions.declared(request, acts[wish], this_series, show, to, seen=wish == "edit")

    def refuse() -> Act:
        raise Refused("no_act", gettext("Choose an action."))

    return form_actions.act(request, "act", refuse, show, page)


def _edit(request: HttpRequest, visit: Visit, series: Series, refusal: Refusal | None = None) -> HttpResponse:
    was_typed = refusal is not None and request.POST.get("act") == "edit"
    choice = evenings.candidates(series)[::-1]
    if refusal is not None and request.POST.get("act") == "evenings":
        ticked = set(_chosen(request)["included"])
        checked = {evening.event.pk for evening in choice if evening.event.pk in ticked}
    else:
        checked = {evening.event.pk for evening in choice if evening.is_counted}
    context = {
        "series": series,
        "evenings": [(evening, evening.event.pk in checked) for evening in choice],
        "values": _typed(request) if was_typed else _values(series),
        "refusal": refusal,
        **_choices(),
    }
    return page_context.page(request, visit, "clubs/series/edit.html", context, tab="events", title=series.name)


def _chosen(request: HttpRequest) -> dict[str, list[int]]:
    """The events that were ticked, and those that were shown without a tick."""
    ticked, shown = (_ids(request, name) for name in ("included", "shown"))
    return {"included": ticked, "left_out": [pk for pk in shown if pk not in set(ticked)]}


def _ids(request: HttpRequest, name: str) -> list[int]:
    return read_ids(request.POST.getlist(name)[: evenings.MOST], digits=18)


def _choices() -> dict[str, Any]:
    """Measures and ways of counting with their explanations."""
    return {
        "measures": [(name, gettext(title), gettext(words)) for name, (title, words) in MEASURES.items()],
        "ways": [(name, gettext(title), gettext(words)) for name, (title, words) in WAYS.items()],
    }


def _typed(request: HttpRequest) -> dict[str, str]:
    return {name: request.POST.get(name, "")[:200] for name in _FIELDS}


def _values(series: Series) -> dict[str, Any]:
    """The fields of a series as its form shows them."""
    days = {name: day.isoformat() if (day := getattr(series, name)) else "" for name in ("first_day", "last_day")}
    return {name: getattr(series, name) for name in _FIELDS} | days
