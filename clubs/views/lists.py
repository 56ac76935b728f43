"""Lists in any file: given, read and checked, imported."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.bring_in.reading import MEMBERS, RESULTS
from clubs.exports import tables
from clubs.forms import form_actions, lists
from clubs.forms.form_actions import Refusal
from clubs.forms.lists import Given
from clubs.models import Act, KeptAside
from clubs.public import page_context
from clubs.public.page_context import Visit
from clubs.services import list_import
from web.bodies import takes
from web.errors import NotAllowed, Refused

NEEDS = {MEMBERS: "members", RESULTS: "data"}
"""The right that each kind of list needs."""


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

    def do() -> Act:
        return list_import.import_list(
            *(visit.club.pk, form_actions.person(request)),
            what=what,
            book=upload.book,
            choices=lists.choices(request),
            name=upload.name,
            **form_actions.how(request),
        )

    def show(refusal: Refusal) -> HttpResponse:
        return _show(request, visit, what, upload, refusal)

    return form_actions.act(request, "import", do, show, reverse("clubs:people", args=[visit.club.slug]))


def _give(request: HttpRequest, visit: Visit, what: str, refusal: Refusal | None = None) -> HttpResponse:
    context = {"what": what, "refusal": refusal, "paste": request.POST.get("paste", "")}
    status = refusal.status if refusal else None
    title = gettext("Import a list")
    return page_context.page(request, visit, "clubs/lists/give.html", context, tab="desk", title=title, status=status)


def _show(request: HttpRequest, visit: Visit, what: str, upload: Given, refusal: Refusal | None = None) -> HttpResponse:
    """What was read, with everything that can be chosen."""
    reading = list_import.read(visit.club, upload.book, what, lists.choices(request))
    context = {
        **lists.page(reading),
        "what": what,
        "given": upload,
        "book": lists.token_of(upload, visit.club),
        "reading": reading,
        "outcome": list_import.outcome(visit.club, reading),
        "refusal": refusal,
    }
    status = refusal.status if refusal else None
    title = gettext("This is what we read")
    return page_context.page(request, visit, "clubs/lists/read.html", context, tab="desk", title=title, status=status)


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
