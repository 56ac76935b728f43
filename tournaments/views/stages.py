"""The page of a stage: its bracket, its levels of tables or its standings, and its crosstable."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.plan import Plan
from tournaments.public import (
    bracket,
    corrections,
    crosstable,
    format_text,
    levels,
    overview,
    progress,
    standings,
    tie_text,
)
from tournaments.public.names import entrants_of
from tournaments.rules_text import stage_sentences
from tournaments.stage_state import load
from tournaments.views.event import PageContext, page, page_context
from web.fragment_cache import Make

_TITLES = {"bracket": gettext_noop("Bracket"), "levels": gettext_noop("Rounds"), "standings": gettext_noop("Standings")}


@require_safe
def stage(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The bracket or the standings of a stage."""
    about = page_context(request, event)
    stage_, following = about.stage(stage)
    name, make, timed = stage_part(about, stage_, following)
    has_crosstable = crosstable.has_crosstable(Plan.read(stage_.plan_json))
    return page(
        request,
        about,
        name,
        make,
        title=stage_.name if len(about.stages) > 1 else gettext(_TITLES[name]),
        timed=timed,
        key=str(stage_.number),
        tab=f"stage-{stage_.number}",
        template="tournaments/event/stage.html",
        context={"stage": stage_, "paper": name, "has_crosstable": has_crosstable, "terms": terms_text(about, stage_)},
    )


def terms_text(about: PageContext, stage: Stage) -> str:
    """What a stage and its last round play differently from the event, in a line."""
    stage.tournament = about.event
    return " ".join(stage_sentences(stage, Plan.read(stage.plan_json)))


def stage_part(about: PageContext, stage: Stage, following: Stage | None) -> tuple[str, Make, bool]:
    """The part that shows a stage: its name, its content, and whether it shows times."""
    plan = Plan.read(stage.plan_json)
    if plan.is_bracket:
        return "bracket", lambda: _bracket(about, stage, following), True
    if plan.format == "pod_knockout":
        return "levels", lambda: _levels(about, stage, following), True
    return "standings", lambda: _standings(about, stage, following), False


def _bracket(about: PageContext, stage: Stage, following: Stage | None) -> dict[str, Any]:
    state = load(stage, about.event)
    entrants, changed = entrants_of(state, about.links), corrections.corrected(stage)
    if not state.rounds:
        return {"stage": stage, "state": state, "entrants": list(entrants.values())}
    drawn = bracket.drawn(state, entrants, about.links, live=about.live, corrected=changed)
    return {
        "stage": stage,
        "state": state,
        "drawn": drawn,
        "corrections": corrections.latest(stage, changed, entrants),
        "live": overview.being_played(about.event, about.links, about.live),
        "ties": tie_text.tie_text(state, following),
    }


def _levels(about: PageContext, stage: Stage, following: Stage | None) -> dict[str, Any]:
    state = load(stage, about.event)
    entrants, changed = entrants_of(state, about.links), corrections.corrected(stage)
    if not state.rounds:
        return {"stage": stage, "state": state, "entrants": list(entrants.values())}
    return {
        "stage": stage,
        "state": state,
        "levels": levels.levels(state, entrants, about.links, live=about.live, corrected=changed),
        "corrections": corrections.latest(stage, changed, entrants),
        "places": bracket.places(state, entrants),
        "ties": tie_text.tie_text(state, following),
    }


def _standings(about: PageContext, stage: Stage, following: Stage | None) -> dict[str, Any]:
    state = load(stage, about.event)
    (words,) = format_text.stages([stage])
    tables = standings.tables(state, entrants_of(state, about.links), following)
    return {
        "stage": stage,
        "state": state,
        "tables": tables,
        "has_ranges": any(table.has_ranges for table in tables),
        "progress": progress.words(state),
        "decided": words,
        "cut": format_text.cut_sentence(stage, following),
        "has_crosstable": bool(state.rounds) and crosstable.has_crosstable(state.plan),
        "url": about.links.stage(stage.number),
        "ties": tie_text.tie_text(state, following),
    }


@require_safe
def crosstable_of(request: HttpRequest, event: str, stage: int) -> HttpResponse:
    """The crosstable, by opponent or round by round."""
    about = page_context(request, event)
    stage_, _ = about.stage(stage)
    if not crosstable.has_crosstable(Plan.read(stage_.plan_json)):
        raise Http404("This stage has no crosstable.")

    def make() -> dict[str, Any]:
        state = load(stage_, about.event)
        tables = crosstable.crosstables(state, entrants_of(state, about.links), about.links)
        url = about.links.stage(stage_.number)
        return {"stage": stage_, "tables": tables, "progress": progress.words(state), "url": url}

    return page(
        request,
        about,
        "crosstable",
        make,
        title=gettext("Crosstable"),
        key=str(stage),
        tab=f"stage-{stage_.number}",
        context={"stage": stage_, "paper": "crosstable"},
        template="tournaments/event/stage.html",
    )
