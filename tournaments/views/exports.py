"""An event as files: CSV, JSON, PDF, calendars, a feed and a picture. Readers of the event's pages may read them."""

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.queries import player_of
from tournaments.access import open_event
from tournaments.exports import calendar, feed, json_export, source, tabular
from tournaments.lookups import entry_of, stage_among, stages_of
from tournaments.models import Stage, Tournament
from tournaments.plan import Plan
from tournaments.public import link_cards
from tournaments.public.crosstable import has_crosstable
from web.conditional_pages import conditional
from web.files import ATOM, CSV, ICS, JSON, PDF, PNG, kept_file

EDITION = 1
"""Raise it when files of the same event change their look, so that no cache keeps old ones."""

MakeFile = Callable[[], bytes]


@require_safe
def standings_csv(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The standings of a stage."""
    about, stage_, following = _stage(request, event, stage)
    name = f"{stage_.number}-standings.csv"
    return _csv(request, about, name, lambda: tabular.standings(about, source.part(about, stage_, following)))


@require_safe
def results_csv(request: HttpRequest, event: str) -> HttpResponse:
    """Every result of an event."""
    about = open_event(player_of(request), event)
    return _csv(request, about, "results.csv", lambda: tabular.results(about, source.parts(about, stages_of(about))))


@require_safe
def schedule_csv(request: HttpRequest, event: str) -> HttpResponse:
    """Every match that is drawn."""
    about = open_event(player_of(request), event)
    return _csv(request, about, "schedule.csv", lambda: tabular.schedule(about, source.parts(about, stages_of(about))))


@require_safe
def entries_csv(request: HttpRequest, event: str) -> HttpResponse:
    """All entries."""
    about = open_event(player_of(request), event)
    return _csv(request, about, "entries.csv", lambda: tabular.entries(about, source.entries(about)))


@require_safe
def event_json(request: HttpRequest, event: str) -> HttpResponse:
    """The whole event for programs."""
    about = open_event(player_of(request), event)

    def make() -> bytes:
        return json_export.write(about, source.parts(about, stages_of(about)), source.entries(about))

    return _file(request, about, "event.json", JSON, make)


@require_safe
def standings_pdf(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The standings of a stage on paper."""
    about, stage_, following = _stage(request, event, stage)

    def make() -> bytes:
        from tournaments.exports import pdf  # takes long to load

        return pdf.standings(about, source.part(about, stage_, following))

    return _file(request, about, f"{stage_.number}-standings.pdf", PDF, make)


@require_safe
def crosstable_pdf(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The crosstable of a stage on paper."""
    about, stage_, following = _stage(request, event, stage)
    if not has_crosstable(Plan.read(stage_.plan_json)):
        raise Http404("This stage has no crosstable.")

    def make() -> bytes:
        from tournaments.exports import pdf  # takes long to load

        return pdf.crosstable(about, source.part(about, stage_, following))

    return _file(request, about, f"{stage_.number}-crosstable.pdf", PDF, make)


@require_safe
def bracket_pdf(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The bracket of a stage on paper."""
    about, stage_, following = _stage(request, event, stage)
    plan = Plan.read(stage_.plan_json)
    if not plan.is_bracket and plan.format != "pod_knockout":
        raise Http404("This stage has no bracket.")

    def make() -> bytes:
        from tournaments.exports import chart  # takes long to load

        return chart.wall_chart(about, source.part(about, stage_, following))

    return _file(request, about, f"{stage_.number}-bracket.pdf", PDF, make)


@require_safe
def schedule_pdf(request: HttpRequest, event: str) -> HttpResponse:
    """All rounds on paper."""
    about = open_event(player_of(request), event)

    def make() -> bytes:
        from tournaments.exports import pdf  # takes long to load

        return pdf.schedule(about, source.parts(about, stages_of(about)))

    return _file(request, about, "schedule.pdf", PDF, make)


@require_safe
def calendar_of_event(request: HttpRequest, event: str) -> HttpResponse:
    """The start of an event, and its rounds."""
    about = open_event(player_of(request), event)
    return _file(request, about, "calendar.ics", ICS, lambda: calendar.of_event(about, stages_of(about)))


@require_safe
def calendar_of_entry(request: HttpRequest, event: str, entry: int) -> HttpResponse:
    """The matches of an entry."""
    about = open_event(player_of(request), event)
    entry_ = entry_of(about, entry)
    return _file(request, about, f"entry-{entry_.number}.ics", ICS, lambda: calendar.of_entry(about, entry_))


@never_cache
@require_safe
def own_calendar(request: HttpRequest) -> HttpResponse:
    """The address of the reader's own matches for calendar programs."""
    player = player_of(request)
    if not isinstance(player, User) or player.is_guest:
        return redirect_to_login(request.get_full_path(), reverse(settings.LOGIN_URL))
    address = source.full_url(reverse("tournaments:my_calendar", args=[calendar.token(player)]))
    return render(request, "tournaments/print/own_calendar.html", {"address": address})


@require_safe
def calendar_of_person(request: HttpRequest, token: str) -> HttpResponse:
    """A person's own matches, for anyone with the secret address; it works without signing in."""
    response = HttpResponse(calendar.of_person(calendar.read_token(token)), content_type=ICS)
    response["Content-Disposition"] = 'inline; filename="matches.ics"'
    response["Cache-Control"] = "private, no-cache"
    return conditional(request, response)


@require_safe
def feed_of_event(request: HttpRequest, event: str) -> HttpResponse:
    """The latest results and draws of an event, newest first."""
    about = open_event(player_of(request), event)

    def make() -> bytes:
        has_several = Stage.objects.filter(tournament=about).count() > 1
        return bytes(feed.EventFeed()(request, event=about, several_stages=has_several).content)

    return _file(request, about, "feed.atom", ATOM, make)


@require_safe
def preview_of_event(request: HttpRequest, event: str) -> HttpResponse:
    """The picture of a link to the event."""
    about = open_event(player_of(request), event)

    return _file(request, about, "preview.png", PNG, lambda: link_cards.draw_event(about).png())


def _stage(request: HttpRequest, event: str, number: int) -> tuple[Tournament, Stage, Stage | None]:
    """An event, one of its stages, and the stage that it feeds. Raises `Http404`."""
    about = open_event(player_of(request), event)
    return about, *stage_among(stages_of(about), number)


def _bom(request: HttpRequest) -> bool:
    """Whether the mark is wanted by which some spreadsheets know UTF-8."""
    return request.GET.get("bom") == "1"


def _csv(request: HttpRequest, event: Tournament, name: str, table: Callable[[], tabular.Table]) -> HttpResponse:
    """A table of an event as a file to store."""
    bom = _bom(request)
    return _file(request, event, name, CSV, lambda: tabular.write(event, *table(), bom=bom), saved=True)


def _file(
    request: HttpRequest, event: Tournament, name: str, kind: str, make: MakeFile, *, saved: bool = False
) -> HttpResponse:
    """A file of an event, by its version, with times in the event's zone.

    `saved`: to be stored by the reader's browser, and not shown.
    """
    follows = f"event|{event.pk}|{event.version}|{EDITION}|{_bom(request)}"
    return kept_file(request, f"{event.slug}-{name}", kind, make, follows=follows, zone=event.zone, saved=saved)


_EVENT = "events/<slug:event>"

urls = [
    path("events/mine/calendar/", own_calendar, name="own_calendar"),
    path("events/mine/<str:token>/matches.ics", calendar_of_person, name="my_calendar"),
    path(f"{_EVENT}/event.json", event_json, name="event_json"),
    path(f"{_EVENT}/entries.csv", entries_csv, name="entries_csv"),
    path(f"{_EVENT}/results.csv", results_csv, name="results_csv"),
    path(f"{_EVENT}/schedule.csv", schedule_csv, name="schedule_csv"),
    path(f"{_EVENT}/schedule.pdf", schedule_pdf, name="schedule_pdf"),
    path(f"{_EVENT}/<int:stage>/standings.csv", standings_csv, name="standings_csv"),
    path(f"{_EVENT}/<int:stage>/standings.pdf", standings_pdf, name="standings_pdf"),
    path(f"{_EVENT}/<int:stage>/crosstable.pdf", crosstable_pdf, name="crosstable_pdf"),
    path(f"{_EVENT}/<int:stage>/bracket.pdf", bracket_pdf, name="bracket_pdf"),
    path(f"{_EVENT}/calendar.ics", calendar_of_event, name="calendar"),
    path(f"{_EVENT}/entries/<int:entry>/calendar.ics", calendar_of_entry, name="entry_calendar"),
    path(f"{_EVENT}/feed.atom", feed_of_event, name="feed"),
    path(f"{_EVENT}/preview.png", preview_of_event, name="preview"),
]
