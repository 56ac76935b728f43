"""Answers to a club’s forms: the fields that every form has, an action, and its refusal on the same page.

Every form carries its own key (`{% sent %}`) and, if needed, the version of the club that the page showed. A
completed action redirects; a refused one shows its page again, with the sentence next to the control and all input.
"""

from collections.abc import Callable
from typing import Any, cast

from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from accounts.models import User
from accounts.queries import player_of
from acts.declaring import Declared
from acts.pages import actor, read_fields
from clubs.models import Act
from clubs.services.history import ActionRequest
from web.errors import NotAllowed, Refused
from web.form_actions import Refusal as Refusal
from web.form_actions import key_of, reason_of
from web.form_actions import number as number


def person(request: HttpRequest) -> User:
    """The signed-in user, for pages that need an account."""
    return cast(User, player_of(request))


def how(request: HttpRequest, *, seen: bool = False) -> ActionRequest:
    """Options that the form sends for a service. With `seen`, the act is refused if the page is out of date."""
    sent: ActionRequest = {"request_key": key_of(request), "reason": reason_of(request)}
    if seen:
        sent["seen"] = number(request, "seen")
    return sent


def declared(
    request: HttpRequest,
    declaration: Declared[Any, Any, Any, Act],
    target: Model,
    show: Callable[[Refusal], HttpResponse],
    to: str | Callable[[Act], str],
    *,
    seen: bool = False,
    **read: Any,
) -> HttpResponse:
    """Do a declared act on a row, with the fields of the form and those that the view has `read` itself."""
    acts: list[Act] = []

    def do() -> Act:
        fields = {**read_fields(request, declaration), **read}
        acts.append(declaration(target, actor(request, person(request), seen=seen), **fields))
        return acts[0]

    return act(request, declaration.__name__, do, show, to if isinstance(to, str) else lambda: to(acts[0]))


def act(
    request: HttpRequest,
    at: str,
    do: Callable[[], object],
    show: Callable[[Refusal], HttpResponse],
    to: str | Callable[[], str],
) -> HttpResponse:
    """Do one action and redirect to `to`; if it is refused, show the page again. `at` names the control that was used.

    The message is the sentence of the history, or the text that `do` returns; no message if that is empty.
    """
    try:
        result = do()
    except NotAllowed:
        raise
    except Refused as refusal:
        return show(Refusal(str(refusal.details.get("field", at)), refusal.sentence, refusal.status, refusal.code))
    words = result.sentence if isinstance(result, Act) else result if isinstance(result, str) else gettext("Done.")
    if words:
        messages.success(request, words)
    return HttpResponseRedirect(to if isinstance(to, str) else to())
