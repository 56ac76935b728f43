"""A season: its public pages, and the forms that prepare and draw it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from csp.decorators import csp_replace
from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import acting
from clubs.forms.acting import Refusal
from clubs.models import Act, Division, League, Season, SeasonEntry
from clubs.organiser import season as desk
from clubs.organiser import season_form
from clubs.organiser.season import Outlook
from clubs.organiser.season_form import Typed
from clubs.public import fixtures as matches
from clubs.public import league, page_context
from clubs.public import season as public
from clubs.services.seasons import season_draw, season_setup
from web.errors import Refused

_FORM = ["GET", "HEAD", "POST"]


# For everybody


@require_safe
def season(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """A season: the page of its top division."""
    return _division(request, club, league, season, 1)


@require_safe
def division(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The table of a division, what is next, and what was played."""
    if level == 1:
        return HttpResponseRedirect(reverse("clubs:season", args=[club, league, season]))
    return _division(request, club, league, season, level)


def _division(request: HttpRequest, club: str, slug: str, name: str, level: int) -> HttpResponse:
    seen = page_context.seen(request, club)
    row = league.season_of(seen, slug, name)
    if row.status == Season.Status.DRAFT:
        return HttpResponseRedirect(reverse("clubs:season_desk", args=[club, slug, name]))
    own = league.division_of(row, level)
    now = matches.playing([own])

    def make() -> Mapping[str, Any]:
        return {**public.overview(row, own, now), "zone_words": matches.zone_words(seen.club)}

    stamp = public.stamp(row, now, own)
    part = page_context.part(seen.club, stamp, "clubs/league/season_part.html", make, timed=True, key=str(own.pk))
    context = {
        "league": row.league,
        "season": row,
        "division": own,
        "switches": league.switches(row, "division", own),
        "part": part,
        "rules": page_context.part(
            seen.club, str(row.pk), "clubs/league/season_rules.html", lambda: public.rules_words(row), timed=True
        ),
        "may_run": "leagues" in seen.may or "results" in seen.may,
        "embed": _embed_code(row, own),
        "printed_at": timezone.now(),
        "files": league.path(row.league, "division", row.slug, own.level),
    }
    title = f"{row.league} {row}, {own}"
    return page_context.page(request, seen, "clubs/league/season.html", context, tab="leagues", title=title)


def _embed_code(season: Season, division: Division) -> str:
    """The element that shows a table on another site, as text to be copied."""
    address = settings.SITE_URL + league.path(season.league, "league_embed", season.slug, division.level)
    title = f"{season.league}: {division}"
    return escape(format_html('<iframe src="{}" title="{}" width="100%" height="520"></iframe>', address, title))


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ["*"], "script-src": ["'none'"]})  # type: ignore[arg-type]
def embed(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The table of a division for other sites: nothing can be done in it, so that framing it misleads nobody."""
    return _embed(request, club, league, season, level)


def _embed(request: HttpRequest, club: str, slug: str, name: str, level: int) -> HttpResponse:
    seen = page_context.seen(request, club)
    row = league.season_of(seen, slug, name)
    own = league.division_of(row, level)
    now = matches.playing([own])
    part = page_context.part(
        seen.club,
        public.stamp(row, now, own),
        "clubs/league/table.html",
        lambda: public.overview(row, own, now),
        timed=True,
        key=f"embed{own.pk}",
    )
    address = settings.SITE_URL + league.division_path(row, "division", own.level)
    context = {"club": seen.club, "season": row, "division": own, "body": part, "address": address}
    return page_context.conditional(request, render(request, "clubs/league/embed.html", context))


# Preparing


@never_cache
@require_http_methods(_FORM)
def new_season(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The form of a new season, with what would come of it."""
    seen = page_context.seen_for(request, club, "leagues")
    row = _league(seen, league)
    if request.method != "POST":
        return _form(request, seen, row, season_form.fresh(row))
    typed = season_form.typed(request)
    if request.POST.get("act", "save") != "save":
        return _form(request, seen, row, typed)
    made: list[Season] = []

    def do() -> str:
        made.append(desk.save_new(row, acting.person(request), typed, acting.how(request)))
        return gettext("%(made)s created as a draft. Check the divisions, then draw it.") % {"made": made[0]}

    return acting.act(
        request,
        "season",
        do,
        lambda refusal: _form(request, seen, row, typed, refusal=refusal),
        lambda: reverse("clubs:season_places", args=[seen.club.slug, row.slug, made[0].slug]),
    )


@never_cache
@require_http_methods(_FORM)
def setup(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The form of a draft, with what would come of it."""
    seen, row = _draft(request, club, league, season)
    if request.method != "POST":
        return _form(request, seen, row.league, season_form.stored(row), row)
    typed = season_form.typed(request)
    wish = request.POST.get("act", "save")
    if wish not in ("save", "discard"):
        return _form(request, seen, row.league, typed, row)
    person = acting.person(request)

    def do() -> Act | str:
        if wish == "discard":
            return season_setup.discard(row.pk, person, **acting.how(request))
        return desk.save(row, person, typed, acting.how(request, seen=True))

    to = row.league.get_absolute_url() if wish == "discard" else _path(row, "season_desk")
    return acting.act(request, "season", do, lambda refusal: _form(request, seen, row.league, typed, row, refusal), to)


@never_cache
@require_POST
def preview_new(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """What would come of a new season's form as it is filled in."""
    seen = page_context.seen_for(request, club, "leagues")
    row = _league(seen, league)
    found = desk.look_new(row, acting.person(request), season_form.typed(request))
    return render(request, "clubs/league/outlook.html", {"outlook": found, "club": seen.club})


@never_cache
@require_POST
def preview_setup(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """What would come of a draft's form as it is filled in."""
    seen, row = _draft(request, club, league, season)
    found = desk.look_changed(row, acting.person(request), season_form.typed(request))
    return render(request, "clubs/league/outlook.html", {"outlook": found, "club": seen.club})


def _league(seen: page_context.Seen, slug: str) -> League:
    return league.league_of(seen.club, slug)


def _draft(request: HttpRequest, club: str, slug: str, name: str) -> tuple[page_context.Seen, Season]:
    """A season that is being prepared, for who prepares it. Raises `Http404`, `NotAllowed` or `Refused`."""
    seen = page_context.seen_for(request, club, "leagues")
    row = league.season_of(seen, slug, name)
    season_setup.check_draft(row)
    return seen, row


def _path(season: Season, name: str) -> str:
    return league.path(season.league, name, season.slug)


def _form(
    request: HttpRequest,
    seen: page_context.Seen,
    row: League,
    typed: Typed,
    season: Season | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    context = {
        "league": row,
        "season": season,
        "typed": typed,
        "outlook": _outlook(request, row, typed, season),
        "preview_url": _path(season, "preview_season") if season else league.path(row, "preview_new_season"),
        "teams": row.teams.filter(left_at=None).count(),
        "refusal": refusal,
        **season_form.choices(seen.club, row, season),
    }
    status = refusal.status if refusal else 200
    title = (
        gettext("Settings of %(season)s") % {"season": season}
        if season
        else gettext("New season of %(league)s") % {"league": row}
    )
    return page_context.page(
        request, seen, "clubs/league/setup.html", context, tab="leagues", title=title, status=status
    )


def _outlook(request: HttpRequest, row: League, typed: Typed, season: Season | None) -> Outlook | None:
    """What would come of the form; of an empty one nothing is said."""
    if season is None and not typed.values["starts_on"]:
        return None
    person = acting.person(request)
    return desk.look_changed(season, person, typed) if season else desk.look_new(row, person, typed)


# Who plays where


@never_cache
@require_http_methods(_FORM)
def places(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """Which team plays in which division, in the order of the draw."""
    seen, row = _draft(request, club, league, season)
    if request.method != "POST":
        return _places(request, seen, row)

    def do() -> Act:
        wished = desk.read_places(request, row)
        return season_setup.place(row.pk, acting.person(request), divisions=wished, **acting.how(request, seen=True))

    to = _path(row, "season_desk")
    return acting.act(request, "divisions", do, lambda refusal: _places(request, seen, row, refusal), to)


def _places(request: HttpRequest, seen: page_context.Seen, row: Season, refusal: Refusal | None = None) -> HttpResponse:
    divisions = list(Division.objects.filter(season=row).order_by("level"))
    own = {one.team_id: one for one in SeasonEntry.objects.filter(season=row)}
    lines = []
    for team in league.teams(row.league):
        entry = own.get(team.pk)
        place = str(entry.division_id) if entry else ""
        order = str(entry.position) if entry else ""
        if refusal is not None:
            place = request.POST.get(f"place_{team.pk}", "")[:9]
            order = request.POST.get(f"order_{team.pk}", "")[:5]
        lines.append((team, place, order))
    levels = {str(one.pk): one.level for one in divisions}
    lines.sort(key=lambda line: (levels.get(line[1], 999), int(line[2]) if line[2].isdecimal() else 9999))
    context = {"league": row.league, "season": row, "divisions": divisions, "lines": lines, "refusal": refusal}
    status = refusal.status if refusal else 200
    title = gettext("Teams in divisions, %(season)s") % {"season": row}
    return page_context.page(
        request, seen, "clubs/league/places.html", context, tab="leagues", title=title, status=status
    )


# Drawing


@never_cache
@require_http_methods(_FORM)
def draw(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The draw looked at beforehand, and made."""
    seen = page_context.seen_for(request, club, "leagues")
    row = _season(seen, league, season)
    if request.method != "POST":
        if row.status != Season.Status.DRAFT:
            return HttpResponseRedirect(_path(row, "season_desk"))
        return _draw(request, seen, row)
    wish = request.POST.get("act", "")

    def do() -> Act:
        if wish == "undo":
            return season_draw.undo_draw(row.pk, acting.person(request), **acting.how(request))
        if wish == "draw":
            return season_draw.draw(row.pk, acting.person(request), **acting.how(request, seen=True))
        raise Refused("no_act", gettext("Choose an action."))

    return acting.act(
        request, "draw", do, lambda refusal: _draw(request, seen, row, refusal), _path(row, "season_desk")
    )


def _season(seen: page_context.Seen, slug: str, name: str) -> Season:
    return league.season_of(seen, slug, name)


def _draw(request: HttpRequest, seen: page_context.Seen, row: Season, refusal: Refusal | None = None) -> HttpResponse:
    outlook = desk.outlook(season_draw.preview(row)) if row.status == Season.Status.DRAFT else None
    context = {"league": row.league, "season": row, "outlook": outlook, "refusal": refusal}
    status = refusal.status if refusal else 200
    title = gettext("Draw %(season)s") % {"season": row}
    return page_context.page(
        request, seen, "clubs/league/draw.html", context, tab="leagues", title=title, status=status
    )
