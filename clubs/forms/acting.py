"""How a club's forms are answered: what a form sends along, an act and its refusal, the page that is shown again.

Every form carries a key of its own (`{% sent %}`) and, where that matters, the version of the club that its page
showed. An act that is done leads to a page; one that is refused shows its page again with the sentence beside the
control and all that was typed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import player_of
from acts.declaring import Declared
from acts.pages import by, typed
from clubs.models import Act
from clubs.services.history import How
from web.errors import NotAllowed, Refused
from web.form_actions import Refusal as Refusal
from web.form_actions import key_of, reason_of
from web.form_actions import number as number


def person(request: HttpRequest) -> User:
    """The person who asks, for pages that let nobody else in."""
    return cast(User, player_of(request))


def how(request: HttpRequest, *, seen: bool = False) -> How:
    """What the form sends along for a service. With `seen`, the act is refused where the page is out of date."""
    asked: How = {"request_key": key_of(request), "reason": reason_of(request)}
    if seen:
        asked["seen"] = number(request, "seen")
    return asked


def declared(
    request: HttpRequest,
    asked: Declared[Any, Any, Any, Act],
    row: Model,
    show: Callable[[Refusal], HttpResponse],
    to: str | Callable[[Act], str],
    *,
    seen: bool = False,
    **read: Any,
) -> HttpResponse:
    """Do a declared act on a row, with its fields as they were typed and what the page has `read` itself."""
    done: list[Act] = []

    def do() -> Act:
        done.append(asked(row, by(request, person(request), seen=seen), **{**typed(request, asked), **read}))
        return done[0]

    return act(request, asked.__name__, do, show, to if isinstance(to, str) else lambda: to(done[0]))


def act(
    request: HttpRequest,
    at: str,
    do: Callable[[], object],
    show: Callable[[Refusal], HttpResponse],
    to: str | Callable[[], str],
) -> HttpResponse:
    """Do one act and lead to `to`; where it is refused, show the page again. `at` names the control that was used.

    What is said of it is the sentence of the history, or whatever text `do` returns.
    """
    try:
        done = do()
    except NotAllowed:
        raise
    except Refused as refusal:
        return show(Refusal(str(refusal.details.get("field", at)), refusal.sentence, refusal.status, refusal.code))
    words = done.sentence if isinstance(done, Act) else done if isinstance(done, str) else gettext("Done.")
    messages.success(request, words)
    return HttpResponseRedirect(to if isinstance(to, str) else to())
