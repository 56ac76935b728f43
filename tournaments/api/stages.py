"""API views for the stages of an event and their rounds: planning, drawing, pairing by hand, point adjustments."""

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
from tournaments.api.base import MayLook, add_row, described, do_act, door, entry_ids, organised, reader
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
    tournament = organised(request, event, "prepare")
    form = read(request_serializers.AddStage, request.data)
    act = partial(
        stage_plans.add_stage, tournament.pk, player(request), plan=plan_of(form), name=form["name"], at=form.get("at")
    )
    return add_row(request, tournament, form, act, lambda stage: _stage_answer(request, stage, status=201))


@door("POST", "events_organise", takes=request_serializers.ChangeStage)
def change(request: Request, event: str, stage: int) -> Response:
    """Change the plan or the name of a stage."""
    stage_ = stage_of(organised(request, event, "prepare"), stage)
    form = read(request_serializers.ChangeStage, request.data)
    plan = Plan.read(stage_.plan_json).but(**form["choices"]) if "choices" in form else None
    act = partial(stage_plans.change_stage_plan, stage_.pk, player(request), plan=plan, name=form.get("name"))
    return do_act(request, stage_.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Acting)
def remove(request: Request, event: str, stage: int) -> Response:
    """Remove a stage that has not started."""
    stage_ = stage_of(organised(request, event, "prepare"), stage)
    form = read(request_serializers.Acting, request.data)
    return do_act(request, stage_.tournament, form, partial(stage_plans.remove_stage, stage_.pk, player(request)))


def _stage_answer(request: Request, stage: Stage, *, status: int = 200) -> Response:
    return answer(request, response_serializers.StageShape, facts.stage(stage, is_organiser=True), status=status)


# Running


@door("POST", "events_organise", takes=request_serializers.Go)
def start_round(request: Request, event: str, stage: int) -> Response:
    """Start the next round, if rounds wait for it. Two organisers at once start only one round."""
    stage_ = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Go, request.data)
    act = _without_reason(stage_decisions.start_round, stage_.pk, form["round"], by=player(request))
    return do_act(request, stage_.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Numbers)
def admit(request: Request, event: str, stage: int) -> Response:
    """Choose the entries that go through to a stage, best first."""
    stage_ = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Numbers, request.data)
    ids = entry_ids(stage_.tournament, form["entries"])
    act = _without_reason(stage_decisions.choose_entries, stage_.pk, ids, by=player(request))
    return do_act(request, stage_.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Tie)
def tie(request: Request, event: str, stage: int) -> Response:
    """Decide a tie at a cut or for first place: by lot, by a deciding deal, shared, or all go through."""
    stage_ = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Tie, request.data)
    ids = entry_ids(stage_.tournament, form["entries"]) if form["entries"] else ()
    act = _without_reason(stage_decisions.decide_tie, stage_.pk, form["by"], ids, by=player(request))
    return do_act(request, stage_.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Acting)
def end(request: Request, event: str, stage: int) -> Response:
    """Close a ladder: its order is final."""
    stage_ = stage_of(organised(request, event, "play"), stage)
    form = read(request_serializers.Acting, request.data)
    act = _without_reason(stage_decisions.end_ladder, stage_.pk, by=player(request))
    return do_act(request, stage_.tournament, form, act)


def _without_reason(act: Any, *args: Any, **options: Any) -> Any:
    """A service that saves no reason, because the act speaks for itself."""

    def do(**how: Any) -> Any:
        how.pop("reason", None)
        return act(*args, **options, **how)

    return do


@door("POST", "events_organise", takes=request_serializers.Acting)
def redraw(request: Request, event: str, stage: int, round: int) -> Response:
    """Redraw a round by current results. Pairings made by hand are dropped."""
    round_ = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Acting, request.data)
    act = partial(redraws.redraw, round_.stage_id, round_.number, by=player(request))
    return do_act(request, round_.stage.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Swap)
def swap(request: Request, event: str, stage: int, round: int) -> Response:
    """Swap two entries in a round, or in the whole draw of a bracket."""
    round_ = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Swap, request.data)
    first, second = entry_ids(round_.stage.tournament, [form["one"], form["other"]])
    act = partial(manual_pairing.swap, round_.pk, player(request), one=first, other=second)
    return do_act(request, round_.stage.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Move)
def move(request: Request, event: str, stage: int, round: int) -> Response:
    """Move an entry to another table of a round, or give it a bye. For tables of three or more entries."""
    round_ = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Move, request.data)
    (entry,) = entry_ids(round_.stage.tournament, [form["entry"]])
    act = partial(manual_pairing.move, round_.pk, player(request), entry=entry, table=form["table"], kind=form["kind"])
    return do_act(request, round_.stage.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Times)
def round_times(request: Request, event: str, stage: int, round: int) -> Response:
    """Set the start and the deadline of a round."""
    round_ = round_of(organised(request, event, "play"), stage, round)
    form = read(request_serializers.Times, request.data)
    times = {"starts_at": form["starts_at"], "deadline_at": form["deadline_at"]}
    act = partial(match_scheduling.set_round_times, round_.pk, player(request), **times)
    return do_act(request, round_.stage.tournament, form, act)


# Point adjustments


class Adjustments(APIView):
    """The list of point adjustments, and adding to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @described(response_serializers.Adjustments, name="events_adjustments_list")
    def get(self, request: Request, event: str, stage: int) -> Response:
        """Point adjustments in a stage, with the reasons."""
        stage_ = stage_of(access.open_event(reader(request), event), stage)
        rows = Adjustment.objects.filter(stage=stage_).select_related("entry")
        return answer(request, response_serializers.Adjustments, {"adjustments": [_adjustment(each) for each in rows]})

    @described(
        response_serializers.AdjustmentShape,
        takes=request_serializers.Adjust,
        status=201,
        name="events_adjustments_create",
    )
    def post(self, request: Request, event: str, stage: int) -> Response:
        """Add a point adjustment for an entry in a stage, with a reason."""
        stage_ = stage_of(organised(request, event, "play"), stage)
        form = read(request_serializers.Adjust, request.data)
        entry = entry_of(stage_.tournament, form["entry"])
        act = partial(point_adjustments.adjust, stage_.pk, player(request), entry_id=entry.pk, points=form["points"])
        shape = partial(answer, request, response_serializers.AdjustmentShape, status=201)
        return add_row(request, stage_.tournament, form, act, lambda adjustment: shape(_adjustment(adjustment)))


def _adjustment(adjustment: Adjustment) -> dict[str, Any]:
    data = {name: getattr(adjustment, name) for name in ("points", "reason", "at")}
    return {**data, "id": adjustment.pk, "entry": adjustment.entry.number, "name": adjustment.entry.name}


@door("POST", "events_organise", takes=request_serializers.Acting)
def remove_adjustment(request: Request, event: str, stage: int, adjustment: int) -> Response:
    """Remove a point adjustment."""
    stage_ = stage_of(organised(request, event, "play"), stage)
    if not Adjustment.objects.filter(stage=stage_, pk=adjustment).exists():
        raise Http404(gettext("Point adjustment not found."))
    form = read(request_serializers.Acting, request.data)
    act = partial(point_adjustments.remove_adjustment, adjustment, player(request))
    return do_act(request, stage_.tournament, form, act)


# Ladders and arenas


@door("POST", "events_enter", takes=request_serializers.Challenge)
def challenge(request: Request, event: str, stage: int) -> Response:
    """On a ladder: challenge an entry above yours."""
    stage_, entry = _stage_and_entry(request, event, stage)
    form = read(request_serializers.Challenge, request.data)
    other = entry_of(stage_.tournament, form["entry"])
    act = partial(arenas.challenge, stage_.pk, entry.pk, other.pk, by=player(request))
    return do_act(request, stage_.tournament, form, act)


@door("POST", "events_enter", takes=request_serializers.Free)
def free(request: Request, event: str, stage: int) -> Response:
    """In an arena: wait for your next table, or take a break. Twice does no harm."""
    stage_, entry = _stage_and_entry(request, event, stage)
    form = read(request_serializers.Free, request.data)
    act = partial(arenas.set_free, stage_.pk, entry.pk, by=player(request), is_free=form["is_free"])
    return do_act(request, stage_.tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.ChallengeFor)
def challenge_for(request: Request, event: str, entry: int) -> Response:
    """On a ladder: challenge another entry for this one, as an organiser, for people without an account."""
    tournament = organised(request, event, "play")
    entry_, form = entry_of(tournament, entry), read(request_serializers.ChallengeFor, request.data)
    stage, other = stage_of(tournament, form["stage"]), entry_of(tournament, form["entry"])
    act = partial(arenas.challenge, stage.pk, entry_.pk, other.pk, by=player(request))
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.FreeFor)
def free_for(request: Request, event: str, entry: int) -> Response:
    """In an arena: set, as an organiser, whether this entry waits for its next table or takes a break."""
    tournament = organised(request, event, "play")
    entry_, form = entry_of(tournament, entry), read(request_serializers.FreeFor, request.data)
    stage = stage_of(tournament, form["stage"])
    act = partial(arenas.set_free, stage.pk, entry_.pk, by=player(request), is_free=form["is_free"])
    return do_act(request, tournament, form, act)


def _stage_and_entry(request: Request, event: str, stage: int) -> tuple[Stage, Entry]:
    """The stage, and the entry that the person acts for. Raises `Http404` or `NotAllowed`."""
    stage_ = stage_of(access.open_event(player(request), event), stage)
    tournament, entry = access.own_entry(player(request), event)
    entry.tournament = tournament
    if not access.acts_for(player(request), entry):
        raise NotAllowed("not_yours", gettext("Only the captain of a team can do that."))
    return stage_, entry
