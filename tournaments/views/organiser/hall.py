"""The organisers' page of the hall: the link of its screen, a line on it, and the caller's timer."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from tournaments import terms
from tournaments.exports import source
from tournaments.hall import services
from tournaments.hall.screen import timer_words
from tournaments.models import Act, Hall, Round, Tournament
from tournaments.views.organiser import form_actions
from tournaments.views.organiser.form_actions import Refusal, chosen, event_for, person

MINUTES = (5, 10, 15, 45, 60, 90, 120)
"""Times that are offered beside the field."""
_BASE = "events/<slug:event>/organise/hall/"


@require_safe
def hall(request: HttpRequest, event: str) -> HttpResponse:
    """The link of the screen, and the timer."""
    return _show(request, event_for(request, event, "results"), None)


def _show(request: HttpRequest, event: Tournament, refusal: Refusal | None) -> HttpResponse:
    hall_ = Hall.objects.filter(tournament=event).first()
    address = source.full_url(reverse("tournaments:screen", args=[hall_.token])) if hall_ else ""
    context = {
        "hall": hall_,
        "address": address,
        "timer": timer_words(hall_, timezone.now()) if hall_ else "",
        "purposes": Hall.Purpose.choices,
        "minutes": MINUTES,
        "typed_minutes": request.POST.get("minutes", "")
        if refusal and refusal.at == "start"
        else _minutes(event) or "",
    }
    return form_actions.page(request, event, "hall", context, refusal)


def _minutes(event: Tournament) -> int | None:
    """The minutes of the round that is played, or of the next one; `None` if they are not limited."""
    running = Round.objects.filter(stage__tournament=event).exclude(status=Round.Status.CLOSED)
    round_ = running.select_related("stage").order_by("stage__number", "number").first()
    if round_ is None:
        return None
    round_.stage.tournament = event
    return terms.of_round(round_).minutes or None


def _act(do: str, service: Callable[..., Act], read: Callable[[HttpRequest], dict[str, Any]]) -> URLPattern:
    """The address of one act of the page. `read` takes the service's own fields from the form."""

    @require_POST
    def view(request: HttpRequest, event: str) -> HttpResponse:
        tournament = event_for(request, event, "results")

        def act() -> Act:
            return service(tournament.pk, person(request), **read(request), **form_actions.how(request))

        def show(refusal: Refusal | None) -> HttpResponse:
            return _show(request, tournament, refusal)

        to = reverse("tournaments:organise_hall", args=[tournament.slug])
        return form_actions.act(request, tournament, do, act, show, to)

    return path(f"{_BASE}{do}/", view, name=f"organise_hall_{do}")


def _nothing(request: HttpRequest) -> dict[str, Any]:
    return {}


def _note(request: HttpRequest) -> dict[str, Any]:
    return {"text": request.POST.get("text", "")}


def _timer(request: HttpRequest) -> dict[str, Any]:
    minutes = chosen(request, "minutes", gettext("Enter the minutes."))
    return {"minutes": minutes, "purpose": request.POST.get("purpose", Hall.Purpose.ROUND)}


urls = [
    path(_BASE, hall, name="organise_hall"),
    _act("open", services.open_screen, _nothing),
    _act("close", services.close_screen, _nothing),
    _act("note", services.write_note, _note),
    _act("start", services.start_timer, _timer),
    _act("pause", services.pause_timer, _nothing),
    _act("resume", services.resume_timer, _nothing),
    _act("stop", services.stop_timer, _nothing),
]
