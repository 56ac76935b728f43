"""API views for forecasts: the schedule of an event with so many entries."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from engine.play.rules import Rules
from gameplay.api.base import engine_words, read, read_query
from gameplay.api.tables import answer
from tournaments import plan_checks
from tournaments.api import request_serializers, response_serializers
from tournaments.api.base import door, organised
from tournaments.api.plans import plan_of, settings_of
from tournaments.event_templates import STARTERS
from tournaments.forecast import Course, Pace, forecast, in_all
from tournaments.models import Stage, Tournament
from tournaments.plan import Plan
from tournaments.services.events import event_settings
from web.errors import Refused

NAMES = frozenset({"entry_kind", "side_size", "ruleset", "options", "length"})
"""The settings of an event on which its schedule depends."""


@door("POST", "events_organise", response_serializers.Forecast, takes=request_serializers.NewForecast)
def of_new_event(request: Request) -> Response:
    """Forecast a planned event: its rounds, tables, byes and time. Nothing is saved."""
    form = read(request_serializers.NewForecast, request.data)
    starter = STARTERS.get(form.get("starter", ""))
    values = {"rules": Rules.make("standard"), **(starter.settings if starter else {}), **settings_of(form, NAMES)}
    if "entry_kind" in form and "side_size" not in form:
        values["side_size"] = event_settings.SIDES[form["entry_kind"]][0]
    event = Tournament(**event_settings.read(values))
    plans = [(stage["name"], plan_of(stage)) for stage in form.get("stages", [])] or (starter.stages if starter else ())
    return _answer(request, event, plans, form["entries"], form)


@door(
    "GET",
    "events_read",
    response_serializers.Forecast,
    asks=request_serializers.WhichForecast,
    name="events_forecast_retrieve",
)
def of_event(request: Request, event: str) -> Response:
    """Forecast the event for a number of entries, with its planned stages. For organisers."""
    tournament = organised(request, event, "look")
    query = read_query(request_serializers.WhichForecast, request)
    rows = Stage.objects.filter(tournament=tournament)
    plans = [(stage.name, Plan.read(stage.plan_json)) for stage in rows]
    return _answer(request, tournament, plans, query["entries"], query)


def _answer(
    request: Request, event: Tournament, plans: Sequence[tuple[str, Plan]], entries: int, pace: Mapping[str, Any]
) -> Response:
    if wrong := plan_checks.plan_problems(event, [plan for _, plan in plans], entries):
        raise Refused("cannot_work", " ".join(wrong))
    with engine_words():
        pairs = [(name or plan.title, plan) for name, plan in plans]
        factors = Pace(event.rules, pace["minutes"], pace["tables"])
        courses = forecast(pairs, entries, factors, has_matchdays=event.has_matchdays)
    stages = [_course(plan, course) for (_, plan), course in zip(plans, courses, strict=True)]
    data = {"entries": entries, "stages": stages, "minutes": _minutes(in_all(courses))}
    return answer(request, response_serializers.Forecast, data)


def _course(plan: Plan, course: Course) -> dict[str, Any]:
    rounds = [
        {
            "name": session.name,
            "tables": session.sizes,
            "byes": session.byes,
            "through": session.through,
            "is_certain": session.is_certain,
        }
        for session in course.sessions
    ]
    names = ("entries", "turns", "at_once", "matches", "byes")
    return {
        **{name: getattr(course, name) for name in names},
        "name": course.title,
        "format": plan.format,
        "rounds": rounds,
        "minutes": _minutes(course.length),
        "sentence": course.words,
    }


def _minutes(length: timedelta | None) -> int | None:
    return None if length is None else int(length.total_seconds()) // 60
