"""The page to manage a club: tasks, next steps, and links."""

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Club, JoinRequest, League, LeagueClub, Meeting, Membership, News
from clubs.public import page_context
from clubs.public.lookups import first_or_404
from clubs.services.leagues import leagues
from web.errors import Refused


@dataclass(frozen=True)
class Step:
    """A step of setting up a club."""

    words: str
    hint: str
    url: str
    is_done: bool


@never_cache
@require_safe
def desk(request: HttpRequest, club: str) -> HttpResponse:
    """Tasks of an organiser, and links to everything."""
    return show(request, page_context.visit_for(request, club, "members"))


def show(request: HttpRequest, visit: page_context.Visit, refusal: Refusal | None = None) -> HttpResponse:
    """Show the page, with a refusal at the request that was answered."""
    club = visit.club
    waiting = JoinRequest.objects.filter(club=club, status=JoinRequest.Status.OPEN)
    free = Membership.objects.filter(club=club, user=None, left_at=None)
    steps = _steps(club)
    context = {
        "waiting": list(waiting.select_related("user", "membership")),
        "free": list(free) if waiting else [],
        "asked_leagues": list(LeagueClub.objects.filter(club=club, agreed_at=None).select_related("league__club")),
        "steps": steps,
        "are_all_done": all(step.is_done for step in steps),
        "links": _links(visit),
        "join_link": settings.SITE_URL + reverse("clubs:join_by_link", args=[club.join_token]),
        "latest": list(Act.objects.filter(club=club)[:5]) if "history" in visit.may else [],
        "refusal": refusal,
    }
    return page_context.page(request, visit, "clubs/desk.html", context, tab="desk", title=gettext("Manage club"))


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


def _steps(club: Club) -> list[Step]:
    """The steps to a club that plays, without those of pages that the site does not have."""
    slug = club.slug
    people = Membership.objects.filter(club=club, left_at=None)
    has_rules, has_league = club.house_rules.exists(), League.objects.filter(club=club).exists()
    has_news = News.objects.filter(club=club).exists()
    steps = [
        Step(
            gettext("Describe your club"),
            gettext("Description, venue, colour and crest."),
            page_context.address("clubs:settings", slug),
            bool(club.line and (club.about or club.venue)),
        ),
        Step(
            gettext("Import members"),
            gettext("From your spreadsheet, by name, by email or with the link."),
            page_context.address("clubs:people", slug),
            people.count() > 1,
        ),
        Step(
            gettext("Add your club nights"),
            gettext("Meetings appear on the club’s page and in everyone’s calendar."),
            page_context.address("clubs:dates", slug),
            Meeting.objects.filter(club=club).exists(),
        ),
        Step(
            gettext("Write your house rules"),
            gettext("Start from a published ruleset and change it to the way you play."),
            page_context.address("clubs:rules" if has_rules else "clubs:new_house_rules", slug),
            has_rules,
        ),
        Step(
            gettext("Create a league"),
            gettext("Divisions, fixtures and standings, always up to date."),
            page_context.address("clubs:leagues" if has_league else "clubs:new_league", slug),
            has_league,
        ),
        Step(
            gettext("Write news"),
            gettext("Your first news for visitors and members."),
            page_context.address("clubs:all_news" if has_news else "clubs:write_news", slug),
            has_news,
        ),
    ]
    return [step for step in steps if step.url]


_LINKS = (
    ("members", "clubs:people", gettext_noop("People"), gettext_noop("All members: add, invite, rename, give roles.")),
    ("results", "clubs:tonight", gettext_noop("Tonight"), gettext_noop("Run an evening or a matchday.")),
    ("news", "clubs:write_news", gettext_noop("Write news"), gettext_noop("On the club’s page and in its feed.")),
    ("news", "clubs:dates", gettext_noop("Meetings"), gettext_noop("Club nights and meetings.")),
    ("leagues", "clubs:all_series", gettext_noop("Series"), gettext_noop("Standings over evenings.")),
    ("leagues", "clubs:leagues", gettext_noop("Leagues"), gettext_noop("Seasons, teams, fixtures.")),
    ("rules", "clubs:rules", gettext_noop("House rules"), gettext_noop("The rules the club plays by.")),
    ("letters", "clubs:newsletters", gettext_noop("Newsletter"), gettext_noop("For subscribers.")),
    ("settings", "clubs:settings", gettext_noop("Settings"), gettext_noop("Description, colours, crest, joining.")),
    ("fair_play", "clubs:fair_play", gettext_noop("Fair play"), gettext_noop("Patterns worth a closer look.")),
    ("history", "clubs:history", gettext_noop("History"), gettext_noop("See and undo changes.")),
    ("data", "clubs:data", gettext_noop("Data"), gettext_noop("Import past seasons, export the club.")),
    ("look", "clubs:roles", gettext_noop("Roles and permissions"), gettext_noop("The roles of a club.")),
    ("archive", "clubs:archive", gettext_noop("Archive"), gettext_noop("Archive or restore the club.")),
)


def _links(visit: page_context.Visit) -> list[tuple[str, str, str]]:
    """Address, name and hint of every page that the reader can open."""
    links = [
        (page_context.address(view, visit.club.slug), gettext(name), gettext(hint))
        for act, view, name, hint in _LINKS
        if act in visit.may
    ]
    return [link for link in links if link[0]]
