"""API views for events: finding, creating, changing, publishing, starting and cancelling them."""

from functools import partial
from typing import Any

from django.db.models import QuerySet
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import User
from gameplay.access import is_somebody
from gameplay.api.base import player, read, read_query
from gameplay.api.tables import answer
from tournaments import access
from tournaments.access import Player
from tournaments.api import facts, request_serializers, response_serializers
from tournaments.api.base import MayLook, creation_key, described, do_act, door, organised, read_view, reader
from tournaments.api.plans import plan_of, settings_of
from tournaments.event_templates import STARTERS
from tournaments.models import Stage, Tournament
from tournaments.organiser import next_action
from tournaments.public import listing
from tournaments.services.events import lifecycle, organisers
from tournaments.stage_state import load

SETTINGS = frozenset(request_serializers.Settings().fields)

_DOORS = {"end_ladder": "end"}
"""Acts whose name on the pages is not the one in the API."""


class Events(APIView):
    """The list of events, and adding to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @described(response_serializers.EventPage, asks=request_serializers.WhichEvents, name="events_list")
    def get(self, request: Request) -> Response:
        """Events that are visible to you, newest first. Public events need no token."""
        query = read_query(request_serializers.WhichEvents, request)
        events, limit = _filtered(reader(request), query), query["limit"]
        if "before" in query:
            events = events.filter(pk__lt=Tournament.objects.filter(slug=query["before"]).values("pk"))
        rows, more = facts.a_page(facts.with_counts(events).order_by("-pk")[: limit + 1], limit)
        return answer(
            request, response_serializers.EventPage, {"events": [facts.line(event) for event in rows], "more": more}
        )

    @described(response_serializers.WholeEvent, takes=request_serializers.NewEvent, status=201, name="events_create")
    def post(self, request: Request) -> Response:
        """Create an event, from a template or from full settings. Only its organisers see it until it is published."""
        form = read(request_serializers.NewEvent, request.data)
        event = lifecycle.make_event(
            player(request),
            name=form["name"],
            starter=form.get("starter", ""),
            settings=settings_of(form, SETTINGS - {"name"}),
            plans=[(stage["name"], plan_of(stage)) for stage in form.get("stages", [])],
            request_key=creation_key(request, form),
        )
        return facts.event_answer(request, event.pk, status=201)


def _filtered(user: Player, query: dict[str, Any]) -> QuerySet[Tournament]:
    events = access.list_events(user)
    if query["which"] == "mine":
        events = events.filter(pk__in=listing.own_ids(user) if isinstance(user, User) and is_somebody(user) else ())
    if "name" in query:
        events = events.filter(name__icontains=query["name"])
    return events.filter(status=query["status"]) if "status" in query else events


@read_view(response_serializers.Starters, name="starters_list")
def starters(request: Request) -> Response:
    """The templates that events can start from."""
    rows = [
        {
            "name": name,
            "title": starter.title,
            "sentence": starter.sentence,
            "entries": starter.entries,
            "entry_kind": starter.kind,
            "formats": [plan.format for _, plan in starter.stages],
        }
        for name, starter in STARTERS.items()
    ]
    return answer(request, response_serializers.Starters, {"starters": rows})


@read_view(response_serializers.WholeEvent, name="events_retrieve")
def event(request: Request, event: str) -> Response:
    """An event: its settings, rules and stages, and your role in it."""
    return facts.event_answer(request, access.open_event(reader(request), event).pk)


@door("GET", "events_read", response_serializers.NextAct, name="events_next_retrieve")
def next_act(request: Request, event: str) -> Response:
    """The next big action of the event, and whether it is possible now. For organisers."""
    tournament = organised(request, event, "look")
    stages = list(Stage.objects.filter(tournament=tournament))
    for stage in stages:
        stage.tournament = tournament
    running = [load(stage, tournament) for stage in stages if stage.status == Stage.Status.RUNNING]
    dock = next_action.dock(tournament, running, stages) or next_action.Dock("")
    data = {
        "sentence": f"{dock.head} {dock.rest}".strip(),
        "act": _DOORS.get(dock.act, dock.act) or None,
        "stage": dock.stage.number if dock.stage else None,
        "round": dock.number or None,
        "why_not": dock.why_not,
        "version": tournament.version,
    }
    return answer(request, response_serializers.NextAct, data)


# Acts


@door("POST", "events_organise", takes=request_serializers.ChangeSettings)
def settings(request: Request, event: str) -> Response:
    """Change settings. Settings fixed by entries or play are refused."""
    tournament = organised(request, event, "prepare")
    form = read(request_serializers.ChangeSettings, request.data)
    changes = settings_of(form, SETTINGS)
    act = partial(lifecycle.change_settings, tournament.pk, player(request), changes=changes)
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Acting)
def publish(request: Request, event: str) -> Response:
    """Publish the event and open entries."""
    tournament = organised(request, event, "prepare")
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(lifecycle.publish, tournament.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def close(request: Request, event: str) -> Response:
    """Close entries. Players can no longer enter."""
    tournament = organised(request, event, "entries")
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(lifecycle.close_entries, tournament.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def reopen(request: Request, event: str) -> Response:
    """Open entries again."""
    tournament = organised(request, event, "entries")
    form = read(request_serializers.Acting, request.data)
    return do_act(request, tournament, form, partial(lifecycle.reopen_entries, tournament.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Start)
def start(request: Request, event: str) -> Response:
    """Start play. With check-in, absent entries are left out."""
    tournament = organised(request, event, "play")
    form = read(request_serializers.Start, request.data)
    act = partial(lifecycle.start, tournament.pk, player(request), anyway=form["anyway"])
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.Reasoned)
def cancel(request: Request, event: str) -> Response:
    """Cancel the event. Everyone in it gets the reason."""
    tournament = organised(request, event, "cancel")
    form = read(request_serializers.Reasoned, request.data)
    return do_act(request, tournament, form, partial(lifecycle.cancel, tournament.pk, player(request)))


@door("POST", "events_organise", response_serializers.WholeEvent, takes=request_serializers.Copy, status=201)
def copy(request: Request, event: str) -> Response:
    """Create the next edition with the same settings, stages and organisers, without entries."""
    tournament = organised(request, event, "prepare")
    form = read(request_serializers.Copy, request.data)
    edition = lifecycle.copy_event(
        tournament.pk,
        player(request),
        name=form["name"],
        starts_at=form.get("starts_at"),
        request_key=creation_key(request, form),
    )
    return facts.event_answer(request, edition.pk, status=201)


@door("POST", "events_organise", takes=request_serializers.Tell)
def send_announcement(request: Request, event: str) -> Response:
    """Send an announcement to all players with an account."""
    tournament = organised(request, event, "tell")
    form = read(request_serializers.Tell, request.data)
    act = partial(organisers.tell_entries, tournament.pk, player(request), form["text"])
    return do_act(request, tournament, form, act)
