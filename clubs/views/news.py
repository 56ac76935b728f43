"""News of a club: to read, and to write."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.exports.feed import NewsFeed
from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, News
from clubs.public import page_context
from clubs.services.publications import news as service
from web.errors import Refused

A_PAGE = 20
_FORM = ["GET", "HEAD", "POST"]


@require_safe
def all_news(request: HttpRequest, club: str) -> HttpResponse:
    """Everything that was new, what is kept on top first."""
    seen = page_context.seen(request, club)
    page = Paginator(News.objects.filter(club=seen.club), A_PAGE).get_page(request.GET.get("page"))
    return page_context.page(request, seen, "clubs/news/all.html", {"page": page}, tab="news", title=gettext("News"))


@require_http_methods(_FORM)
def one(request: HttpRequest, club: str, news: int) -> HttpResponse:
    """A piece of news; posted, kept on top or deleted."""
    seen = (
        page_context.seen(request, club) if request.method != "POST" else page_context.seen_for(request, club, "news")
    )
    row = _row(seen, news)
    if request.method != "POST":
        return _one(request, seen, row)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person, asked = acting.person(request), acting.how(request)
        if wish == "delete":
            return service.delete(row.pk, person, **asked)
        if wish in ("pin", "unpin"):
            return service.pin(row.pk, person, is_pinned=wish == "pin", **asked)
        raise Refused("no_act", gettext("Choose an action."))

    to = reverse("clubs:all_news", args=[seen.club.slug]) if wish == "delete" else _address(seen, row)
    return acting.act(request, "act", do, lambda refusal: _one(request, seen, row, refusal), to)


def _one(request: HttpRequest, seen: page_context.Seen, row: News, refusal: Refusal | None = None) -> HttpResponse:
    status = refusal.status if refusal else 200
    context = {"news": row, "refusal": refusal}
    return page_context.page(request, seen, "clubs/news/one.html", context, tab="news", title=row.title, status=status)


@never_cache
@require_http_methods(_FORM)
def write(request: HttpRequest, club: str) -> HttpResponse:
    """The form for a new piece of news."""
    seen = page_context.seen_for(request, club, "news")
    if request.method != "POST":
        return _form(request, seen, None)

    def do() -> Act:
        title, body = _typed(request)
        is_pinned = "is_pinned" in request.POST
        asked = acting.how(request)
        return service.write(seen.club.pk, acting.person(request), title=title, body=body, is_pinned=is_pinned, **asked)

    to = reverse("clubs:all_news", args=[seen.club.slug])
    return acting.act(request, "news", do, lambda refusal: _form(request, seen, None, refusal), to)


@never_cache
@require_http_methods(_FORM)
def edit(request: HttpRequest, club: str, news: int) -> HttpResponse:
    """The form that changes a piece of news."""
    seen = page_context.seen_for(request, club, "news")
    row = _row(seen, news)
    if request.method != "POST":
        return _form(request, seen, row)

    def do() -> Act:
        title, body = _typed(request)
        return service.edit(row.pk, acting.person(request), title=title, body=body, **acting.how(request, seen=True))

    return acting.act(request, "news", do, lambda refusal: _form(request, seen, row, refusal), _address(seen, row))


def _form(
    request: HttpRequest, seen: page_context.Seen, row: News | None, refusal: Refusal | None = None
) -> HttpResponse:
    title, body = _typed(request) if refusal else (row.title, row.body) if row else ("", "")
    context = {
        "row": row,
        "values": {"title": title, "body": body, "is_pinned": "is_pinned" in request.POST},
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    words = gettext("Change the news") if row else gettext("Write news")
    return page_context.page(request, seen, "clubs/news/form.html", context, tab="news", title=words, status=status)


def _typed(request: HttpRequest) -> tuple[str, str]:
    return request.POST.get("title", "")[:500], request.POST.get("body", "")[:10_000]


def _row(seen: page_context.Seen, pk: int) -> News:
    row = News.objects.filter(club=seen.club, pk=pk).first()
    if row is None:
        raise Http404(gettext("News not found."))
    return row


def _address(seen: page_context.Seen, row: News) -> str:
    return reverse("clubs:news", args=[seen.club.slug, row.pk])


@require_safe
def feed(request: HttpRequest, club: str) -> HttpResponse:
    """The news as an Atom feed."""
    seen = page_context.seen(request, club)
    return page_context.conditional(request, NewsFeed()(request, club=seen.club))
