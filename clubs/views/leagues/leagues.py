"""The leagues of a club, a league, and the forms to create and change one."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.bring_in.reading import FIXTURES
from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, KeptAside, League, LeagueClub, Season
from clubs.organiser import doors
from clubs.public import league as public
from clubs.public import league_link_cards, page_context
from clubs.public import my_matches as own_matches
from clubs.public.page_context import Visit
from clubs.services.leagues import leagues as service
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]


@require_safe
def leagues(request: HttpRequest, club: str) -> HttpResponse:
    """The leagues of a club, with the reader’s next matches in them."""
    visit = page_context.visit(request, club)
    may_run = "leagues" in visit.may
    may_see_rows = may_run and "members" in visit.may
    context = {
        "lines": public.leagues(visit.club),
        "elsewhere": public.guest_leagues(visit.club),
        "yours": own_matches.next_matches(visit.player, visit.club) if visit.membership else [],
        "drafts": _drafts(visit) if may_run else [],
        "may_run": may_run and not visit.club.archived_at,
        "door": doors.door(visit, "league"),
        "keeps_rosters": "rosters" in visit.may,
        "kept_aside": KeptAside.objects.filter(club=visit.club, what=FIXTURES) if may_see_rows else (),
    }
    return page_context.page(
        request, visit, "clubs/league/leagues.html", context, tab="leagues", title=gettext("Leagues")
    )


def _drafts(visit: Visit) -> list[Season]:
    drafts = Season.objects.filter(league__club=visit.club, status=Season.Status.DRAFT).select_related("league__club")
    return list(drafts.order_by("league__name", "number"))


@require_safe
def league(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """A league with its seasons, honours and teams."""
    visit = page_context.visit(request, club)
    this_league = public.league_of(visit.club, league)
    may_run = "leagues" in visit.may
    template, stamp, key = "clubs/league/league_part.html", public.stamp(this_league), str(this_league.pk)
    main = page_context.part(visit.club, stamp, template, lambda: public.overview(this_league), key=key)
    context = {
        "league": this_league,
        "main_part": main,
        "may_run": may_run and not visit.club.archived_at,
        "drafts": [draft for draft in _drafts(visit) if draft.league_id == this_league.pk] if may_run else [],
        "running": this_league.seasons.filter(status=Season.Status.RUNNING).first() if may_run else None,
        "has_teams": this_league.teams.filter(left_at=None).exists() if may_run else True,
        "link_card": league_link_cards.league_card(this_league),
    }
    return page_context.page(request, visit, "clubs/league/league.html", context, tab="leagues", title=str(this_league))


@never_cache
@require_http_methods(_FORM)
def new_league(request: HttpRequest, club: str) -> HttpResponse:
    """The form to create a league."""
    visit = page_context.visit_for(request, club, "leagues")
    if request.method != "POST":
        return _new(request, visit)
    created: list[League] = []

    def do() -> str:
        values = {name: request.POST.get(name, "")[:3000] for name in ("name", "kind", "about")}
        created.append(service.make(visit.club.pk, form_actions.person(request), **values, **form_actions.how(request)))
        return gettext("%(made)s created. Now add teams.") % {"made": created[0]}

    return form_actions.act(
        request,
        "league",
        do,
        lambda refusal: _new(request, visit, refusal),
        lambda: reverse("clubs:add_teams", args=[visit.club.slug, created[0].slug]),
    )


def _new(request: HttpRequest, visit: Visit, refusal: Refusal | None = None) -> HttpResponse:
    values = {name: request.POST.get(name, "")[:3000] for name in ("name", "kind", "about")}
    if refusal is None:
        values["kind"] = League.Kind.PAIR
    context = {"values": values, "kinds": League.Kind.choices, "refusal": refusal}
    return page_context.page(
        request, visit, "clubs/league/new.html", context, tab="leagues", title=gettext("New league")
    )


@never_cache
@require_http_methods(_FORM)
def edit_league(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The forms to change or archive a league, and to invite other clubs."""
    visit = page_context.visit_for(request, club, "leagues")
    this_league = public.league_of(visit.club, league)
    if request.method != "POST":
        return _edit(request, visit, this_league)
    wish = request.POST.get("act", "")

    def do() -> Act | str:
        return _do(request, this_league, wish)

    return form_actions.act(
        request,
        wish or "league",
        do,
        lambda refusal: _edit(request, visit, this_league, refusal),
        reverse("clubs:edit_league", args=[visit.club.slug, this_league.slug]),
    )


def _do(request: HttpRequest, league: League, wish: str) -> Act | str:
    person, how = form_actions.person(request), form_actions.how(request)
    if wish == "edit":
        values = {name: request.POST.get(name, "")[:3000] for name in ("name", "about")}
        return service.change(league.pk, person, **values, **form_actions.how(request, seen=True))
    if wish == "archive":
        return service.archive(league.pk, person, **how)
    if wish == "back":
        return service.restore(league.pk, person, **how)
    if wish == "ask":
        guest = service.invite_club(league.pk, person, club=request.POST.get("club", "")[:100], **how)
        return gettext("%(club)s was invited. Its organisers see the invitation under “Manage club”.") % {
            "club": guest.club
        }
    if wish == "part":
        asked_club = LeagueClub.objects.filter(pk=form_actions.number(request, "asked") or 0, league=league).first()
        if asked_club is None:
            raise Refused("no_such_row", gettext("This club is no longer in the league."))
        return service.remove_club(asked_club.pk, person, **how)
    raise Refused("no_act", gettext("Choose an action."))


def _edit(request: HttpRequest, visit: Visit, league: League, refusal: Refusal | None = None) -> HttpResponse:
    values: dict[str, Any] = {"name": league.name, "about": league.about, "club": ""}
    if refusal is not None:
        values |= {name: request.POST[name][:3000] for name in values if name in request.POST}
    context = {
        "league": league,
        "values": values,
        "clubs": LeagueClub.objects.filter(league=league).select_related("club").order_by("pk"),
        "refusal": refusal,
    }
    title = gettext("Settings of %(league)s") % {"league": league}
    return page_context.page(request, visit, "clubs/league/edit.html", context, tab="leagues", title=title)
