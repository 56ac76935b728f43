"""The page to manage a club: what waits, and its five doors; and the page of what the club is told."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, JoinRequest, LeagueClub, Membership
from clubs.organiser import doors
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from clubs.services.leagues import leagues
from web.errors import Refused


@never_cache
@require_safe
def desk(request: HttpRequest, club: str) -> HttpResponse:
    """What waits for an organiser, and the doors to everything."""
    return show(request, page_context.visit_for(request, club, "members"))


def show(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    """Show the page, with a refusal at the request that was answered."""
    club = visit.club
    waiting = JoinRequest.objects.filter(club=club, status=JoinRequest.Status.OPEN)
    free = Membership.objects.filter(club=club, user=None, left_at=None)
    context = {
        "waiting": list(waiting.select_related("user", "membership")),
        "free": list(free) if waiting else [],
        "asked_leagues": list(LeagueClub.objects.filter(club=club, agreed_at=None).select_related("league__club")),
        "doors": doors.doors(visit),
        "latest": list(Act.objects.filter(club=club)[:5]) if "history" in visit.may else [],
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/desk.html", context, tab="desk", title=gettext("Manage club"))


@never_cache
@require_safe
def tell_club(request: HttpRequest, club: str) -> HttpResponse:
    """The door to news and newsletters."""
    visit = page_context.visit_for(request, club, "news")
    context = {"door": doors.door(visit, "tell")}
    return page_context.page(
        request, visit, "clubs/tell_club.html", context, tab="desk", title=gettext("Tell the club")
    )


@require_POST
def answer_league(request: HttpRequest, club: str, asked: int) -> HttpResponse:
    """Accept or decline another club’s invitation to its league."""
    visit = page_context.visit_for(request, club, "leagues")
    league_club = first_or_404(LeagueClub.objects.filter(club=visit.club, pk=asked), gettext("Request not found."))

    def do() -> Act:
        agrees = request.POST.get("answer", "")
        if agrees not in ("yes", "no"):
            raise Refused("no_answer", gettext("Choose yes or no."))
        person = form_actions.person(request)
        return leagues.answer_club(league_club.pk, person, agrees=agrees == "yes", **form_actions.how(request))

    to = reverse("clubs:desk", args=[visit.club.slug])
    return form_actions.act(request, f"league-{league_club.pk}", do, lambda refusal: show(request, visit, refusal), to)
