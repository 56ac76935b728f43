"""The page where a club says where its news goes."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, NewsPlace
from clubs.news_places import services
from clubs.news_places.kinds import KINDS, USUAL
from clubs.news_places.page import Page
from clubs.organiser import doors
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from clubs.public.page_context import Visit
from web.channels.known import LONGEST
from web.errors import Refused
from web.sent_numbers import read_whole


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def news_places(request: HttpRequest, club: str) -> HttpResponse:
    """Where the club's news goes: places, what goes there, a new one, and the last messages."""
    visit = page_context.visit_for(request, club, "news")
    if request.method != "POST":
        return _page(request, visit)
    wish, _, about = request.POST.get("act", "").partition(":")
    if wish == "add":
        return _with_secret(request, visit, "typed", lambda: _add(request, visit))
    number = read_whole(about, digits=18) or 0
    at = f"{wish}-{number}"
    if wish in ("address", "secret"):
        return _with_secret(request, visit, at, lambda: _change(request, visit, wish, number), place=number)
    return form_actions.act(
        request,
        at,
        lambda: _do(request, visit, wish, number),
        lambda refusal: _page(request, visit, replace(refusal, at=at), place=number),
        _url(visit),
    )


def _with_secret(
    request: HttpRequest, visit: Visit, at: str, do: Callable[[], tuple[Act, str]], *, place: int = 0
) -> HttpResponse:
    """Do an act that can make a secret: it is on the answer itself, once, and nowhere else."""
    secrets: list[str] = []

    def note() -> Act:
        act, secret = do()
        secrets.append(secret)
        return act

    def show(refusal: Refusal) -> HttpResponse:
        return _page(request, visit, replace(refusal, at=at) if place else refusal, place=place)

    done = form_actions.act(request, at, note, show, _url(visit))
    return _page(request, visit, secret=secrets[0]) if any(secrets) else done


def _add(request: HttpRequest, visit: Visit) -> tuple[Act, str]:
    return services.add(
        visit.club.pk,
        form_actions.person(request),
        typed=request.POST.get("typed", ""),
        name=request.POST.get("name", ""),
        about=request.POST.get("about", ""),
        kinds=request.POST.getlist("kinds")[: len(KINDS) + 1],
        **form_actions.how(request),
    )


def _change(request: HttpRequest, visit: Visit, wish: str, number: int) -> tuple[Act, str]:
    place, person, how = _place(visit, number), form_actions.person(request), form_actions.how(request)
    if wish == "secret":
        return services.renew_secret(place.pk, person, **how)
    return services.change_address(place.pk, person, typed=request.POST.get("address", ""), **how)


def _place(visit: Visit, number: int) -> NewsPlace:
    return first_or_404(
        NewsPlace.objects.filter(club=visit.club, pk=number, removed_at=None).select_related("club"),
        gettext("Place not found."),
    )


def _do(request: HttpRequest, visit: Visit, wish: str, number: int) -> Act | str:
    person, how = form_actions.person(request), form_actions.how(request)
    if wish == "again":
        return services.send_again(number, person, **how)
    place = _place(visit, number)
    if wish == "save":
        kinds = request.POST.getlist("kinds")[: len(KINDS) + 1]
        name, about = request.POST.get("name", ""), request.POST.get("about")
        return services.change(place.pk, person, name=name, kinds=kinds, about=about, **how)
    if wish == "test":
        return services.test(place, person)
    if wish in ("pause", "resume"):
        return services.pause(place.pk, person, rests=wish == "pause", **how)
    if wish == "remove":
        return services.remove(place.pk, person, **how)
    raise Refused("no_act", gettext("Choose an action."))


def _page(
    request: HttpRequest, visit: Visit, refusal: Refusal | None = None, *, place: int = 0, secret: str = ""
) -> HttpResponse:
    shown = request.GET.get("show", "")
    typed = refusal is not None and request.POST.get("act") == "add"
    context: dict[str, Any] = {
        "page": Page(visit.club, shown if shown in KINDS else "standings"),
        "door": doors.door(visit, "tell"),
        "typed": request.POST.get("typed", "")[:LONGEST] if typed else "",
        "name": request.POST.get("name", "")[:60] if typed else "",
        "ticked": set(request.POST.getlist("kinds")) if typed else set(USUAL),
        "changed": place if refusal is not None and request.POST.get("act") == f"save:{place}" else 0,
        "about": request.POST.get("about", "") if typed else "",
        "changed_about": request.POST.get("about", ""),
        "moved": place if refusal is not None and request.POST.get("act") == f"address:{place}" else 0,
        "address": request.POST.get("address", "")[:LONGEST],
        "changed_name": request.POST.get("name", "")[:60],
        "changed_kinds": set(request.POST.getlist("kinds")),
        "secret": secret,
        "refusal": refusal,
    }
    title = gettext("Where the club’s news goes")
    return page_context.page(request, visit, "clubs/news_places/places.html", context, tab="desk", title=title)


def _url(visit: Visit) -> str:
    return reverse("clubs:news_places", args=[visit.club.slug])
