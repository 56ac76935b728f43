"""Answers of the organisers' pages: the arguments of a form, an act and its refusal, the page that is shown again.

Every form sends a key of its own and the version of the event that its page showed. A done act leads back to the page;
a refused one shows the page again with the sentence next to the control and everything that was typed.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import player_of
from tournaments import access, event_parents
from tournaments.models import Act, Tournament
from tournaments.roles import ROLES
from tournaments.services.records import ActionRequest
from web import clocks
from web.errors import NotAllowed, Refused, is_htmx
from web.form_actions import Refusal as Refusal
from web.form_actions import key_of as key_of
from web.form_actions import number as number
from web.form_actions import reason_of

Do = Callable[[], object]
"""Do an act by its service."""
Show = Callable[[Refusal | None], HttpResponse]
"""Show a page; with a refusal, next to its control."""


def event_for(request: HttpRequest, slug: str, act: str = "look") -> Tournament:
    """The event, for organisers with this right, on a page by its clock. Raises `Http404` or `NotAllowed`."""
    tournament = access.organiser(player_of(request), slug, act)
    clocks.go_by(tournament.clock)
    return tournament


def person(request: HttpRequest) -> User:
    """The organiser of the request; `event_for` has refused everyone else."""
    return cast(User, player_of(request))


def chosen(request: HttpRequest, name: str, sentence: str) -> int:
    """A chosen whole number. Raises `Refused` with the sentence if there is none."""
    value = number(request, name)
    if value is None:
        raise Refused("nothing_chosen", sentence)
    return value


def seen_of(request: HttpRequest) -> int | None:
    """The version of the event that the page showed."""
    return number(request, "seen")


def how(request: HttpRequest, *, seen: bool = False) -> ActionRequest:
    """The arguments of the form for a service. With `seen`, the act is refused if the page is out of date."""
    args: ActionRequest = {"request_key": key_of(request), "reason": reason_of(request)}
    if seen:
        args["seen"] = seen_of(request)
    return args


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
    """A page of the event's organisers, whole; browsers with scripts take the needed part out of it."""
    role = access.role_of(player_of(request), event)
    values = {
        "event": event,
        "role": role,
        "may": dict.fromkeys(ROLES.get(role, ()), True),
        "tab": tab or name,
        "refusal": refusal,
        "typed": request.POST if refusal else {},
        "now": timezone.now(),
        "home": event_parents.home_of(event) if "home" not in context else None,
        **context,
    }
    status = refusal.status if refusal else status
    response = render(request, f"tournaments/organiser/{name}.html", values, status=status)
    if is_boosted(request):
        # The answer to a form is not a page to come back to.
        response["HX-Push-Url"] = request.get_full_path() if request.method == "GET" else "false"
    return response


def is_boosted(request: HttpRequest) -> bool:
    """Whether a link or a form of the page sent the request, and not a part that updates automatically."""
    return is_htmx(request) and request.headers.get("HX-Boosted") == "true"


def act(request: HttpRequest, event: Tournament, at: str, do: Do, show: Show, to: str) -> HttpResponse:
    """Do one act and lead to `to`; if it is refused, show the page again. `at` names the control that was used.

    The message is the sentence of the history, or the text that `do` returns.
    """
    try:
        outcome = do()
    except NotAllowed:
        raise
    except Refused as refusal:
        event.refresh_from_db()
        return show(Refusal(at, refusal.sentence, refusal.status, refusal.code))
    words = outcome.sentence if isinstance(outcome, Act) else outcome if isinstance(outcome, str) else gettext("Done.")
    messages.success(request, words)
    return HttpResponseRedirect(to)
