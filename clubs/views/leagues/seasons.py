"""A season: its public pages, and the forms to prepare and draw it."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from clubs.forms import form_actions
from clubs.forms.form_actions import Refusal
from clubs.models import Act, Division, League, Season, SeasonEntry
from clubs.organiser import season as desk
from clubs.organiser import season_arguments, season_choices, season_form, season_prefill
from clubs.organiser.season import Outlook
from clubs.organiser.season_form import Typed
from clubs.public import fixtures as matches
from clubs.public import league, league_link_cards, page_context
from clubs.public import season as public
from clubs.public.page_context import Visit
from clubs.services.seasons import season_draw, season_setup
from web import frames
from web.errors import Refused
from web.frames import framed

_FORM = ["GET", "HEAD", "POST"]
_NEXT = {"who": "to_when", "when": "to_how"}
"""What Enter asks for in each step but the last."""


# Public pages


@require_safe
def season(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """A season: the page of its top division."""
    return _division(request, club, league, season, 1)


@require_safe
def division(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The standings of a division, its next matchday and results."""
    if level == 1:
        return HttpResponseRedirect(reverse("clubs:season", args=[club, league, season]))
    return _division(request, club, league, season, level)


def _division(request: HttpRequest, club: str, slug: str, name: str, level: int) -> HttpResponse:
    visit = page_context.visit(request, club)
    this_season = league.season_of(visit, slug, name)
    if this_season.status == Season.Status.DRAFT:
        return HttpResponseRedirect(reverse("clubs:season_desk", args=[club, slug, name]))
    this_division = league.division_of(this_season, level)
    now = matches.playing([this_division])

    def make() -> Mapping[str, Any]:
        return {**public.overview(this_season, this_division, now), "zone_words": matches.zone_words(visit.club)}

    stamp, key, content = public.stamp(this_season, now, this_division), str(this_division.pk), cache(make)
    part = page_context.part(visit.club, stamp, "clubs/league/season_part.html", content, timed=True, key=key)
    words = page_context.card_words(
        visit.club, stamp, key, lambda: league_link_cards.season_words(this_season, content())
    )
    context = {
        "league": this_season.league,
        "season": this_season,
        "division": this_division,
        "switches": league.switches(this_season, "division", this_division),
        "part": part,
        "rules": page_context.part(
            visit.club,
            str(this_season.pk),
            "clubs/league/season_rules.html",
            lambda: public.rules_words(this_season),
            timed=True,
        ),
        "may_run": "leagues" in visit.may or "results" in visit.may,
        "embed": _embed_code(this_season, this_division),
        "printed_at": timezone.now(),
        "link_card": league_link_cards.season_card(this_division, words),
        "files": league.path(this_season.league, "division", this_season.slug, this_division.level),
    }
    title = f"{this_season.league} {this_season}, {this_division}"
    return page_context.page(request, visit, "clubs/league/season.html", context, tab="leagues", title=title)


def _embed_code(season: Season, division: Division) -> str:
    """The element that shows a table on another site, as text to be copied."""
    path = league.path(season.league, "league_embed", season.slug, division.level)
    return frames.element(path, f"{season.league}: {division}")


@require_safe
@framed
def embed(request: HttpRequest, club: str, league: str, season: str, level: int) -> HttpResponse:
    """The standings of a division for other sites."""
    return _embed(request, club, league, season, level)


def _embed(request: HttpRequest, club: str, slug: str, name: str, level: int) -> HttpResponse:
    visit = page_context.visit(request, club)
    this_season = league.season_of(visit, slug, name)
    this_division = league.division_of(this_season, level)
    now = matches.playing([this_division])
    part = page_context.part(
        visit.club,
        public.stamp(this_season, now, this_division),
        "clubs/league/table.html",
        lambda: public.overview(this_season, this_division, now),
        timed=True,
        key=f"embed{this_division.pk}",
    )
    address = settings.SITE_URL + league.division_path(this_season, "division", this_division.level)
    context = {"club": visit.club, "season": this_season, "division": this_division, "body": part, "address": address}
    return page_context.conditional(request, render(request, "clubs/league/embed.html", context))


# Preparing


@never_cache
@require_http_methods(_FORM)
def new_season(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """The form of a new season, with a preview."""
    visit = page_context.visit_for(request, club, "leagues")
    this_league = _league(visit, league)
    if request.method != "POST":
        return _form(
            request,
            visit,
            this_league,
            season_form.read_kept(request, this_league) or season_prefill.fresh(this_league),
        )
    typed = season_form.typed(request.POST)
    if request.POST.get("act") == "add_teams":
        season_form.keep(request, this_league)
        return HttpResponseRedirect(reverse("clubs:add_teams", args=[visit.club.slug, this_league.slug]))
    if request.POST.get("act") == "start_again":
        season_form.forget(request)
        return HttpResponseRedirect(reverse("clubs:new_season", args=[visit.club.slug, this_league.slug]))
    if request.POST.get("act", "save") != "save":
        return _form(request, visit, this_league, typed, refusal=_passed(request, typed))
    created: list[Season] = []

    def do() -> str:
        created.append(desk.save_new(this_league, form_actions.person(request), typed, form_actions.how(request)))
        season_form.forget(request)
        return gettext("%(made)s created as a draft. Check the divisions, then draw it.") % {"made": created[0]}

    return form_actions.act(
        request,
        "season",
        do,
        lambda refusal: _form(request, visit, this_league, typed, refusal=refusal),
        lambda: reverse("clubs:season_places", args=[visit.club.slug, this_league.slug, created[0].slug]),
    )


@never_cache
@require_http_methods(_FORM)
def setup(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The form of a draft, with a preview."""
    visit, this_season = _draft(request, club, league, season)
    if request.method != "POST":
        return _form(request, visit, this_season.league, season_prefill.stored(this_season), this_season)
    typed = season_form.typed(request.POST)
    wish = request.POST.get("act", "save")
    if wish not in ("save", "discard"):
        return _form(request, visit, this_season.league, typed, this_season, _passed(request, typed))
    person = form_actions.person(request)

    def do() -> Act | str:
        if wish == "discard":
            return season_setup.delete_draft(this_season.pk, person, **form_actions.how(request))
        return desk.save(this_season, person, typed, form_actions.how(request, seen=True))

    def show(refusal: Refusal) -> HttpResponse:
        return _form(request, visit, this_season.league, typed, this_season, refusal)

    to = this_season.league.get_absolute_url() if wish == "discard" else _path(this_season, "season_desk")
    return form_actions.act(request, "season", do, show, to)


@never_cache
@require_POST
def preview_new(request: HttpRequest, club: str, league: str) -> HttpResponse:
    """Preview a new season’s form while it is filled in."""
    visit = page_context.visit_for(request, club, "leagues")
    this_league = _league(visit, league)
    typed = season_form.typed(request.POST)
    outlook = desk.preview_new(this_league, form_actions.person(request), typed)
    return _preview(request, visit, this_league, typed, outlook)


@never_cache
@require_POST
def preview_setup(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """Preview a draft’s form while it is filled in."""
    visit, this_season = _draft(request, club, league, season)
    typed = season_form.typed(request.POST)
    outlook = desk.preview_changed(this_season, form_actions.person(request), typed)
    return _preview(request, visit, this_season.league, typed, outlook, this_season)


def _preview(
    request: HttpRequest, visit: Visit, league: League, typed: Typed, outlook: Outlook, season: Season | None = None
) -> HttpResponse:
    """The preview, and with it the dates and words that the form shows."""
    words = season_form.in_words(typed, season_choices.choices(visit.club, league, season))
    context = {
        "outlook": outlook,
        "club": visit.club,
        "is_part": True,
        "evenings": season_form.evenings(typed, outlook.first_days),
        "evenings_of": season_form.pattern_of(typed.values),
        "in_words": words,
    }
    return render(request, "clubs/league/season_preview.html", context)


def _passed(request: HttpRequest, typed: Typed) -> Refusal | None:
    """Why the form cannot go on from the step that it shows to the one that it asks for."""
    current, target = request.POST.get("step", ""), season_form.step_of(request)
    names = [name for name, _ in season_choices.STEPS]
    if current not in names or names.index(current) >= names.index(target):
        return None
    try:
        season_arguments.check_steps(typed, current, target)
    except Refused as refused:
        return Refusal(str(refused.details.get("field", "season")), refused.sentence, refused.status)
    return None


def _league(visit: Visit, slug: str) -> League:
    return league.league_of(visit.club, slug)


def _draft(request: HttpRequest, club: str, slug: str, name: str) -> tuple[Visit, Season]:
    """A draft, for organisers. Raises `Http404`, `NotAllowed` or `Refused`."""
    visit = page_context.visit_for(request, club, "leagues")
    season = league.season_of(visit, slug, name)
    season_setup.check_draft(season)
    return visit, season


def _path(season: Season, name: str) -> str:
    return league.path(season.league, name, season.slug)


def _form(
    request: HttpRequest,
    visit: Visit,
    this_league: League,
    typed: Typed,
    season: Season | None = None,
    refusal: Refusal | None = None,
) -> HttpResponse:
    choices = season_choices.choices(visit.club, this_league, season)
    outlook = _outlook(request, this_league, typed, season)
    days = outlook.first_days if outlook else desk.usual_days(this_league, typed)
    step = season_form.step_of(request)
    if refusal is not None:
        step = season_form.step_at(refusal.at, step)
    context = {
        "league": this_league,
        "season": season,
        "typed": typed,
        "step": step,
        "next_step": _NEXT.get(step, ""),
        "outlook": outlook,
        "evenings": season_form.evenings(typed, days),
        "evenings_of": season_form.pattern_of(typed.values),
        "in_words": season_form.in_words(typed, choices),
        "zone_words": matches.zone_words(visit.club),
        "is_kept": season is None and season_form.is_kept(request, this_league),
        "is_first": not this_league.seasons.exclude(pk=season.pk if season else 0).exists(),
        "preview_url": _path(season, "preview_season") if season else league.path(this_league, "preview_new_season"),
        "teams": list(this_league.teams.filter(left_at=None).order_by("number")),
        "refusal": refusal,
        **choices,
    }
    title = (
        gettext("Settings of %(season)s") % {"season": season}
        if season
        else gettext("New season of %(league)s") % {"league": this_league}
    )
    return page_context.page(request, visit, "clubs/league/setup.html", context, tab="leagues", title=title)


def _outlook(request: HttpRequest, league: League, typed: Typed, season: Season | None) -> Outlook | None:
    """A preview of the form; `None` for a new one that is only looked at, because looking writes nothing."""
    if season is None and (request.method != "POST" or not typed.values["starts_on"]):
        return None
    person = form_actions.person(request)
    return desk.preview_changed(season, person, typed) if season else desk.preview_new(league, person, typed)


# Teams in divisions


@never_cache
@require_http_methods(_FORM)
def places(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """The teams of each division, in the order of the draw."""
    visit, this_season = _draft(request, club, league, season)
    if request.method != "POST":
        return _places(request, visit, this_season)

    def do() -> Act:
        person, teams = form_actions.person(request), desk.read_places(request, this_season)
        return season_setup.place(this_season.pk, person, divisions=teams, **form_actions.how(request, seen=True))

    to = _path(this_season, "season_desk")
    return form_actions.act(request, "divisions", do, lambda refusal: _places(request, visit, this_season, refusal), to)


def _places(request: HttpRequest, visit: Visit, season: Season, refusal: Refusal | None = None) -> HttpResponse:
    divisions = list(Division.objects.filter(season=season).order_by("level"))
    entries = {entry.team_id: entry for entry in SeasonEntry.objects.filter(season=season)}
    lines = []
    for team in league.teams(season.league):
        entry = entries.get(team.pk)
        place = str(entry.division_id) if entry else ""
        order = str(entry.position) if entry else ""
        if refusal is not None:
            place = request.POST.get(f"place_{team.pk}", "")[:9]
            order = request.POST.get(f"order_{team.pk}", "")[:5]
        lines.append((team, place, order))
    levels = {str(division.pk): division.level for division in divisions}
    lines.sort(key=lambda line: (levels.get(line[1], 999), int(line[2]) if line[2].isdecimal() else 9999))
    context = {"league": season.league, "season": season, "divisions": divisions, "lines": lines, "refusal": refusal}
    title = gettext("Teams in divisions, %(season)s") % {"season": season}
    return page_context.page(request, visit, "clubs/league/places.html", context, tab="leagues", title=title)


# Drawing


@never_cache
@require_http_methods(_FORM)
def draw(request: HttpRequest, club: str, league: str, season: str) -> HttpResponse:
    """Preview the draw, draw, or undo the draw."""
    visit = page_context.visit_for(request, club, "leagues")
    this_season = _season(visit, league, season)
    if request.method != "POST":
        if this_season.status != Season.Status.DRAFT:
            return HttpResponseRedirect(_path(this_season, "season_desk"))
        return _draw(request, visit, this_season)
    wish = request.POST.get("act", "")

    def do() -> Act:
        if wish == "undo":
            return season_draw.undo_draw(this_season.pk, form_actions.person(request), **form_actions.how(request))
        if wish == "draw":
            return season_draw.draw(
                this_season.pk, form_actions.person(request), **form_actions.how(request, seen=True)
            )
        raise Refused("no_act", gettext("Choose an action."))

    def to() -> str:
        """The desk of the season; the leagues, if it was undone with the import that made it."""
        is_there = Season.objects.filter(pk=this_season.pk).exists()
        return _path(this_season, "season_desk") if is_there else reverse("clubs:leagues", args=[visit.club.slug])

    return form_actions.act(request, "draw", do, lambda refusal: _draw(request, visit, this_season, refusal), to)


def _season(visit: Visit, slug: str, name: str) -> Season:
    return league.season_of(visit, slug, name)


def _draw(request: HttpRequest, visit: Visit, season: Season, refusal: Refusal | None = None) -> HttpResponse:
    outlook = desk.outlook(season_draw.preview(season)) if season.status == Season.Status.DRAFT else None
    context = {"league": season.league, "season": season, "outlook": outlook, "refusal": refusal}
    title = gettext("Draw %(season)s") % {"season": season}
    return page_context.page(request, visit, "clubs/league/draw.html", context, tab="leagues", title=title)
