"""Doors to the stages of an event and their rounds: planning, drawing, pairing by hand, points by decision."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments import access
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import MayLook, done, door, entry_ids, made_row, organised, reader, told
from tournaments.api.plans import plan_of
from tournaments.lookups import entry_of, round_of, stage_of
from tournaments.models import Adjustment, Entry, Stage
from tournaments.plan import Plan
from tournaments.services.matches import match_scheduling, point_adjustments
from tournaments.services.stages import arenas, manual_pairing, redraws, stage_decisions, stage_plans
from web.errors import NotAllowed

# Planning


@door("POST", "events_organise", response_serializers.StageShape, takes=request_serializers.AddStage, status=201)
def add(request: Request, event: str) -> Response:
    """Add a stage, at the end or as number `at`. During preparation, stages can contradict each other."""
    found = organised(request, event, "prepare")
    form = read(request_serializers.AddStage, request.data)
    act = partial(
        stage_plans.add_stage, found.pk, player(request), plan=plan_of(form), name=form["name"], at=form.get("at")
    )
    return made_row(request, found, form, act, lambda row: _stage_answer(request, row, status=201))


@door("POST", "events_organise", takes=request_serializers.ChangeStage)
def change(request: Request, event: str, stage: int) -> Response:
    """Change the plan or the name of a stage."""
    row = stage_of(organised(request, event, "prepare"), stage)
    form = read(request_serializers.ChangeStage, request.data)
    plan = Plan.read(row.plan_json).but(**form["choices"]) if "choices" in form else None
    act = partial(stage_plans.change_stage_plan, row.pk, player(request), plan=plan, name=form.get("name"))
    return done(request, row.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Acting)
def remove(request: Request, event: str, stage: int) -> Response:
    """Remove a stage that has not started."""
    row = stage_of(organised(request, event, "prepare"), stage)
    form = read(request_serializers.Acting, request.data)
    return done(request, row.tournament, form, partial(stage_plans.remove_stage, row.pk, player(request)))


def _stage_answer(request: Request, row: Stage, *, status: int = 200) -> Response:
    return answer(request, response_serializers.StageShape, facts.stage(row, is_organiser=True), status=status)


# Running


@door("POST", "events_organise", takes=request_serializers.Go)
def go(request: Request, event: str, stage: int) -> Response:
    """Start the next round, if rounds wait for it. Two organisers at once start only one round."""
    row = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Go, request.data)
    return done(
        request,
        row.tournament,
        form,
        _without_reason(stage_decisions.give_go, row.pk, form["round"], by=player(request)),
    )


@door("POST", "events_organise", takes=request_serializers.Numbers)
def admit(request: Request, event: str, stage: int) -> Response:
    """Name the entries that go through to a stage, best first."""
    row = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Numbers, request.data)
    ids = entry_ids(row.tournament, form["entries"])
    return done(request, row.tournament, form, _without_reason(stage_decisions.admit, row.pk, ids, by=player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def end(request: Request, event: str, stage: int) -> Response:
    """Close a ladder: its order is final."""
    row = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Acting, request.data)
    return done(request, row.tournament, form, _without_reason(stage_decisions.end_ladder, row.pk, by=player(request)))


def _without_reason(act: Any, *args: Any, **given: Any) -> Any:
    """A service that keeps no reason, since the act speaks for itself."""

    def do(**how: Any) -> Any:
        how.pop("reason", None)
        return act(*args, **given, **how)

    return do


@door("POST", "events_organise", takes=request_serializers.Acting)
def redraw(request: Request, event: str, stage: int, round: int) -> Response:
    """Redraw a round by current results. Pairings made by hand are dropped."""
    row = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Acting, request.data)
    act = partial(redraws.redraw, row.stage_id, row.number, by=player(request))
    return done(request, row.stage.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Swap)
def swap(request: Request, event: str, stage: int, round: int) -> Response:
    """Swap two entries in a round, or in the whole draw of a bracket."""
    row = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Swap, request.data)
    one, other = entry_ids(row.stage.tournament, [form["one"], form["other"]])
    act = partial(manual_pairing.swap, row.pk, player(request), one=one, other=other)
    return done(request, row.stage.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Move)
def move(request: Request, event: str, stage: int, round: int) -> Response:
    """Move an entry to another table of a round, or give it a bye. For tables of three or more entries."""
    row = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Move, request.data)
    (entry,) = entry_ids(row.stage.tournament, [form["entry"]])
    act = partial(manual_pairing.move, row.pk, player(request), entry=entry, table=form["table"], kind=form["kind"])
    return done(request, row.stage.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Times)
def round_times(request: Request, event: str, stage: int, round: int) -> Response:
    """Set the start and the deadline of a round."""
    row = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Times, request.data)
    times = {"starts_at": form["starts_at"], "deadline_at": form["deadline_at"]}
    act = partial(match_scheduling.set_round_times, row.pk, player(request), **times)
    return done(request, row.stage.tournament, form, act)


# Points by decision


class Adjustments(APIView):
    """A list, and a way to add to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @told(response_serializers.Adjustments, name="events_adjustments_list")
    def get(self, request: Request, event: str, stage: int) -> Response:
        """Point adjustments in a stage, with the reasons."""
        row = stage_of(access.open_event(reader(request), event), stage)
        rows = Adjustment.objects.filter(stage=row).select_related("entry")
        return answer(request, response_serializers.Adjustments, {"adjustments": [_adjustment(one) for one in rows]})

    @told(
        response_serializers.AdjustmentShape,
        takes=request_serializers.Adjust,
        status=201,
        name="events_adjustments_create",
    )
    def post(self, request: Request, event: str, stage: int) -> Response:
        """Add a point adjustment for an entry in a stage, with a reason."""
        row = stage_of(organised(request, event, "play"), stage)
        form = read(request_serializers.Adjust, request.data)
        entry = entry_of(row.tournament, form["entry"])
        act = partial(point_adjustments.adjust, row.pk, player(request), entry_id=entry.pk, points=form["points"])
        return made_row(
            request,
            row.tournament,
            form,
            act,
            lambda made: answer(request, response_serializers.AdjustmentShape, _adjustment(made), status=201),
        )


def _adjustment(row: Adjustment) -> dict[str, Any]:
    found = {name: getattr(row, name) for name in ("points", "reason", "at")}
    return {**found, "id": row.pk, "entry": row.entry.number, "name": row.entry.name}


@door("POST", "events_organise", takes=request_serializers.Acting)
def take_back_adjustment(request: Request, event: str, stage: int, adjustment: int) -> Response:
    """Remove a point adjustment."""
    row = stage_of(organised(request, event, "play"), stage)
    if not Adjustment.objects.filter(stage=row, pk=adjustment).exists():
        raise Http404(gettext("Point adjustment not found."))
    form = read(request_serializers.Acting, request.data)
    act = partial(point_adjustments.take_back_adjustment, adjustment, player(request))
    return done(request, row.tournament, form, act)


# Ladders and arenas


@door("POST", "events_enter", takes=request_serializers.Challenge)
def challenge(request: Request, event: str, stage: int) -> Response:
    """On a ladder: challenge an entry above yours."""
    row, own = _own(request, event, stage)
    form = read(request_serializers.Challenge, request.data)
    other = entry_of(row.tournament, form["entry"])
    return done(request, row.tournament, form, partial(arenas.challenge, row.pk, own.pk, other.pk, by=player(request)))


@door("POST", "events_enter", takes=request_serializers.Free)
def free(request: Request, event: str, stage: int) -> Response:
    """In an arena: wait for your next table, or take a break. Twice does no harm."""
    row, own = _own(request, event, stage)
    form = read(request_serializers.Free, request.data)
    act = partial(arenas.free, row.pk, own.pk, by=player(request), is_free=form["is_free"])
    return done(request, row.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.ChallengeFor)
def challenge_for(request: Request, event: str, entry: int) -> Response:
    """On a ladder: challenge another entry for this one, as an organiser, for people without an account."""
    found = organised(request, event, "play")
    own, form = entry_of(found, entry), read(request_serializers.ChallengeFor, request.data)
    row, other = stage_of(found, form["stage"]), entry_of(found, form["entry"])
    return done(request, found, form, partial(arenas.challenge, row.pk, own.pk, other.pk, by=player(request)))


@door("POST", "events_organise", takes=request_serializers.FreeFor)
def free_for(request: Request, event: str, entry: int) -> Response:
    """In an arena: set, as an organiser, whether this entry waits for its next table or takes a break."""
    found = organised(request, event, "play")
    own, form = entry_of(found, entry), read(request_serializers.FreeFor, request.data)
    row = stage_of(found, form["stage"])
    return done(request, found, form, partial(arenas.free, row.pk, own.pk, by=player(request), is_free=form["is_free"]))


def _own(request: Request, event: str, stage: int) -> tuple[Stage, Entry]:
    """The stage, and the entry that the person acts for. Raises `Http404` or `NotAllowed`."""
    row = stage_of(access.open_event(player(request), event), stage)
    found, own = access.own_entry(player(request), event)
    own.tournament = found
    if not access.acts_for(player(request), own):
        raise NotAllowed("not_yours", gettext("Only the captain of a team can do that."))
    return row, own
