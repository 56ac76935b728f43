"""Who comes to the next matches of a team: the page of its captain."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from clubs.coming import asking, occasions
from clubs.coming.occasions import Occasion
from clubs.coming.page import Desk
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.league import permissions
from clubs.models import Team
from clubs.public import page_context
from clubs.public.league import league_of, team_of
from clubs.public.page_context import Visit
from clubs.views.login_required import person_of, sign_in

MOST = 20


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


def _page(request: HttpRequest, visit: Visit, team: Team, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    rows = [Occasion(question) for question in occasions.questions().filter(team=team).order_by("-pk")[:MOST]]
    ahead = sorted((row for row in rows if not row.is_closed(now)), key=lambda row: (row.starts_at or now, row.title))
    context = {
        "team": team,
        "league": team.league,
        "desks": [Desk(occasion, now) for occasion in ahead],
        "ask_days": occasions.ASK_DAYS,
        "refusal": refusal,
    }
    title = gettext("People coming: %(team)s") % {"team": team}
    return page_context.page(request, visit, "clubs/coming/team.html", context, tab="leagues", title=title)
