"""Members from a spreadsheet: pasted or sent as a file, looked at, then brought in."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.imports import tables
from clubs.models import Act
from clubs.public import page_context
from clubs.services.members import member_import
from clubs.services.members.member_import import Reading
from web.errors import Refused


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest, club: str) -> HttpResponse:
    """The form for a table; posted, what would become of it; sent again with “bring them in”, the act."""
    seen = page_context.seen_for(request, club, "members")
    if request.method != "POST":
        return _page(request, seen, "")
    text = request.POST.get("table", "")
    if request.POST.get("act") != "bring":
        return _look(request, seen, text)

    def do() -> Act:
        asked = acting.how(request)
        letters = "letters" in request.POST
        return member_import.bring_in(seen.club.pk, acting.person(request), data=text, letters=letters, **asked)

    def show(refusal: Refusal) -> HttpResponse:
        return _look(request, seen, text, refusal)

    return acting.act(request, "bring", do, show, reverse("clubs:people", args=[seen.club.slug]))


def _look(request: HttpRequest, seen: page_context.Seen, text: str, refusal: Refusal | None = None) -> HttpResponse:
    """Show what would become of a table; a file goes before what was pasted."""
    try:
        sent = request.FILES.get("file")
        if sent is not None:
            if (sent.size or 0) > tables.MOST_BYTES:
                raise Refused(
                    "too_large",
                    gettext("The file is too large. The limit is %(size)s kB.") % {"size": tables.MOST_BYTES // 1000},
                )
            text = tables.decoded(sent.read())
        return _page(request, seen, text, member_import.look(seen.club.pk, text), refusal)
    except Refused as refused:
        return _page(request, seen, text, None, Refusal("table", refused.sentence, refused.status))


def _page(
    request: HttpRequest,
    seen: page_context.Seen,
    text: str,
    reading: Reading | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "text": text,
        "reading": reading,
        "letters": "letters" in request.POST,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    title = gettext("Import members")
    return page_context.page(
        request, seen, "clubs/members/bring_in.html", context, tab="desk", title=title, status=status
    )
