"""The page of a stage: its bracket, its levels of tables or its standings, and its crosstable."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.plan import Plan
from tournaments.public import bracket, corrections, crosstable, format_text, levels, overview, progress, standings
from tournaments.public.names import entrants_of
from tournaments.stage_state import load
from tournaments.views.event import Seen, page, seen
from web.fragment_cache import Make

_TITLES = {
    "bracket": gettext_noop("Bracket"),
    "levels": gettext_noop("Rounds"),
    "standings": gettext_noop("Standings"),
}


@require_safe
def stage(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The bracket or the standings of a stage."""
    about = seen(request, event)
    row, following = about.stage(stage)
    name, make, timed = stage_part(about, row, following)
    return page(
        request,
        about,
        name,
        make,
        title=row.name if len(about.stages) > 1 else gettext(_TITLES[name]),
        timed=timed,
        key=str(row.number),
        tab=f"stage-{row.number}",
        template="tournaments/event/stage.html",
        context={"stage": row, "paper": name, "has_crosstable": crosstable.has_crosstable(Plan.read(row.plan_json))},
    )


def stage_part(about: Seen, row: Stage, following: Stage | None) -> tuple[str, Make, bool]:
    """The part that shows a stage: its name, what fills it, and whether it shows times."""
    plan = Plan.read(row.plan_json)
    if plan.is_bracket:
        return "bracket", lambda: _bracket(about, row), True
    if plan.format == "pod_knockout":
        return "levels", lambda: _levels(about, row), True
    return "standings", lambda: _standings(about, row, following), False


def _bracket(about: Seen, row: Stage) -> dict[str, Any]:
    state = load(row, about.event)
    entrants, changed = entrants_of(state, about.links), corrections.corrected(row)
    if not state.rounds:
        return {"stage": row, "state": state, "entrants": list(entrants.values())}
    drawn = bracket.drawn(state, entrants, about.links, live=about.live, corrected=changed)
    told = corrections.told(row, changed, entrants)
    return {
        "stage": row,
        "state": state,
        "drawn": drawn,
        "corrections": told,
        "live": overview.being_played(about.event, about.links, about.live),
    }


def _levels(about: Seen, row: Stage) -> dict[str, Any]:
    state = load(row, about.event)
    entrants, changed = entrants_of(state, about.links), corrections.corrected(row)
    if not state.rounds:
        return {"stage": row, "state": state, "entrants": list(entrants.values())}
    return {
        "stage": row,
        "state": state,
        "levels": levels.levels(state, entrants, about.links, live=about.live, corrected=changed),
        "corrections": corrections.told(row, changed, entrants),
        "places": bracket.places(state, entrants),
    }


def _standings(about: Seen, row: Stage, following: Stage | None) -> dict[str, Any]:
    state = load(row, about.event)
    (words,) = format_text.stages([row])
    return {
        "stage": row,
        "state": state,
        "tables": standings.tables(state, entrants_of(state, about.links), following),
        "progress": progress.words(state),
        "decided": words,
        "cut": format_text.cut_sentence(row, following),
        "has_crosstable": bool(state.rounds) and crosstable.has_crosstable(state.plan),
        "url": about.links.stage(row.number),
    }


@require_safe
def crosstable_of(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """Everybody against everybody, or round by round."""
    about = seen(request, event)
    row, _ = about.stage(stage)
    if not crosstable.has_crosstable(Plan.read(row.plan_json)):
        raise Http404("This stage has no crosstable.")

    def make() -> dict[str, Any]:
        state = load(row, about.event)
        tables = crosstable.crosstables(state, entrants_of(state, about.links), about.links)
        return {"stage": row, "tables": tables, "progress": progress.words(state), "url": about.links.stage(row.number)}

    return page(
        request,
        about,
        "crosstable",
        make,
        title=gettext("Crosstable"),
        key=str(stage),
        tab=f"stage-{row.number}",
        context={"stage": row, "paper": "crosstable"},
        template="tournaments/event/stage.html",
    )
