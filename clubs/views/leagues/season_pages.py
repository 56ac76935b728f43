"""The common shape of the pages to run a season: show, act and redirect, or show with the refusal."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from clubs import access
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Season
from clubs.public import league, page_context
from clubs.services.history import ActionRequest
from web.sent_numbers import read_ids

_LONGEST = 200


@dataclass(frozen=True)
class SeasonPage:
    """A request for a page of a season, or for an action of one of its forms."""

    request: HttpRequest
    visit: page_context.Visit
    season: Season
    refusal: Refusal | None = None
    """The reason why the form was refused."""

    @property
    def wish(self) -> str:
        """The button that was pressed."""
        return self.request.POST.get("act", "")[:40]

    @property
    def person(self) -> User:
        return form_actions.person(self.request)

    @property
    def how(self) -> ActionRequest:
        return form_actions.how(self.request)

    def text(self, name: str) -> str:
        """The input of a field."""
        return self.request.POST.get(name, "")[:_LONGEST]

    def number(self, name: str) -> int | None:
        """The whole number typed in a field; `None` for anything else."""
        return form_actions.number(self.request, name)

    def ids(self, name: str) -> list[int]:
        """The ids of the ticked rows."""
        return read_ids(self.request.POST.getlist(name))

    def typed(self, *names: str) -> dict[str, str]:
        """The input of these fields, to show it again; empty when the page is opened."""
        return {name: self.text(name) for name in names} if self.request.method == "POST" else {}

    def path(self, name: str) -> str:
        """The address of a page of the season."""
        return league.path(self.season.league, name, self.season.slug)

    def render(self, template: str, title: str, context: Mapping[str, Any]) -> HttpResponse:
        """The page, with a refusal at the control that was used."""
        values = {"league": self.season.league, "season": self.season, "refusal": self.refusal, **context}
        return page_context.page(self.request, self.visit, template, values, tab="leagues", title=title)


class Outcome(NamedTuple):
    """The outcome of an action: its message, and the address to redirect to."""

    message: Act | str
    to: str


View = Callable[..., HttpResponse]
Show = Callable[[SeasonPage], HttpResponse]
Do = Callable[[SeasonPage], Outcome]


def run(
    show: Show,
    *,
    at: str,
    needed: str = "leagues",
    is_preview: Callable[[SeasonPage], bool] = lambda _: False,
    is_beside: bool = False,
) -> Callable[[Do], View]:
    """Make a view from a function that does the action of a form.

    The page needs the permission `needed` (`roles.ACTS`), its forms “leagues”. If `is_preview`, the page is only
    shown again. Refusals appear at their field or at the button (`at` if it has no name); with `is_beside` always at
    the button, because several forms of the page share field names.
    """

    def wrap(do: Do) -> View:
        @never_cache
        @require_http_methods(["GET", "HEAD", "POST"])
        @wraps(do)
        def view(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
            page = _open_page(request, club, league, season, needed)
            if request.method != "POST" or is_preview(page):
                return show(page)
            access.check_as(page.visit.role, "leagues")
            control = page.wish if is_beside and page.wish else at
            outcomes: list[Outcome] = []

            def act() -> Act | str:
                outcomes.append(do(page))
                return outcomes[0].message

            def refused(refusal: Refusal) -> HttpResponse:
                return show(replace(page, refusal=replace(refusal, at=control) if is_beside else refusal))

            return form_actions.act(request, control, act, refused, lambda: outcomes[0].to)

        return view

    return wrap


def _open_page(request: HttpRequest, club: str, name: str, season: str, needed: str) -> SeasonPage:
    """Raises `Http404` or `NotAllowed`."""
    visit = page_context.visit_for(request, club, needed)
    return SeasonPage(request, visit, league.season_of(visit, name, season))
