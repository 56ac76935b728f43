"""The leagues of a club, one league, and the forms that make and change one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, League, LeagueClub, Season
from clubs.public import league as public
from clubs.public import my_matches as own_matches
from clubs.public import page_context
from clubs.services.leagues import leagues as service
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]


@require_safe
def leagues(request: HttpRequest, club: str) -> HttpResponse:
    """The leagues of a club, with what a reader who plays in them has next."""
    seen = page_context.seen(request, club)
    may_run = "leagues" in seen.may
    context = {
        "lines": public.leagues(seen.club),
        "elsewhere": public.guest_leagues(seen.club),
        "yours": own_matches.next_matches(seen.player, seen.club) if seen.membership else [],
        "drafts": _drafts(seen) if may_run else [],
        "may_run": may_run and not seen.club.archived_at,
        "keeps_rosters": "rosters" in seen.may,
    }
    return page_context.page(
        request, seen, "clubs/league/leagues.html", context, tab="leagues", title=gettext("Leagues")
    )


def _drafts(seen: page_context.Seen) -> list[Season]:
    own = Season.objects.filter(league__club=seen.club, status=Season.Status.DRAFT).select_related("league__club")
    return list(own.order_by("league__name", "number"))


@require_safe
def league(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """A league with its seasons, honours and teams."""
    seen = page_context.seen(request, club)
    row = public.league_of(seen.club, league)
    may_run = "leagues" in seen.may
    main = page_context.part(
        seen.club, public.stamp(row), "clubs/league/league_part.html", lambda: public.overview(row), key=str(row.pk)
    )
    context = {
        "league": row,
        "main_part": main,
        "may_run": may_run and not seen.club.archived_at,
        "drafts": [one for one in _drafts(seen) if one.league_id == row.pk] if may_run else [],
        "running": row.seasons.filter(status=Season.Status.RUNNING).first() if may_run else None,
        "has_teams": row.teams.filter(left_at=None).exists() if may_run else True,
    }
    return page_context.page(request, seen, "clubs/league/league.html", context, tab="leagues", title=str(row))


@never_cache
@require_http_methods(_FORM)
def new_league(request: HttpRequest, club: str) -> HttpResponse:
    """The form that makes a league."""
    seen = page_context.seen_for(request, club, "leagues")
    if request.method != "POST":
        return _new(request, seen)
    made: list[League] = []

    def do() -> str:
        values = {name: request.POST.get(name, "")[:3000] for name in ("name", "kind", "about")}
        made.append(service.make(seen.club.pk, acting.person(request), **values, **acting.how(request)))
        return gettext("%(made)s created. Now add teams.") % {"made": made[0]}

    return acting.act(
        request,
        "league",
        do,
        lambda refusal: _new(request, seen, refusal),
        lambda: reverse("clubs:add_teams", args=[seen.club.slug, made[0].slug]),
    )


def _new(request: HttpRequest, seen: page_context.Seen, refusal: Refusal | None = None) -> HttpResponse:
    values = {name: request.POST.get(name, "")[:3000] for name in ("name", "kind", "about")}
    if refusal is None:
        values["kind"] = League.Kind.PAIR
    context = {"values": values, "kinds": League.Kind.choices, "refusal": refusal}
    status = refusal.status if refusal else 200
    return page_context.page(
        request, seen, "clubs/league/new.html", context, tab="leagues", title=gettext("New league"), status=status
    )


@never_cache
@require_http_methods(_FORM)
def edit_league(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The forms that change a league, let it rest, and ask other clubs to take part."""
    seen = page_context.seen_for(request, club, "leagues")
    row = public.league_of(seen.club, league)
    if request.method != "POST":
        return _edit(request, seen, row)
    wish = request.POST.get("act", "")

    def do() -> Act | str:
        return _do(request, row, wish)

    return acting.act(
        request,
        wish or "league",
        do,
        lambda refusal: _edit(request, seen, row, refusal),
        reverse("clubs:edit_league", args=[seen.club.slug, row.slug]),
    )


def _do(request: HttpRequest, row: League, wish: str) -> Act | str:
    person, asked = acting.person(request), acting.how(request)
    if wish == "edit":
        values = {name: request.POST.get(name, "")[:3000] for name in ("name", "about")}
        return service.change(row.pk, person, **values, **acting.how(request, seen=True))
    if wish == "archive":
        return service.archive(row.pk, person, **asked)
    if wish == "back":
        return service.bring_back(row.pk, person, **asked)
    if wish == "ask":
        found = service.ask_club(row.pk, person, club=request.POST.get("club", "")[:100], **asked)
        return gettext("%(club)s was invited. Its organisers see the invitation under “Manage club”.") % {
            "club": found.club
        }
    if wish == "part":
        asked_club = LeagueClub.objects.filter(pk=acting.number(request, "asked") or 0, league=row).first()
        if asked_club is None:
            raise Refused("no_such_row", gettext("This club is no longer in the league."))
        return service.part_with_club(asked_club.pk, person, **asked)
    raise Refused("no_act", gettext("Choose an action."))


def _edit(request: HttpRequest, seen: page_context.Seen, row: League, refusal: Refusal | None = None) -> HttpResponse:
    values: dict[str, Any] = {"name": row.name, "about": row.about, "club": ""}
    if refusal is not None:
        values |= {name: request.POST[name][:3000] for name in values if name in request.POST}
    context = {
        "league": row,
        "values": values,
        "clubs": LeagueClub.objects.filter(league=row).select_related("club").order_by("pk"),
        "refusal": refusal,
    }
    status = refusal.status if refusal else 200
    title = gettext("Settings of %(league)s") % {"league": row}
    return page_context.page(
        request, seen, "clubs/league/edit.html", context, tab="leagues", title=title, status=status
    )
