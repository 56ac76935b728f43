"""The newsletter: written, looked at and sent by who may; read by members; stopped by whoever gets it."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, Copy, Newsletter, Season
from clubs.public import page_context
from clubs.services import history
from clubs.services.publications import newsletter_sending
from clubs.services.publications import newsletters as service
from clubs.statistics import matchday_words
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]
A_PAGE = 100
TAB = "news"


@dataclass(frozen=True)
class Choice:
    """A matchday that can be told."""

    value: str
    words: str
    is_chosen: bool


@never_cache
@require_safe
def newsletters(request: HttpRequest, club: str) -> HttpResponse:
    """The letters that were sent, for members; and the drafts, for who writes them."""
    seen = page_context.seen_for(request, club, "look")
    own = Newsletter.objects.filter(club=seen.club)
    context = {
        "drafts": own.filter(status=Newsletter.Status.DRAFT) if "letters" in seen.may else [],
        "sent_ones": own.exclude(status=Newsletter.Status.DRAFT)[:A_PAGE],
        "count": newsletter_sending.readers(seen.club).count() if "letters" in seen.may else 0,
        "wants": seen.membership is not None and seen.membership.wants_letters,
    }
    return page_context.page(request, seen, "clubs/letters/all.html", context, tab=TAB, title=gettext("Newsletter"))


@never_cache
@require_http_methods(_FORM)
def write(request: HttpRequest, club: str) -> HttpResponse:
    """What a new letter is to tell."""
    seen = page_context.seen_for(request, club, "letters")
    if request.method != "POST":
        return _write_page(request, seen)
    made: list[Act] = []

    def do() -> Act:
        about = _about(request)
        made.append(service.draft(seen.club.pk, acting.person(request), about=about, **acting.how(request)))
        history.made(made[0], Newsletter)
        return made[0]

    def to() -> str:
        return reverse("clubs:edit_newsletter", args=[seen.club.slug, history.made(made[0], Newsletter).pk])

    return acting.act(request, "about", do, lambda refusal: _write_page(request, seen, refusal), to)


def _about(request: HttpRequest) -> list[tuple[int, int]]:
    """The matchdays that were ticked, `12-5` for the fifth of season 12."""
    found = []
    for value in request.POST.getlist("about")[:50]:
        season, _, day = value.partition("-")
        if not all(one.isascii() and one.isdecimal() and len(one) < 10 for one in (season, day)):
            raise Refused("no_matchday", gettext("A newsletter cannot cover this matchday. Choose another."))
        found.append((int(season), int(day)))
    return found


def _write_page(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    running = Season.objects.filter(league__club=seen.club, status=Season.Status.RUNNING).select_related("league")
    typed = request.POST.getlist("about") if refusal else None
    choices = []
    for season in running.order_by("league__name", "number"):
        for at, day in enumerate(matchday_words.told_days(season, service.OFFERED)):
            value = f"{season.pk}-{day}"
            is_chosen = not at if typed is None else value in typed
            choices.append(
                Choice(
                    value,
                    gettext("%(league)s, %(season)s: matchday %(day)s")
                    % {"league": season.league, "season": season, "day": day},
                    is_chosen,
                )
            )
    context = {"choices": choices, "refusal": refusal}
    status = refusal.status if refusal else 200
    title = gettext("Write a newsletter")
    return page_context.page(request, seen, "clubs/letters/write.html", context, tab=TAB, title=title, status=status)


@never_cache
@require_http_methods(_FORM)
def one(request: HttpRequest, club: str, newsletter: int) -> HttpResponse:
    """A letter as it is read; a draft as it will be, with the button that sends it."""
    seen = page_context.seen_for(request, club, "letters" if request.method == "POST" else "look")
    row = _row(seen, newsletter)
    if request.method != "POST":
        return _one_page(request, seen, row)
    wish = request.POST.get("act", "")

    def do() -> Act:
        person, asked = acting.person(request), acting.how(request)
        if wish == "send":
            return newsletter_sending.send(row.pk, person, version=acting.number(request, "version"), **asked)
        if wish == "delete":
            return service.throw_away(row.pk, person, **asked)
        raise Refused("no_act", gettext("Choose an action."))

    to = reverse("clubs:newsletters", args=[seen.club.slug]) if wish == "delete" else _address(seen, row)
    return acting.act(request, "act", do, lambda refusal: _one_page(request, seen, _row(seen, row.pk), refusal), to)


def _one_page(
    request: HttpRequest, seen: page_context.Seen, row: Newsletter, refusal: Refusal | None = None
) -> HttpResponse:
    may = "letters" in seen.may
    is_draft = row.status == Newsletter.Status.DRAFT
    context = {
        "letter": row,
        "is_draft": is_draft,
        "count": newsletter_sending.readers(seen.club).count() if may and is_draft else 0,
        "gone_out": Copy.objects.filter(newsletter=row, sent_at__isnull=False).count() if may else 0,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/letters/one.html", context, tab=TAB, title=row.subject, status=status
    )


@never_cache
@require_http_methods(_FORM)
def edit(request: HttpRequest, club: str, newsletter: int) -> HttpResponse:
    """The form that changes a draft; where two write at once, both texts."""
    seen = page_context.seen_for(request, club, "letters")
    row = _row(seen, newsletter)
    if request.method != "POST":
        return _edit_page(request, seen, row)

    def do() -> Act:
        subject, body = _typed(request)
        version = acting.number(request, "version")
        person = acting.person(request)
        return service.edit(row.pk, person, subject=subject, body=body, version=version, **acting.how(request))

    def show(refusal: Refusal) -> HttpResponse:
        return _edit_page(request, seen, _row(seen, row.pk), refusal)

    return acting.act(request, "letter", do, show, _address(seen, row))


def _edit_page(
    request: HttpRequest, seen: page_context.Seen, row: Newsletter, refusal: Refusal | None = None
) -> HttpResponse:
    subject, body = _typed(request) if refusal else (row.subject, row.body)
    is_stale = refusal is not None and refusal.code == "stale"
    # Only who has seen the other text saves over it.
    version = acting.number(request, "version") if refusal and not is_stale else row.version
    context = {
        "letter": row,
        "values": {"subject": subject, "body": body, "version": version},
        "is_stale": is_stale,
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    title = gettext("Change the newsletter")
    return page_context.page(request, seen, "clubs/letters/edit.html", context, tab=TAB, title=title, status=status)


def _typed(request: HttpRequest) -> tuple[str, str]:
    return request.POST.get("subject", "")[:500], request.POST.get("body", "")[:40_000]


@never_cache
@require_http_methods(_FORM)
def readers(request: HttpRequest, club: str) -> HttpResponse:
    """Who of those without an account asked for the newsletter."""
    seen = page_context.seen_for(request, club, "letters")
    if request.method != "POST":
        return _readers_page(request, seen)

    def do() -> Act:
        texts = request.POST.getlist("reader")[:5000]
        if not all(text.isascii() and text.isdecimal() and len(text) < 10 for text in texts):
            raise Refused("not_without", gettext("One of these people is no longer on the list. Check it again."))
        wanted = {int(text) for text in texts}
        return service.set_readers(seen.club.pk, acting.person(request), wanted=wanted, **acting.how(request))

    to = reverse("clubs:newsletters", args=[seen.club.slug])
    return acting.act(request, "reader", do, lambda refusal: _readers_page(request, seen, refusal), to)


def _readers_page(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    typed = set(request.POST.getlist("reader")) if refusal else None
    found = service.without_account(seen.club.pk)
    names = [(one, one.wants_letters if typed is None else str(one.pk) in typed) for one in found]
    status = refusal.status if refusal else 200
    context = {"names": names, "refusal": refusal}
    title = gettext("Readers without an account")
    return page_context.page(request, seen, "clubs/letters/readers.html", context, tab=TAB, title=title, status=status)


# A mail program posts here without a page of ours, so without its token; what the address carries is the key.
@csrf_exempt
@never_cache
@require_http_methods(_FORM)
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Stop the newsletter without signing in: the page asks, only the button or a mail program's one-click does it."""
    found = service.reader(token)
    if found is not None and request.method == "POST":
        service.stop(token)
    context = {"club": found.club if found else None, "is_done": request.method == "POST"}
    return render(request, "clubs/letters/stop.html", context, status=200 if found else 404)


def _row(seen: page_context.Seen, pk: int) -> Newsletter:
    row = Newsletter.objects.filter(club=seen.club, pk=pk).first()
    if row is None or (row.status == Newsletter.Status.DRAFT and "letters" not in seen.may):
        raise Http404(gettext("Newsletter not found."))
    return row


def _address(seen: page_context.Seen, row: Newsletter) -> str:
    return reverse("clubs:newsletter", args=[seen.club.slug, row.pk])
