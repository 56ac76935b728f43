"""How the organisers' pages are answered: what a form sends along, an act and its refusal, the page that is shown again.

Every form carries a key of its own and the version of the event that its page showed. An act that is done leads back to
the page; one that is refused shows the page again with the sentence beside the control and all that was typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import player_of
from tournaments import access
from tournaments.models import Act, Tournament
from tournaments.roles import ROLES
from tournaments.services.records import How
from web.errors import NotAllowed, Refused, is_htmx
from web.form_actions import Refusal as Refusal
from web.form_actions import key_of as key_of
from web.form_actions import number as number
from web.form_actions import reason_of

Do = Callable[[], object]
"""Does an act by its service."""
Show = Callable[[Refusal | None], HttpResponse]
"""Shows a page; with a refusal, beside the control that it is about."""


def event_for(request: HttpRequest, slug: str, act: str = "look") -> Tournament:
    """The event, for an organiser who may do this. Raises `Http404` or `NotAllowed`."""
    return access.organiser(player_of(request), slug, act)


def person(request: HttpRequest) -> User:
    """The organiser who asks; `event_for` has let nobody else in."""
    return cast(User, player_of(request))


def chosen(request: HttpRequest, name: str, sentence: str) -> int:
    """A whole number that was chosen. Raises `Refused` with the sentence where none was."""
    found = number(request, name)
    if found is None:
        raise Refused("nothing_chosen", sentence)
    return found


def seen_of(request: HttpRequest) -> int | None:
    """The version of the event that the page showed."""
    return number(request, "seen")


def how(request: HttpRequest, *, seen: bool = False) -> How:
    """What the form sends along for a service. With `seen`, the act is refused where the page is out of date."""
    asked: How = {"request_key": key_of(request), "reason": reason_of(request)}
    if seen:
        asked["seen"] = seen_of(request)
    return asked


def page(
    request: HttpRequest,
    event: Tournament,
    name: str,
    context: Mapping[str, Any],
    refusal: Refusal | None = None,
    *,
    tab: str = "",
    status: int = 200,
) -> HttpResponse:
    """A page of the event's organisers, whole; a browser with script takes the part that matters out of it."""
    role = access.role_of(player_of(request), event)
    shown = {
        "event": event,
        "role": role,
        "may": dict.fromkeys(ROLES.get(role, ()), True),
        "tab": tab or name,
        "refusal": refusal,
        "typed": request.POST if refusal else {},
        "now": timezone.now(),
        **context,
    }
    response = render(request, f"tournaments/organise/{name}.html", shown, status=refusal.status if refusal else status)
    if is_boosted(request):
        # What a form answers with is no page that one could come back to.
        response["HX-Push-Url"] = request.get_full_path() if request.method == "GET" else "false"
    return response


def is_boosted(request: HttpRequest) -> bool:
    """Whether a link or a form of the page asks, and not a part of it by itself."""
    return is_htmx(request) and request.headers.get("HX-Boosted") == "true"


def act(request: HttpRequest, event: Tournament, at: str, do: Do, show: Show, to: str) -> HttpResponse:
    """Do one act and lead to `to`; where it is refused, show the page again. `at` names the control that was used.

    What is said of it is the sentence of the history, or whatever text `do` returns.
    """
    try:
        done = do()
    except NotAllowed:
        raise
    except Refused as refusal:
        event.refresh_from_db()
        return show(Refusal(at, refusal.sentence, refusal.status, refusal.code))
    words = done.sentence if isinstance(done, Act) else done if isinstance(done, str) else gettext("Done.")
    messages.success(request, words)
    return HttpResponseRedirect(to)
