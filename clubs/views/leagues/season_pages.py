"""The one shape of the pages on which a season is run: shown; an act done, that leads on; shown again where it is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from clubs import access
from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, Season
from clubs.public import league, page_context
from clubs.services.history import How

_LONGEST = 200


@dataclass(frozen=True)
class Asked:
    """A page of a season as somebody asks for it, or sends one of its forms."""

    request: HttpRequest
    seen: page_context.Seen
    season: Season
    refusal: Refusal | None = None
    """Why what was sent was not done."""

    @property
    def wish(self) -> str:
        """Which button was pressed."""
        return self.request.POST.get("act", "")[:40]

    @property
    def person(self) -> User:
        return acting.person(self.request)

    @property
    def how(self) -> How:
        return acting.how(self.request)

    def text(self, name: str) -> str:
        """What was typed in a field."""
        return self.request.POST.get(name, "")[:_LONGEST]

    def number(self, name: str) -> int | None:
        """A whole number that was typed; `None` where it is none."""
        return acting.number(self.request, name)

    def ids(self, name: str) -> list[int]:
        """The rows that were ticked, by their ids."""
        return [int(pk) for pk in self.request.POST.getlist(name) if pk.isdecimal() and len(pk) < 10]

    def typed(self, *names: str) -> dict[str, str]:
        """What was typed in these fields, to be shown again; empty for a page that is opened."""
        return {name: self.text(name) for name in names} if self.request.method == "POST" else {}

    def path(self, name: str) -> str:
        """The address of a page of the season."""
        return league.path(self.season.league, name, self.season.slug)

    def page(self, template: str, title: str, context: Mapping[str, Any]) -> HttpResponse:
        """The page, with why something was refused beside the control that was used."""
        shown = {"league": self.season.league, "season": self.season, "refusal": self.refusal, **context}
        status = self.refusal.status if self.refusal else 200
        return page_context.page(self.request, self.seen, template, shown, tab="leagues", title=title, status=status)


class Done(NamedTuple):
    """What was done: what is said of it, and the address that it leads to."""

    said: Act | str
    to: str


View = Callable[..., HttpResponse]
Show = Callable[[Asked], HttpResponse]
Do = Callable[[Asked], Done]


def run(
    show: Show,
    *,
    at: str,
    look: str = "leagues",
    is_look: Callable[[Asked], bool] = lambda _: False,
    is_beside: bool = False,
) -> Callable[[Do], View]:
    """Make a view of a function that does what a form of the page asks for.

    Who may `look` (`roles.ACTS`) sees the page, who may run leagues sends its forms; what `is_look` says of only shows it
    again. Refusals stand at their field, else at the button, `at` where it has no name; with `is_beside` always at the
    button, since several forms of the page have fields of one name.
    """

    def wrap(do: Do) -> View:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(do)
        def view(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
            asked = _asked(request, club, league, season, look)
            if request.method != "POST" or is_look(asked):
                return show(asked)
            access.check_as(asked.seen.role, "leagues")
            control = asked.wish if is_beside and asked.wish else at
            done: list[Done] = []

            def act() -> Act | str:
                done.append(do(asked))
                return done[0].said

            def refused(refusal: Refusal) -> HttpResponse:
                return show(replace(asked, refusal=replace(refusal, at=control) if is_beside else refusal))

            return acting.act(request, control, act, refused, lambda: done[0].to)

        return view

    return wrap


def _asked(request: HttpRequest, club: str, name: str, season: str, look: str) -> Asked:
    """Raises `Http404` or `NotAllowed`."""
    seen = page_context.seen_for(request, club, look)
    return Asked(request, seen, league.season_of(seen, name, season))
