"""News of a club: pages and forms."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.exports.feed import NewsFeed
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, News
from clubs.public import news_link_cards, page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from clubs.services.publications import news as service
from web.errors import Refused

A_PAGE = 20
_FORM = ["GET", "HEAD", "POST"]


@require_safe
def all_news(request: HttpRequest, club: str) -> HttpResponse:
    """All news, pinned items first."""
    visit = page_context.visit(request, club)
    page = Paginator(News.objects.filter(club=visit.club), A_PAGE).get_page(request.GET.get("page"))
    return page_context.page(request, visit, "clubs/news/all.html", {"page": page}, tab="news", title=gettext("News"))


@require_http_methods(_FORM)
def news_item(request: HttpRequest, club: str, news: int) -> HttpResponse:
    """A piece of news; posted, pinned, unpinned or deleted."""
    visit = (
        page_context.visit(request, club) if request.method != "POST" else page_context.visit_for(request, club, "news")
    )
    item = _find(visit, news)
    if request.method != "POST":
        return _news_page(request, visit, item)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person, how = form_actions.person(request), form_actions.how(request)
        if wish == "delete":
            return service.delete(item.pk, person, **how)
        if wish in ("pin", "unpin"):
            return service.pin(item.pk, person, is_pinned=wish == "pin", **how)
        raise Refused("no_act", gettext("Choose an action."))

    to = reverse("clubs:all_news", args=[visit.club.slug]) if wish == "delete" else _address(visit, item)
    return form_actions.act(request, "act", do, lambda refusal: _news_page(request, visit, item, refusal), to)


def _news_page(request: HttpRequest, visit: Visit, item: News, refusal: Refusal | None = None) -> HttpResponse:
    newsletter = item.newsletters.first()
    picture = news_link_cards.newsletter_picture(newsletter) if newsletter and newsletter.matchday else ""
    card = news_link_cards.news_card(item)
    context = {"news": item, "refusal": refusal, "link_card": card, "picture": picture}
    return page_context.page(request, visit, "clubs/news/one.html", context, tab="news", title=item.title)


@never_cache
@require_http_methods(_FORM)
def write(request: HttpRequest, club: str) -> HttpResponse:
    """The form for a new piece of news."""
    visit = page_context.visit_for(request, club, "news")
    if request.method != "POST":
        return _form(request, visit, None)

    def do() -> Act:
        title, body = _typed(request)
        is_pinned = "is_pinned" in request.POST
        how = form_actions.how(request)
        return service.write(
            visit.club.pk, form_actions.person(request), title=title, body=body, is_pinned=is_pinned, **how
        )

    to = reverse("clubs:all_news", args=[visit.club.slug])
    return form_actions.act(request, "news", do, lambda refusal: _form(request, visit, None, refusal), to)


@never_cache
@require_http_methods(_FORM)
def edit(request: HttpRequest, club: str, news: int) -> HttpResponse:
    """The form to change a piece of news."""
    visit = page_context.visit_for(request, club, "news")
    item = _find(visit, news)
    if request.method != "POST":
        return _form(request, visit, item)

    def do() -> Act:
        title, body = _typed(request)
        return service.edit(
            item.pk, form_actions.person(request), title=title, body=body, **form_actions.how(request, seen=True)
        )

    return form_actions.act(
        request, "news", do, lambda refusal: _form(request, visit, item, refusal), _address(visit, item)
    )


def _form(request: HttpRequest, visit: Visit, item: News | None, refusal: Refusal | None = None) -> HttpResponse:
    title, body = _typed(request) if refusal else (item.title, item.body) if item else ("", "")
    context = {
        "row": item,
        "values": {"title": title, "body": body, "is_pinned": "is_pinned" in request.POST},
        "refusal": refusal,
    }
    words = gettext("Change the news") if item else gettext("Write news")
    return page_context.page(request, visit, "clubs/news/form.html", context, tab="news", title=words)


def _typed(request: HttpRequest) -> tuple[str, str]:
    return request.POST.get("title", "")[:500], request.POST.get("body", "")[:10_000]


def _find(visit: Visit, pk: int) -> News:
    return first_or_404(News.objects.filter(club=visit.club, pk=pk), gettext("News not found."))


def _address(visit: Visit, item: News) -> str:
    return reverse("clubs:news", args=[visit.club.slug, item.pk])


@require_safe
def feed(request: HttpRequest, club: str) -> HttpResponse:
    """The news as an Atom feed."""
    visit = page_context.visit(request, club)
    return page_context.conditional(request, NewsFeed()(request, club=visit.club))
