"""Results so far of a season under way: the grid of tonight for all its matchdays until now, published together."""

from dataclasses import dataclass, field
from functools import cached_property

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.forms import form_actions
from clubs.models import Season
from clubs.public import page_context
from clubs.public.league import season_of
from clubs.tonight import evening, grid, posting, running, typing
from clubs.tonight.evening import Section
from clubs.tonight.page import Button, Night
from web.errors import is_htmx
from web.form_actions import Refusal
from web.text import several


@dataclass
class SeasonResults(Night):
    """The results so far of a season, for someone who enters them."""

    season: Season = field(kw_only=True)

    @property
    def url(self) -> str:
        """The address of the page."""
        return reverse("clubs:results_so_far", args=[self.club.slug, self.season.league.slug, self.season.slug])

    @cached_property
    def sections(self) -> list[Section]:
        return evening.so_far(self.season, self.reader, self.now)

    @property
    def matchdays(self) -> list[tuple[int, int]]:
        """None: newsletters are about an evening, not about a season so far."""
        return []

    @cached_property
    def button(self) -> Button | None:
        """Publishing what is ready; `None` if there is nothing to type."""
        ready = sum(row.state == "in" for row in self.rows)
        if not self.can_type and not self.bad:
            return None
        words = gettext("%(ready)s of %(count)s results will be published.")
        open_rows = len(self.rows) - sum(row.state == "final" for row in self.rows)
        check = ngettext("Check match %(matches)s.", "Check matches %(matches)s.", len(self.bad))
        rest = check % {"matches": grid.table_names(self.bad)} if self.bad else ""
        label = gettext("Publish %(results)s") % {"results": several(ready, "result")}
        return Button(words % {"ready": ready, "count": open_rows}, rest, label, "publish", is_ready=bool(ready))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def season_results(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The page on which results so far are typed, all matchdays on one."""
    visit = page_context.visit_for(request, club, "results")
    this_season = season_of(visit, league, season)
    night = SeasonResults(visit.club, form_actions.person(request), timezone.now(), season=this_season)

    def show(request: HttpRequest, night: Night, refusal: Refusal | None = None, status: int = 200) -> HttpResponse:
        title = gettext("Results so far of %(season)s") % {"season": this_season}
        context = {"night": night, "season": this_season, "league": this_season.league, "refusal": refusal}
        status = refusal.status if refusal else status
        with timezone.override(visit.club.zone):
            response = page_context.page(
                request, visit, "clubs/league/so_far.html", context, tab="leagues", title=title, status=status
            )
        if is_htmx(request):
            response["HX-Push-Url"] = "false"
        return response

    if request.method != "POST":
        return show(request, night)
    wish, pk = posting.wish_of(request)
    if wish == "grid":
        return posting.keep_rows(request, night, show)
    if wish in posting.ANSWERS:
        return posting.done(request, night, wish, lambda: typing.decide(night, wish, pk, request.POST), show)
    if wish == "publish":
        return posting.publish(request, night, show)
    if wish == "back":
        return posting.done(request, night, wish, lambda: running.take_back(night), show)
    return show(request, night, Refusal("page", gettext("Choose one of the buttons on the page.")))
