"""Import and export: past seasons from a spreadsheet, and whole clubs as one file."""

from dataclasses import replace
from tempfile import TemporaryFile

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import form_actions, seasons
from clubs.forms.form_actions import Refusal
from clubs.forms.seasons import Typed
from clubs.imports import archive, tables
from clubs.imports.season import NEEDED, SPECIMEN, TITLES, Sheet, read_season
from clubs.models import Act, KeptAside, Season
from clubs.public import page_context
from clubs.public.page_context import Visit
from clubs.services import club_archive
from clubs.services.seasons import past_seasons
from clubs.services.seasons.past_seasons import Preview
from clubs.views.login_required import person_of, sign_in
from web.bodies import takes
from web.errors import NotAllowed, Refused

_FORM = ["GET", "HEAD", "POST"]
MOST_SENT = archive.MOST_SENT // 1_000_000
"""Largest file that a page takes, in megabytes; larger ones are imported by a command."""
MOST_BROUGHT = archive.MOST_BYTES // 1_000_000
"""Largest file that the command takes, in megabytes."""


@never_cache
@require_safe
def data(request: HttpRequest, club: str) -> HttpResponse:
    """The page for imports and exports."""
    visit = page_context.visit_for(request, club, "data")
    return _data(request, visit)


def _data(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    context = {
        "taken": Act.objects.filter(club=visit.club, kind="taken").first(),
        "corrected": past_seasons.corrected_seasons(visit.club),
        "kept_aside": KeptAside.objects.filter(club=visit.club).exclude(what="members"),
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/data/data.html", context, tab="desk", title=gettext("Data"))


@require_POST
def rerank_season(request: HttpRequest, club: str, season: int) -> HttpResponse:
    """Work out the final places of an imported season again, after corrections of its results."""
    visit = page_context.visit_for(request, club, "data")
    if not Season.objects.filter(pk=season, league__club=visit.club).exists():
        raise Http404(gettext("Season not found in this club."))

    def do() -> Act:
        return past_seasons.recalculate_places(season, form_actions.person(request), **form_actions.how(request))

    to = reverse("clubs:data", args=[visit.club.slug])
    return form_actions.act(request, f"season-{season}", do, lambda refusal: _data(request, visit, refusal), to)


@never_cache
@require_http_methods(_FORM)
def export_club(request: HttpRequest, club: str) -> HttpResponse | FileResponse:
    """The whole club as one file. The history shows the export."""
    visit = page_context.visit_for(request, club, "data")
    if request.method != "POST":
        return redirect("clubs:data", visit.club.slug)
    file = TemporaryFile()  # noqa: SIM115  the response closes it
    club_archive.export_club(visit.club.pk, form_actions.person(request), file)
    file.seek(0)
    name = f"{visit.club.slug}-{timezone.localdate():%Y-%m-%d}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


def _check_club(request: HttpRequest, club: str) -> None:
    page_context.visit_for(request, club, "data")


@takes(tables.MOST_SENT, _check_club)
@never_cache
@require_http_methods(_FORM)
def import_seasons(request: HttpRequest, club: str) -> HttpResponse:
    """The form for past seasons; posted, a preview; confirmed, the import."""
    visit = page_context.visit_for(request, club, "data")
    if request.method != "POST":
        return _seasons(request, visit, Typed())
    typed = seasons.typed(request)
    try:
        typed = replace(typed, table=seasons.sent_file(request) or typed.table)
        sheet = read_season(typed.table, order=typed.dates, levels=typed.divisions)
    except Refused as refused:
        return _seasons(request, visit, typed, refusal=_refusal(refused))
    if request.POST.get("act") != "bring":
        return _preview(request, visit, typed, sheet)

    def do() -> Act:
        person, how = form_actions.person(request), form_actions.how(request)
        return past_seasons.import_seasons(visit.club.pk, person, sheet=sheet, wishes=typed.wishes, **how)

    def show(refusal: Refusal) -> HttpResponse:
        return _preview(request, visit, typed, sheet, refusal)

    return form_actions.act(request, "table", do, show, reverse("clubs:data", args=[visit.club.slug]))


def _preview(
    request: HttpRequest, visit: Visit, typed: Typed, sheet: Sheet, refusal: Refusal | None = None
) -> HttpResponse:
    """Preview the import of a table, or show its problems."""
    if sheet.problems:
        return _seasons(request, visit, typed, sheet, refusal=refusal)
    try:
        outlook = past_seasons.preview_import(
            visit.club.pk, form_actions.person(request), sheet=sheet, wishes=typed.wishes
        )
    except NotAllowed:
        raise
    except Refused as refused:
        return _seasons(request, visit, typed, sheet, refusal=refusal or _refusal(refused))
    if not typed.divisions:
        names = dict.fromkeys(division.name for season in sheet.seasons for division in season.divisions)
        typed = replace(typed, levels="\n".join(names))
    return _seasons(request, visit, typed, sheet, outlook, refusal)


def _refusal(refused: Refused) -> Refusal:
    return Refusal(str(refused.details.get("field", "table")), refused.sentence, refused.status, refused.code)


def _seasons(
    request: HttpRequest,
    visit: Visit,
    typed: Typed,
    sheet: Sheet | None = None,
    outlook: Preview | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "typed": typed,
        "sheet": sheet,
        "outlook": outlook,
        "refusal": refusal,
        "needed": NEEDED,
        "titles": TITLES,
        **seasons.choices(visit.club),
    }
    status = refusal.status if refusal else 422 if sheet is not None and sheet.problems else 200
    title = gettext("Import past seasons")
    return page_context.page(request, visit, "clubs/data/seasons.html", context, tab="desk", title=title, status=status)


@require_safe
def specimen(request: HttpRequest, club: str) -> HttpResponse:
    """The first lines of a file of past seasons, as a template."""
    page_context.visit_for(request, club, "data")
    content = SPECIMEN.encode("utf-8-sig")
    headers = {"Content-Disposition": 'attachment; filename="past-season.csv"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)


def _check_person(request: HttpRequest) -> HttpResponse | None:
    return None if person_of(request) else sign_in(request)


@takes(archive.MOST_SENT, _check_person)
@never_cache
@require_http_methods(_FORM)
def import_club(request: HttpRequest) -> HttpResponse:
    """The form to create a club from an exported file."""
    person = person_of(request)
    if person is None:
        return sign_in(request)
    if request.method != "POST":
        return _club(request)
    file = request.FILES.get("file")
    try:
        if file is None or file.file is None:
            raise Refused("no_file", gettext("Choose the file first."), field="file")
        club = club_archive.import_club(
            person,
            file.file,
            slug=request.POST.get("slug", "")[:80],
            own_name=request.POST.get("own_name", "")[:80],
            request_key=form_actions.how(request).get("request_key"),
        )
    except NotAllowed:
        raise
    except Refused as refused:
        at = str(refused.details.get("field", "file"))
        return _club(request, Refusal(at, refused.sentence, refused.status, refused.code))
    messages.success(request, gettext("%(made)s was imported.") % {"made": club})
    return redirect("clubs:desk", club.slug)


def _club(request: HttpRequest, refusal: Refusal | None = None) -> HttpResponse:
    typed = {name: request.POST.get(name, "")[:80] for name in ("slug", "own_name")}
    context = {"typed": typed, "most": MOST_SENT, "most_by_command": MOST_BROUGHT, "refusal": refusal}
    return render(request, "clubs/data/club.html", context, status=refusal.status if refusal else 200)
