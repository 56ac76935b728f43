"""API views for the hall of an event: the link of its screen, and the caller’s timer."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.api.base import player, read
from gameplay.api.tables import answer
from tournaments.api import request_serializers, response_serializers
from tournaments.api.base import do_act, door, organised
from tournaments.exports import source
from tournaments.hall import services
from tournaments.models import Act, Hall

Service = Callable[..., Act]


@door("GET", "events_organise", response_serializers.HallScreen, name="events_hall_retrieve")
def hall(request: Request, event: str) -> Response:
    """The hall screen with its secret address, and the timer. `screen` is null without a screen."""
    tournament = organised(request, event, "results")
    row = Hall.objects.filter(tournament=tournament).first()
    data = {
        "screen": source.full_url(reverse("tournaments:screen", args=[row.token])) if row else None,
        "note": row.note if row else "",
        "purpose": row.purpose if row else None,
        "ends_at": row.ends_at if row else None,
        "seconds_left": row.seconds_left if row else None,
    }
    return answer(request, response_serializers.HallScreen, data)


def _plain(service: Service) -> Any:
    def view(request: Request, event: str) -> Response:
        tournament = organised(request, event, "results")
        form = read(request_serializers.Acting, request.data)
        return do_act(request, tournament, form, partial(service, tournament.pk, player(request)))

    view.__doc__ = service.__doc__
    return door("POST", "events_organise", takes=request_serializers.Acting)(view)


open_screen = _plain(services.open_screen)
close_screen = _plain(services.close_screen)
pause_timer = _plain(services.pause_timer)
resume_timer = _plain(services.resume_timer)
stop_timer = _plain(services.stop_timer)


@door("POST", "events_organise", takes=request_serializers.HallNote)
def note(request: Request, event: str) -> Response:
    """Put a line at the foot of the screen; an empty text removes it."""
    tournament = organised(request, event, "results")
    form = read(request_serializers.HallNote, request.data)
    act = partial(services.write_note, tournament.pk, player(request), text=form["text"])
    return do_act(request, tournament, form, act)


@door("POST", "events_organise", takes=request_serializers.StartTimer)
def start_timer(request: Request, event: str) -> Response:
    """Start the timer anew, for the round or for the break before the next one."""
    tournament = organised(request, event, "results")
    form = read(request_serializers.StartTimer, request.data)
    act = partial(
        services.start_timer, tournament.pk, player(request), minutes=form["minutes"], purpose=form["purpose"]
    )
    return do_act(request, tournament, form, act)
