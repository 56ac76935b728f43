"""Newsletters: written and sent by organisers, read by members, stopped by readers."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Copy, NewsDelivery, Newsletter, Season
from clubs.news_places.kinds import LETTER
from clubs.news_places.services import places_of
from clubs.public import news_link_cards, page_context
from clubs.public.page_context import Visit
from clubs.services import history
from clubs.services.publications import newsletter_sending
from clubs.services.publications import newsletters as service
from web.channels.known import CHANNELS
from web.errors import Refused
from web.sent_numbers import read_ids, read_whole
from web.text import several

_FORM = ["GET", "HEAD", "POST"]
A_PAGE = 100
TAB = "news"


@dataclass(frozen=True)
class Choice:
    """A matchday that a newsletter can cover."""

    value: str
    words: str
    is_chosen: bool


@dataclass(frozen=True)
class Target:
    """Where a newsletter can go."""

    value: str
    title: str
    hint: str
    is_ticked: bool


@never_cache
@require_safe
def newsletters(request: HttpRequest, club: str) -> HttpResponse:
    """Sent newsletters, for members, and drafts, for their writers."""
    visit = page_context.visit_for(request, club, "look")
    letters = Newsletter.objects.filter(club=visit.club)
    context = {
        "drafts": letters.filter(status=Newsletter.Status.DRAFT) if "letters" in visit.may else [],
        "sent_ones": letters.exclude(status=Newsletter.Status.DRAFT)[:A_PAGE],
        "count": newsletter_sending.readers(visit.club).count() if "letters" in visit.may else 0,
        "wants": visit.membership is not None and visit.membership.wants_letters,
    }
    return page_context.page(request, visit, "clubs/letters/all.html", context, tab=TAB, title=gettext("Newsletter"))


@never_cache
@require_http_methods(_FORM)
def write(request: HttpRequest, club: str) -> HttpResponse:
    """The form to choose the matchdays of a new newsletter."""
    visit = page_context.visit_for(request, club, "letters")
    if request.method != "POST":
        return _write_page(request, visit)
    created: list[Act] = []

    def do() -> Act:
        about = _about(request)
        created.append(
            service.draft(visit.club.pk, form_actions.person(request), about=about, **form_actions.how(request))
        )
        history.added_row(created[0], Newsletter)
        return created[0]

    def to() -> str:
        return reverse("clubs:edit_newsletter", args=[visit.club.slug, history.added_row(created[0], Newsletter).pk])

    return form_actions.act(request, "about", do, lambda refusal: _write_page(request, visit, refusal), to)


def _about(request: HttpRequest) -> list[tuple[int, int]]:
    """The matchdays that were ticked, `12-5` for the fifth of season 12."""
    matchdays = []
    for value in request.POST.getlist("about")[:50]:
        season, _, day = value.partition("-")
        numbers = read_ids([season, day])
        if len(numbers) < 2:
            raise Refused("no_matchday", gettext("A newsletter cannot cover this matchday. Choose another."))
        matchdays.append((numbers[0], numbers[1]))
    return matchdays


def _write_page(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    typed = request.POST.getlist("about") if refusal else None
    choices = []
    begun: set[int] = set()
    latest = Newsletter.objects.filter(club=visit.club).aggregate(at=Max("created_at"))["at"]
    for season, day in service.topics(visit.club, timezone.now()):
        value = f"{season.pk}-{day}"
        was_told = day == service.CLOSE and latest is not None and season.closed_at <= latest
        is_chosen = season.pk not in begun and not was_told if typed is None else value in typed
        begun.add(season.pk)
        choices.append(Choice(value, _topic(season, day), is_chosen))
    context = {"choices": choices, "refusal": refusal}
    title = gettext("Write a newsletter")
    return page_context.page(request, visit, "clubs/letters/write.html", context, tab=TAB, title=title)


def _topic(season: Season, day: int) -> str:
    values = {"league": season.league, "season": season, "day": day}
    if day == service.CLOSE:
        return gettext("%(league)s, %(season)s: the season is over") % values
    return gettext("%(league)s, %(season)s: matchday %(day)s") % values


@never_cache
@require_http_methods(_FORM)
def newsletter_page(request: HttpRequest, club: str, newsletter: int) -> HttpResponse:
    """A newsletter; a draft with the buttons to send and delete it."""
    visit = page_context.visit_for(request, club, "letters" if request.method == "POST" else "look")
    this_newsletter = _find(visit, newsletter)
    if request.method != "POST":
        return _newsletter_page(request, visit, this_newsletter)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person, how = form_actions.person(request), form_actions.how(request)
        if wish == "send":
            version = form_actions.number(request, "version")
            return newsletter_sending.send(
                this_newsletter.pk, person, version=version, to=_destinations(request), **how
            )
        if wish == "delete":
            return service.delete_draft(this_newsletter.pk, person, **how)
        raise Refused("no_act", gettext("Choose an action."))

    def show(refusal: Refusal) -> HttpResponse:
        return _newsletter_page(request, visit, _find(visit, newsletter), refusal)

    to = reverse("clubs:newsletters", args=[visit.club.slug]) if wish == "delete" else _address(visit, this_newsletter)
    return form_actions.act(request, "act", do, show, to)


def _destinations(request: HttpRequest) -> newsletter_sending.Destinations:
    """What was ticked: `readers`, `page`, and `place-3` for a place."""
    ticked = request.POST.getlist("to")[:50]
    ids = [value.removeprefix("place-") for value in ticked if value.startswith("place-")]
    places = [read_whole(text) or 0 for text in ids]
    return newsletter_sending.Destinations("readers" in ticked, "page" in ticked, places)


def _targets(visit: Visit, newsletter: Newsletter, typed: list[str] | None) -> Iterator[Target]:
    """Where a draft can go, ticked as it was typed or as usual."""

    def is_ticked(value: str, *, usual: bool) -> bool:
        return usual if typed is None else value in typed

    if count := newsletter_sending.readers(visit.club).count():
        yield Target("readers", gettext("By email"), several(count, "member"), is_ticked("readers", usual=True))
    if "news" not in visit.may:
        return
    yield Target("page", gettext("The club’s page"), gettext("As news, for everyone."), is_ticked("page", usual=True))
    for place in places_of(visit.club):
        value, hint = f"place-{place.pk}", CHANNELS[place.channel].title
        gets_it = newsletter.matchday is not None and "standings" in place.since
        if gets_it:
            hint = gettext("Gets results and standings automatically.")
        if not place.rest:
            yield Target(value, str(place), hint, is_ticked(value, usual=not gets_it))


def _newsletter_page(
    request: HttpRequest, visit: Visit, newsletter: Newsletter, refusal: Refusal | None = None
) -> HttpResponse:
    may = "letters" in visit.may
    is_draft = newsletter.status == Newsletter.Status.DRAFT
    typed = request.POST.getlist("to") if refusal else None
    targets = list(_targets(visit, newsletter, typed)) if may and is_draft else []
    posts = NewsDelivery.objects.filter(kind=LETTER, key=str(newsletter.pk), place__club=visit.club)
    context = {
        "letter": newsletter,
        "is_draft": is_draft,
        "picture": news_link_cards.newsletter_picture(newsletter)
        if newsletter.season_id or newsletter.event_id
        else "",
        "targets": targets,
        "has_readers": any(target.value == "readers" for target in targets),
        "gone_out": Copy.objects.filter(newsletter=newsletter, sent_at__isnull=False).count() if may else 0,
        "posts": posts.select_related("place") if may and not is_draft else [],
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/letters/one.html", context, tab=TAB, title=newsletter.subject)


@never_cache
@require_http_methods(_FORM)
def edit(request: HttpRequest, club: str, newsletter: int) -> HttpResponse:
    """The form to change a draft; after an edit conflict, with both texts."""
    visit = page_context.visit_for(request, club, "letters")
    this_newsletter = _find(visit, newsletter)
    if request.method != "POST":
        return _edit_page(request, visit, this_newsletter)

    def do() -> Act:
        subject, body = _typed(request)
        person, how, version = (
            form_actions.person(request),
            form_actions.how(request),
            form_actions.number(request, "version"),
        )
        return service.edit(this_newsletter.pk, person, subject=subject, body=body, version=version, **how)

    def show(refusal: Refusal) -> HttpResponse:
        return _edit_page(request, visit, _find(visit, this_newsletter.pk), refusal)

    return form_actions.act(request, "letter", do, show, _address(visit, this_newsletter))


def _edit_page(
    request: HttpRequest, visit: Visit, newsletter: Newsletter, refusal: Refusal | None = None
) -> HttpResponse:
    subject, body = _typed(request) if refusal else (newsletter.subject, newsletter.body)
    is_stale = refusal is not None and refusal.code == "stale"
    # Only after seeing the other text can an organiser save over it.
    version = form_actions.number(request, "version") if refusal and not is_stale else newsletter.version
    context = {
        "letter": newsletter,
        "values": {"subject": subject, "body": body, "version": version},
        "is_stale": is_stale,
        "refusal": refusal,
    }
    title = gettext("Change the newsletter")
    return page_context.page(request, visit, "clubs/letters/edit.html", context, tab=TAB, title=title)


def _typed(request: HttpRequest) -> tuple[str, str]:
    return request.POST.get("subject", "")[:500], request.POST.get("body", "")[:40_000]


@never_cache
@require_http_methods(_FORM)
def readers(request: HttpRequest, club: str) -> HttpResponse:
    """The people without an account who asked for the newsletter."""
    visit = page_context.visit_for(request, club, "letters")
    if request.method != "POST":
        return _readers_page(request, visit)

    def do() -> Act:
        texts = request.POST.getlist("reader")[:5000]
        reader_ids = read_ids(texts)
        if len(reader_ids) < len(texts):
            raise Refused("not_without", gettext("One of these people is no longer on the list. Check it again."))
        return service.set_readers(
            visit.club.pk, form_actions.person(request), reader_ids={*reader_ids}, **form_actions.how(request)
        )

    to = reverse("clubs:newsletters", args=[visit.club.slug])
    return form_actions.act(request, "reader", do, lambda refusal: _readers_page(request, visit, refusal), to)


def _readers_page(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    typed = set(request.POST.getlist("reader")) if refusal else None
    members = service.without_account(visit.club.pk)
    names = [(member, member.wants_letters if typed is None else str(member.pk) in typed) for member in members]
    context = {"names": names, "refusal": refusal}
    title = gettext("Readers without an account")
    return page_context.page(request, visit, "clubs/letters/readers.html", context, tab=TAB, title=title)


# A mail program posts here without the token of a page; the token in the address is the key.
@csrf_exempt
@never_cache
@require_http_methods(_FORM)
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Unsubscribe without signing in: the page asks, then its button or a mail program’s one-click request does it."""
    reader = service.reader(token)
    if reader is not None and request.method == "POST":
        service.unsubscribe(token)
    context = {"club": reader.club if reader else None, "is_done": request.method == "POST"}
    return render(request, "clubs/letters/stop.html", context, status=200 if reader else 404)


def _find(visit: Visit, pk: int) -> Newsletter:
    newsletter = Newsletter.objects.filter(club=visit.club, pk=pk).first()
    if newsletter is None or (newsletter.status == Newsletter.Status.DRAFT and "letters" not in visit.may):
        raise Http404(gettext("Newsletter not found."))
    return newsletter


def _address(visit: Visit, newsletter: Newsletter) -> str:
    return reverse("clubs:newsletter", args=[visit.club.slug, newsletter.pk])
