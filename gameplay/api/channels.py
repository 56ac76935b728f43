"""API views for a person's own channels. Addresses and secrets do not come out of them, but for a secret just made."""

from typing import Any

from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import needs
from accounts.models import NoticePlace
from accounts.notice_places import services
from accounts.notice_places.page import Page, PlaceRow
from accounts.notice_places.topics import TOPICS
from gameplay.api import channel_serializers as serializers
from gameplay.api.base import described, endpoint, player, read
from gameplay.api.serializers import Nothing
from gameplay.api.tables import answer
from web.channels.known import CHANNELS
from web.errors import Refused

SCOPE = "channels"


class Channels(APIView):
    """The list of channels, and a way to add one."""

    def get_permissions(self) -> list[BasePermission]:
        return [needs(SCOPE)()]

    @described(serializers.Channels, name="channels_list")
    def get(self, request: Request) -> Response:
        """The channels that your notifications go to, and what can be chosen for one."""
        data = {
            "channels": [_channel(row) for row in Page(player(request)).places],
            "topics": [
                {"topic": name, "title": str(topic.title), "example": str(topic.example)}
                for name, topic in TOPICS.items()
            ],
            "kinds": [
                {"kind": name, "title": str(kind.title), "help": str(kind.help)} for name, kind in CHANNELS.items()
            ],
        }
        return answer(request, serializers.Channels, data)

    @described(serializers.ChannelDone, takes=serializers.NewChannel, refusals=(422,), status=201, name="channels_add")
    def post(self, request: Request) -> Response:
        """Send a test to an address, and add it as a channel. If the test fails, nothing is added.

        The same address twice is one channel. Its secret comes only the first time.
        """
        form = read(serializers.NewChannel, request.data)
        try:
            values = {"typed": form["address"], "chosen": form["topics"], "name": form["name"]}
            place, secret = services.add(player(request), **values)
        except Refused as refused:
            if refused.details.get("field") == "typed":
                refused.details["field"] = "address"
            raise
        return _done(request, place, secret, status=201)


@endpoint("POST", SCOPE, serializers.ChannelDone, takes=serializers.ChangeChannel, refusals=(422,))
def change(request: Request, channel: int) -> Response:
    """Change what goes to a channel, or its name. Fields that are left out stay."""
    form = read(serializers.ChangeChannel, request.data)
    place = services.change(player(request), channel, chosen=form.get("topics"), name=form.get("name"))
    return _done(request, place)


@endpoint("POST", SCOPE, serializers.ChannelDone, takes=Nothing, refusals=(422,))
def renew_secret(request: Request, channel: int) -> Response:
    """Give a webhook another secret, at once."""
    read(Nothing, request.data)
    return _done(request, *services.renew_secret(player(request), channel))


@endpoint("POST", SCOPE, serializers.ChannelDone, takes=Nothing, refusals=(422,))
def test(request: Request, channel: int) -> Response:
    """Send a test to a channel."""
    read(Nothing, request.data)
    return _done(request, services.test(player(request), channel))


@endpoint("POST", SCOPE, serializers.ChannelDone, takes=serializers.PauseChannel, refusals=(422,))
def pause(request: Request, channel: int) -> Response:
    """Pause a channel, or resume it with notifications from then on. Twice does no harm."""
    rests = read(serializers.PauseChannel, request.data)["is_paused"]
    return _done(request, services.pause(player(request), channel, rests=rests))


@endpoint("POST", SCOPE, None, takes=Nothing, refusals=(422,), status=204)
def remove(request: Request, channel: int) -> Response:
    """Remove a channel, with its address and its messages. Twice does no harm."""
    read(Nothing, request.data)
    services.remove(player(request), channel)
    return Response(status=204)


def _done(request: Request, place: NoticePlace, secret: str = "", status: int = 200) -> Response:
    data = {"channel": _channel(PlaceRow(place, None)), "secret": secret or None}
    return answer(request, serializers.ChannelDone, data, status=status)


def _channel(row: PlaceRow) -> dict[str, Any]:
    place = row.place
    return {
        "id": place.pk,
        "kind": place.channel,
        **{name: getattr(place, name) for name in ("name", "ending", "topics")},
        "is_paused": bool(place.rest),
        "has_failed": place.rest == NoticePlace.Rest.FAILED,
        "has_secret": row.has_secret,
        "trouble": row.trouble,
    }
