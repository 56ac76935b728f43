"""Who can play the next matches: the page of a team, for its captain, and of a league, for its organisers."""

from collections.abc import Iterable
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs import access
from clubs.coming import asking, league_page, occasions
from clubs.coming.occasions import Occasion
from clubs.coming.page import Desk
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.league import permissions
from clubs.models import League, Question, Team
from clubs.public import page_context
from clubs.public.league import league_of, team_of
from clubs.public.page_context import Visit
from clubs.views.login_required import person_of, sign_in

MOST = 20
"""Questions of a team that are looked at."""


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def team_coming(request: HttpRequest, club: str, league: str, number: int) -> HttpResponse:
    """The next matches of a team with their answers, and the switch that asks its players."""
    visit = page_context.visit(request, club)
    person = person_of(request)
    if person is None:
        return sign_in(request)
    team = team_of(league_of(visit.club, league), number)
    permissions.check_acts_for(person, team)
    if request.method != "POST":
        return _page(request, visit, team)
    asks = request.POST.get("act") == "ask"
    return form_actions.act(
        request,
        "act",
        lambda: asking.ask_team(team.pk, person, asks=asks, **form_actions.how(request)),
        lambda refusal: _page(request, visit, team, refusal),
        request.path,
    )


def _ahead(questions: Iterable[Question], now: datetime) -> list[Desk]:
    """The questions that are still open, by time."""
    rows = [Occasion(question) for question in questions]
    ahead = sorted((row for row in rows if not row.is_closed(now)), key=lambda row: (row.starts_at or now, row.title))
    return [Desk(occasion, now) for occasion in ahead]


def _page(request: HttpRequest, visit: Visit, team: Team, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    context = {
        "team": team,
        "league": team.league,
        "desks": _ahead(occasions.questions().filter(team=team).order_by("-pk")[:MOST], now),
        "ask_days": occasions.ASK_DAYS,
        "refusal": refusal,
    }
    title = gettext("Availability: %(team)s") % {"team": team}
    return page_context.page(request, visit, "clubs/coming/team.html", context, tab="leagues", title=title)


# A league


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def league_coming(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Who can play the next match, team by team, and the switch that asks everyone."""
    visit = page_context.visit(request, club)
    person = person_of(request)
    if person is None:
        return sign_in(request)
    access.check_as(visit.role, "leagues")
    this_league = league_of(visit.club, league)
    if request.method != "POST":
        return _league_page(request, visit, this_league)
    asks = request.POST.get("act") == "ask"
    return form_actions.act(
        request,
        "act",
        lambda: asking.ask_league(this_league.pk, person, asks=asks, **form_actions.how(request)),
        lambda refusal: _league_page(request, visit, this_league, refusal),
        request.path,
    )


def _league_page(request: HttpRequest, visit: Visit, league: League, refusal: Refusal | None = None) -> HttpResponse:
    lines = league_page.lines(league, timezone.now())
    context = {
        "league": league,
        "lines": lines,
        "asking": sum(line.team.asks for line in lines),
        "ask_days": occasions.ASK_DAYS,
        "refusal": refusal,
    }
    title = gettext("Availability: %(league)s") % {"league": league}
    return page_context.page(request, visit, "clubs/coming/league.html", context, tab="leagues", title=title)
