"""Ticks of people here that a browser has not saved yet, in its session: by event, and by entry (ids)."""

from collections.abc import Mapping

from django.http import HttpRequest

_KEY = "tonight_ticks"
Ticks = Mapping[int, Mapping[int, bool]]


def of(request: HttpRequest) -> Ticks:
    """Whether entries are here that the browser has other than they are saved."""
    stored = request.session.get(_KEY, {})
    return {int(event): {int(pk): is_here for pk, is_here in ticks.items()} for event, ticks in stored.items()}


def keep(request: HttpRequest, event_id: int, ticks: Mapping[int, bool]) -> None:
    """Keep the ticks of an event in place of the earlier ones."""
    stored = {event: each for event, each in request.session.get(_KEY, {}).items() if event != str(event_id)}
    ticked = {str(event_id): {str(pk): is_here for pk, is_here in ticks.items()}} if ticks else {}
    request.session[_KEY] = stored | ticked


def forget(request: HttpRequest, event_id: int) -> None:
    """Forget the ticks of an event: they are saved."""
    if str(event_id) in request.session.get(_KEY, {}):
        keep(request, event_id, {})
