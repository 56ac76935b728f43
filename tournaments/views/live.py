"""The live stream of events: their versions, for open pages."""

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from accounts.models import User
from gameplay.views.live import stream
from tournaments import access
from tournaments.live_updates import EVENTS


@require_GET
async def live(request: HttpRequest) -> HttpResponseBase:
    """`?events=<slug>,<slug>`: the version of each event, now and whenever it grows.

    Drafts, and club events that the reader may not see, are left out; if none remains the answer is 404.
    """
    return await stream(request, EVENTS, "events", _find_event, missing=gettext("Event not found."))


def _find_event(player: User | AnonymousUser, slug: str) -> tuple[int, str]:
    event = access.open_event(player, slug)
    return event.pk, event.slug


urls = [path("live/events/", live, name="live")]
