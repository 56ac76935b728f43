"""Members from a spreadsheet, pasted or sent as a file: preview and import."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.imports import tables
from clubs.models import Act
from clubs.public import page_context
from clubs.services.members import member_import
from clubs.services.members.member_import import ImportPreview
from web.bodies import takes
from web.errors import Refused


def _check(request: HttpRequest, club: str) -> None:
    page_context.visit_for(request, club, "members")


@takes(tables.MOST_SENT, _check)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def import_members(request: HttpRequest, club: str) -> HttpResponse:
    """The form for a table; posted, a preview; confirmed, the import."""
    visit = page_context.visit_for(request, club, "members")
    if request.method != "POST":
        return _page(request, visit, "")
    text = request.POST.get("table", "")
    if request.POST.get("act") != "bring":
        return _preview(request, visit, text)

    def do() -> Act:
        how = form_actions.how(request)
        letters = "letters" in request.POST
        return member_import.import_members(
            visit.club.pk, form_actions.person(request), data=text, letters=letters, **how
        )

    def show(refusal: Refusal) -> HttpResponse:
        return _preview(request, visit, text, refusal)

    return form_actions.act(request, "bring", do, show, reverse("clubs:people", args=[visit.club.slug]))


def _preview(
    request: HttpRequest, visit: page_context.Visit, text: str, refusal: Refusal | None = None
) -> HttpResponse:
    """Preview the import of a table; a file comes before pasted text."""
    try:
        sent = request.FILES.get("file")
        if sent is not None:
            if (sent.size or 0) > tables.MOST_BYTES:
                raise Refused(
                    "too_large",
                    gettext("The file is too large. The limit is %(size)s kB.") % {"size": tables.MOST_BYTES // 1000},
                )
            text = tables.decode(sent.read())
        return _page(request, visit, text, member_import.preview(visit.club.pk, text), refusal)
    except Refused as refused:
        return _page(request, visit, text, None, Refusal("table", refused.sentence, refused.status))


def _page(
    request: HttpRequest,
    visit: page_context.Visit,
    text: str,
    reading: ImportPreview | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {"text": text, "reading": reading, "letters": "letters" in request.POST, "refusal": refusal}
    title = gettext("Import members")
    return page_context.page(request, visit, "clubs/members/bring_in.html", context, tab="desk", title=title)
