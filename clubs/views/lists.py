"""Lists in any file: given, read and checked, imported."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.bring_in.reading import FIXTURES, MEMBERS, RESULTS, TABLE, Reading
from clubs.exports import tables
from clubs.forms import form_actions, lists, seasons
from clubs.forms.form_actions import Refusal
from clubs.forms.lists import Given
from clubs.forms.seasons import Typed
from clubs.models import Act, KeptAside, League, Season
from clubs.public import page_context
from clubs.public.page_context import Visit
from clubs.services import list_import, season_lists
from web.bodies import takes
from web.errors import NotAllowed, Refused

NEEDS = {MEMBERS: "members", RESULTS: "data", TABLE: "data", FIXTURES: "leagues"}
"""The right that each kind of list needs."""
PAGES = {
    MEMBERS: "clubs:bring_in_people",
    RESULTS: "clubs:bring_in_results",
    TABLE: "clubs:bring_in_table",
    FIXTURES: "clubs:bring_in_fixtures",
}
BACK = {MEMBERS: "clubs:people", RESULTS: "clubs:data", TABLE: "clubs:data", FIXTURES: "clubs:leagues"}
"""The page of each kind of list, and the one above it."""


def _visit(request: HttpRequest, club: str, what: str) -> Visit:
    if what not in NEEDS:
        raise Http404(gettext("Page not found."))
    return page_context.visit_for(request, club, NEEDS[what])


def _check(request: HttpRequest, club: str, what: str) -> None:
    _visit(request, club, what)


@takes(lists.MOST_SENT, _check)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_list(request: HttpRequest, club: str, what: str) -> HttpResponse:
    """A file or a paste; posted, what was read in it; confirmed, the import."""
    visit = _visit(request, club, what)
    if request.method != "POST":
        return _give(request, visit, what)
    try:
        upload = lists.sent(request, visit.club)
    except NotAllowed:
        raise
    except Refused as refused:
        return _give(request, visit, what, Refusal("file", refused.sentence, refused.status, refused.code))
    if request.POST.get("do") != "import":
        return _show(request, visit, what, upload)

    acts: list[Act] = []

    def do() -> Act:
        acts[:] = [_import(request, visit, what, upload)]
        return acts[0]

    def show(refusal: Refusal) -> HttpResponse:
        return _show(request, visit, what, upload, refusal)

    return form_actions.act(request, "import", do, show, lambda: _after(visit, what, acts[0]))


def _import(request: HttpRequest, visit: Visit, what: str, upload: Given) -> Act:
    return list_import.import_list(
        *(visit.club.pk, form_actions.person(request)),
        what=what,
        book=upload.book,
        choices=lists.choices(request),
        name=upload.name,
        wishes=None if what == MEMBERS else _typed(request, visit).wishes,
        season=lists.season_terms(request),
        **form_actions.how(request),
    )


def _after(visit: Visit, what: str, act: Act) -> str:
    """The address to go to: of fixtures the desk of their season, else the page that led here."""
    changed = [change["pk"] for change in act.changes if what == FIXTURES and change["model"] == "season"]
    season = Season.objects.filter(pk__in=changed).select_related("league__club").first()
    if season is not None:
        return reverse("clubs:season_desk", args=[visit.club.slug, season.league.slug, season.slug])
    return reverse(BACK[what], args=[visit.club.slug])


def _typed(request: HttpRequest, visit: Visit) -> Typed:
    """League, rules and points of a list of results or places. The first time, the only league of the club is chosen."""
    typed = seasons.typed(request)
    if "league" in request.POST:
        return typed
    leagues = list(League.objects.filter(club=visit.club, is_archived=False).values_list("pk", flat=True)[:2])
    return Typed(league=str(leagues[0])) if len(leagues) == 1 else Typed(league_name=gettext("League"))


def _give(request: HttpRequest, visit: Visit, what: str, refusal: Refusal | None = None) -> HttpResponse:
    context = {"what": what, "refusal": refusal, "paste": request.POST.get("paste", ""), "back": BACK[what]}
    status = refusal.status if refusal else None
    title = gettext("Import a list")
    return page_context.page(request, visit, "clubs/lists/give.html", context, tab="desk", title=title, status=status)


def _show(request: HttpRequest, visit: Visit, what: str, upload: Given, refusal: Refusal | None = None) -> HttpResponse:
    """What was read, with everything that can be chosen."""
    wishes = None if what == MEMBERS else _typed(request, visit).wishes
    reading = list_import.read(visit.club, upload.book, what, lists.choices(request), wishes)
    context = {
        **lists.page(reading),
        "what": what,
        "given": upload,
        "book": lists.token_of(upload, visit.club),
        "reading": reading,
        "page": PAGES[what],
        "back": BACK[what],
        "outcome": list_import.outcome(visit.club, reading) if what == MEMBERS else None,
        "refusal": refusal,
        **({} if what == MEMBERS else _of_season(request, visit, reading)),
    }
    status = refusal.status if refusal else None
    title = gettext("This is what we read")
    return page_context.page(request, visit, "clubs/lists/read.html", context, tab="desk", title=title, status=status)


def _of_season(request: HttpRequest, visit: Visit, reading: Reading) -> dict[str, Any]:
    """Where results or places go, and what comes of it."""
    typed = _typed(request, visit)
    terms = season_lists.season_terms(visit.club, reading, lists.season_terms(request), typed.wishes)
    by = form_actions.person(request)
    return {
        **seasons.choices(visit.club),
        "typed": typed,
        "terms": terms,
        "seasons": season_lists.seasons_outcome(visit.club, reading, terms, typed.wishes, by),
        "undated": any(match.day is None for match in reading.matches),
    }


@require_safe
def import_people(request: HttpRequest, club: str) -> HttpResponse:
    """The old address of the import of members."""
    visit = _visit(request, club, MEMBERS)
    return redirect("clubs:bring_in_people", visit.club.slug)


@never_cache
@require_safe
def kept_aside(request: HttpRequest, club: str, aside: int) -> HttpResponse:
    """The rows of a list that were not imported, as a table to download."""
    visit = page_context.visit_for(request, club, "members")
    row = KeptAside.objects.filter(club=visit.club, pk=aside).first()
    if row is None or row.what not in NEEDS:
        raise Http404(gettext("This no longer exists."))
    page_context.visit_for(request, club, NEEDS[row.what])
    head = (gettext("row"), gettext("why"), gettext("cells"))
    content = tables.write(visit.club.zone, head, ([number, why, *cells] for number, cells, why in row.rows))
    headers = {"Content-Disposition": f'attachment; filename="kept-aside-{row.pk}.csv"'}
    return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=headers)
