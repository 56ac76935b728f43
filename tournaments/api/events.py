"""Doors to events: finding, making, changing, announcing, starting and cancelling them."""

from __future__ import annotations

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
from tournaments.api.base import MayLook, done, door, how_of, look, made_by, organised, reader, told
from tournaments.api.plans import plan_of, settings_of
from tournaments.event_templates import STARTERS
from tournaments.models import Stage, Tournament
from tournaments.organiser import next_action
from tournaments.public import listing
from tournaments.services.events import lifecycle, organisers
from tournaments.stage_state import load

SETTINGS = frozenset(request_serializers.Settings().fields)

_DOORS = {"end_ladder": "end"}
"""Where a page calls an act otherwise than its door here."""


class Events(APIView):
    """A list, and a way to add to it: two scopes at one address."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs("events_organise")() if self.request.method == "POST" else MayLook()]

    @told(response_serializers.EventPage, asks=request_serializers.WhichEvents, name="events_list")
    def get(self, request: Request) -> Response:
        """Events that are visible to you, newest first. Public events need no token."""
        query = read_query(request_serializers.WhichEvents, request)
        found, limit = _found(reader(request), query), query["limit"]
        if "before" in query:
            found = found.filter(pk__lt=Tournament.objects.filter(slug=query["before"]).values("pk"))
        rows, more = facts.a_page(facts.counted(found).order_by("-pk")[: limit + 1], limit)
        return answer(
            request, response_serializers.EventPage, {"events": [facts.line(row) for row in rows], "more": more}
        )

    @told(response_serializers.WholeEvent, takes=request_serializers.NewEvent, status=201, name="events_create")
    def post(self, request: Request) -> Response:
        """Create an event, from a template or from full settings. Only its organisers see it until it is published."""
        form = read(request_serializers.NewEvent, request.data)
        made = lifecycle.make_event(
            player(request),
            name=form["name"],
            starter=form.get("starter", ""),
            settings=settings_of(form, SETTINGS - {"name"}),
            plans=[(one["name"], plan_of(one)) for one in form.get("stages", [])],
            request_key=how_of(request, made_by(request), form).get("request_key"),
        )
        return facts.event_answer(request, made.pk, status=201)


def _found(user: Player, query: dict[str, Any]) -> QuerySet[Tournament]:
    found = access.listed(user)
    if query["which"] == "mine":
        found = found.filter(pk__in=listing.own_ids(user) if isinstance(user, User) and is_somebody(user) else ())
    if "name" in query:
        found = found.filter(name__icontains=query["name"])
    return found.filter(status=query["status"]) if "status" in query else found


@look(response_serializers.Starters, name="starters_list")
def starters(request: Request) -> Response:
    """The templates that events can start from."""
    rows = [
        {
            "name": name,
            "title": one.title,
            "sentence": one.sentence,
            "entries": one.entries,
            "entry_kind": one.kind,
            "formats": [plan.format for _, plan in one.stages],
        }
        for name, one in STARTERS.items()
    ]
    return answer(request, response_serializers.Starters, {"starters": rows})


@look(response_serializers.WholeEvent, name="events_retrieve")
def event(request: Request, event: str) -> Response:
    """An event: its settings, rules and stages, and your role in it."""
    return facts.event_answer(request, access.open_event(reader(request), event).pk)


@door("GET", "events_read", response_serializers.NextAct, name="events_next_retrieve")
def next_act(request: Request, event: str) -> Response:
    """The next big action of the event, and whether it is possible now. For organisers."""
    found = organised(request, event, "look")
    stages = list(Stage.objects.filter(tournament=found))
    for stage in stages:
        stage.tournament = found
    running = [load(stage, found) for stage in stages if stage.status == Stage.Status.RUNNING]
    dock = next_action.dock(found, running, stages) or next_action.Dock("")
    data = {
        "sentence": f"{dock.head} {dock.rest}".strip(),
        "act": _DOORS.get(dock.act, dock.act) or None,
        "stage": dock.stage.number if dock.stage else None,
        "round": dock.number or None,
        "why_not": dock.why_not,
        "version": found.version,
    }
    return answer(request, response_serializers.NextAct, data)


# Acts


@door("POST", "events_organise", takes=request_serializers.ChangeSettings)
def settings(request: Request, event: str) -> Response:
    """Change settings. Settings fixed by entries or play are refused."""
    found = organised(request, event, "prepare")
    form = read(request_serializers.ChangeSettings, request.data)
    changes = settings_of(form, SETTINGS)
    return done(request, found, form, partial(lifecycle.change_settings, found.pk, player(request), changes=changes))


@door("POST", "events_organise", takes=request_serializers.Acting)
def announce(request: Request, event: str) -> Response:
    """Publish the event and open entries."""
    found = organised(request, event, "prepare")
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(lifecycle.announce, found.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def close(request: Request, event: str) -> Response:
    """Close entries. Nobody can enter themselves from then on."""
    found = organised(request, event, "entries")
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(lifecycle.close_entries, found.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Acting)
def reopen(request: Request, event: str) -> Response:
    """Open entries again."""
    found = organised(request, event, "entries")
    form = read(request_serializers.Acting, request.data)
    return done(request, found, form, partial(lifecycle.reopen_entries, found.pk, player(request)))


@door("POST", "events_organise", takes=request_serializers.Start)
def start(request: Request, event: str) -> Response:
    """Start play. With check-in, absent entries are left out."""
    found = organised(request, event, "play")
    form = read(request_serializers.Start, request.data)
    return done(request, found, form, partial(lifecycle.start, found.pk, player(request), anyway=form["anyway"]))


@door("POST", "events_organise", takes=request_serializers.Reasoned)
def cancel(request: Request, event: str) -> Response:
    """Cancel the event. Everyone in it gets the reason."""
    found = organised(request, event, "cancel")
    form = read(request_serializers.Reasoned, request.data)
    return done(request, found, form, partial(lifecycle.cancel, found.pk, player(request)))


@door("POST", "events_organise", response_serializers.WholeEvent, takes=request_serializers.Copy, status=201)
def copy(request: Request, event: str) -> Response:
    """Create the next edition with the same settings, stages and organisers, without entries."""
    found = organised(request, event, "prepare")
    form = read(request_serializers.Copy, request.data)
    made = lifecycle.copy_event(
        found.pk,
        player(request),
        name=form["name"],
        starts_at=form.get("starts_at"),
        request_key=how_of(request, made_by(request), form).get("request_key"),
    )
    return facts.event_answer(request, made.pk, status=201)


@door("POST", "events_organise", takes=request_serializers.Tell)
def tell(request: Request, event: str) -> Response:
    """Send an announcement to all players with an account."""
    found = organised(request, event, "tell")
    form = read(request_serializers.Tell, request.data)
    return done(request, found, form, partial(organisers.tell_entries, found.pk, player(request), form["text"]))
