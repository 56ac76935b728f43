"""Parts of a club’s page for its own site: a page with the elements to copy, and the frames."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from clubs.public import overview, page_context
from web import frames
from web.frames import framed

TITLES = {
    "meeting": gettext_noop("Next meeting"),
    "standings": gettext_noop("Standings"),
    "results": gettext_noop("Latest results"),
    "meetings": gettext_noop("Meetings"),
    "champions": gettext_noop("Champions"),
    "news": gettext_noop("News"),
}


@require_safe
def embeds(request: HttpRequest, club: str) -> HttpResponse:
    """Every part with its element to copy."""
    visit = page_context.visit(request, club)
    paths = {part: reverse("clubs:embed", args=[visit.club.slug, part]) for part in TITLES}
    rows = [
        (part, gettext(title), paths[part], frames.element(paths[part], f"{visit.club}: {gettext(title)}"))
        for part, title in TITLES.items()
    ]
    title = gettext("On your own website")
    return page_context.page(request, visit, "clubs/embeds.html", {"rows": rows}, tab="club", title=title)


@require_safe
@framed
def embed(request: HttpRequest, club: str, part: str) -> HttpResponse:
    """A part as strangers see it on the club’s page."""
    visit = page_context.visit(request, club)
    if part not in overview.PARTS:
        raise Http404(gettext("Page not found."))
    body = page_context.part(
        visit.club,
        overview.stamp(visit.club),
        f"clubs/parts/{part}.html",
        lambda: {**overview.PARTS[part](visit.club), "is_framed": True},
        timed=True,
        key="embed",
    )
    address = f"{settings.SITE_URL}{visit.club.get_absolute_url()}"
    context = {"club": visit.club, "title": gettext(TITLES[part]), "body": body, "address": address}
    return page_context.conditional(request, render(request, "clubs/embed.html", context))
