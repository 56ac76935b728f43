"""Forms of a grid of results that were posted: rows kept, questions answered, acts done; then the page as it is."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext

from clubs.forms import form_actions
from clubs.tonight import running, typing
from clubs.tonight.page import Night, Slip
from tournaments.models import Act
from web.errors import is_htmx
from web.form_actions import Refusal
from web.sent_numbers import read_whole

ANSWERS = ("keep", "instead", "mine", "theirs")
"""Buttons that answer a question at a row."""


class Show(Protocol):
    """Shows the whole page of a grid."""

    def __call__(
        self, request: HttpRequest, night: Night, refusal: Refusal | None = None, status: int = 200
    ) -> HttpResponse: ...


def wish_of(request: HttpRequest) -> tuple[str, int]:
    """The button that was pressed, and what it is about (id, or 0). A changed row sends its own fields alone."""
    is_row = any(name.startswith(("v-", "was-")) for name in request.POST)
    wish, _, about = request.POST.get("do", "grid" if is_row else request.POST.get("ticks", "")).partition(":")
    return wish, read_whole(about) or 0


def keep_rows(request: HttpRequest, night: Night, show: Show) -> HttpResponse:
    """Keep the rows that were changed."""
    is_right = typing.rows(night, request.POST, request.headers.get("HX-Trigger", ""))
    if is_htmx(request):
        return show(request, night)
    if not is_right:
        return show(request, night, status=422)
    messages.success(request, gettext("Saved."))
    return HttpResponseRedirect(night.url + "#grid")


def done(
    request: HttpRequest, night: Night, at: str, do: Callable[[], object], show: Show, *, url: str = ""
) -> HttpResponse:
    """Do one act and show the page as it is then, or `url`; if it is refused, with the sentence at its control."""

    def shown(refusal: Refusal) -> HttpResponse:
        return show(request, replace(night, slip=Slip()), refusal)

    def as_sentence() -> object:
        """The sentence of an act of an event, which the pages of clubs do not know."""
        outcome = do()
        return outcome.sentence if isinstance(outcome, Act) else outcome

    return form_actions.act(request, at, as_sentence, shown, url or night.url)


def publish(request: HttpRequest, night: Night, show: Show) -> HttpResponse:
    """Publish what was typed. The page shows it in a box with its Undo, which stays: a message would say it twice."""

    def do() -> str:
        sentence = running.publish(night, running.keys_of(request))
        return "" if night.published else sentence

    return done(request, night, "publish", do, show)
