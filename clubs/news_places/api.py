"""API views for the places where a club’s news goes. Addresses and secrets do not come out of them."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from clubs import access
from clubs.api import request_serializers, response_serializers
from clubs.api.base import Action, Find, Form, act, done_response, inside_view, post_view
from clubs.models import Act, Club, NewsDelivery, NewsPlace
from clubs.news_places import services, topics
from clubs.news_places.kinds import KINDS
from clubs.news_places.page import LogRow, Page, PlaceRow
from clubs.public.lookups import first_or_404
from clubs.services.history import added_row
from gameplay.api.base import Input, player, read, read_query
from gameplay.api.tables import answer
from tournaments.api.base import action_request
from web.channels.known import CHANNELS
from web.errors import Refused

# Reading


@inside_view("news", response_serializers.NewsPlacesShape, name="clubs_news_places_list")
def all_places(request: Request, club: Club) -> Response:
    """Places outside the site where the club’s news goes, and what can be chosen for one."""
    rows = [PlaceRow(place, None) for place in services.places_of(club)]
    data = {
        "places": [_place(row) for row in rows],
        "kinds": [{"kind": name, "title": str(kind.title), "when": str(kind.when)} for name, kind in KINDS.items()],
        "topics": [{"about": about, "name": name} for _, group in topics.choices(club) for about, name in group],
        "channels": [
            {"channel": name, "title": channel.title, "help": str(channel.help)} for name, channel in CHANNELS.items()
        ],
    }
    return answer(request, response_serializers.NewsPlacesShape, data)


def _place(row: PlaceRow) -> dict[str, Any]:
    place = row.place
    return {
        **{name: getattr(place, name) for name in ("name", "channel", "ending", "language")},
        "id": place.pk,
        "kinds": list(place.since),
        "about": row.topic,
        "is_paused": bool(place.rest),
        "has_failed": place.rest == NewsPlace.Rest.FAILED,
        "has_secret": row.has_secret,
    }


@inside_view(
    "news",
    response_serializers.NewsDeliveries,
    asks=request_serializers.WhichDeliveries,
    name="clubs_news_deliveries_list",
)
def deliveries(request: Request, club: Club) -> Response:
    """Messages to the club’s places, newest first, of the last 60 days."""
    query = read_query(request_serializers.WhichDeliveries, request)
    rows = NewsDelivery.objects.filter(place__club=club, place__removed_at=None)
    if "place" in query:
        rows = rows.filter(place=place_of(club, query["place"]))
    if "before" in query:
        rows = rows.filter(pk__lt=query["before"])
    limit = query["limit"]
    some = list(rows.select_related("event", "meeting")[: limit + 1])
    data = {"deliveries": [_delivery(LogRow(row)) for row in some[:limit]], "more": len(some) > limit}
    return answer(request, response_serializers.NewsDeliveries, data)


def _delivery(row: LogRow) -> dict[str, Any]:
    names = ("kind", "status", "attempts", "created_at", "due_at", "sent_at")
    values = {name: getattr(row.delivery, name) for name in names}
    return {**values, "id": row.delivery.pk, "place": row.delivery.place_id, "title": row.title, "trouble": row.trouble}


@inside_view(
    "news", response_serializers.NewsText, asks=request_serializers.WhichNewsText, name="clubs_news_text_retrieve"
)
def text(request: Request, club: Club) -> Response:
    """The club’s last news of a kind as it is sent, to share by hand in WhatsApp or Signal."""
    kind = read_query(request_serializers.WhichNewsText, request)["kind"]
    page = Page(club, kind)
    picture = settings.SITE_URL + page.picture if page.picture else ""
    data = {"kind": kind, "text": page.text, "whatsapp": page.whatsapp, "picture": picture}
    return answer(request, response_serializers.NewsText, data)


def place_of(club: Club, place: int) -> NewsPlace:
    """A place of the club. Raises `Http404`."""
    rows = NewsPlace.objects.filter(club=club, pk=place, removed_at=None).select_related("club")
    return first_or_404(rows, gettext("Place not found."))


def delivery_of(club: Club, delivery: int) -> NewsDelivery:
    """A message to a place of the club. Raises `Http404`."""
    rows = NewsDelivery.objects.filter(place__club=club, place__removed_at=None, pk=delivery)
    return first_or_404(rows, gettext("Message not found."))


# Acts that send a test or make a secret


def _secret_act(takes: type[Input], *, find: Find | None = None, **options: Any) -> Callable[[Any], Any]:
    """Declare a view that does an act and returns the secret that it made. It is not within a transaction, because it
    waits for the other side, and has no preview."""

    def wrap(do: Callable[[Action, Form], tuple[Act, str]]) -> Any:
        def view(request: Request, club: str, **where: Any) -> Response:
            by = player(request)
            this_club = access.club_for(by, club, "news")
            row, form = find(this_club, **where) if find else None, read(takes, request.data)
            how = action_request(request, Act.objects.filter(club=this_club), form)
            done, secret = do(Action(by, this_club, row, how), form)
            created = None if find else added_row(done, NewsPlace)
            response = done_response(this_club, done.sentence, act=done.pk, created=created)
            return Response({**response.data, "secret": secret or None})

        view.__doc__ = do.__doc__
        return post_view("clubs_run", response_serializers.PlaceDone, takes=takes, **options)(view)

    return wrap


@_secret_act(
    request_serializers.NewPlace,
    example={"address": "https://ntfy.sh/harbour-9xk2", "kinds": ["standings", "champion"], "key": "ntfy"},
)
def add(action: Action, form: Form) -> tuple[Act, str]:
    """Send a test to an address, and add it as a place. If the test fails, nothing is added."""
    values = {name: form[name] for name in ("name", "kinds", "about")}
    try:
        return services.add(action.club.pk, action.by, typed=form["address"], **values, **action.how)
    except Refused as refused:
        if refused.details.get("field") == "typed":
            refused.details["field"] = "address"
        raise


@_secret_act(request_serializers.PlaceAddress, find=place_of, example={"address": "https://ntfy.sh/harbour-7pw3"})
def change_address(action: Action, form: Form) -> tuple[Act, str]:
    """Send a test to another address, and the place’s news there from now on."""
    return services.change_address(action.row.pk, action.by, typed=form["address"], **action.how)


@_secret_act(request_serializers.ClubKeyed, find=place_of)
def renew_secret(action: Action, form: Form) -> tuple[Act, str]:
    """Give a webhook another secret."""
    return services.renew_secret(action.row.pk, action.by, **action.how)


@post_view("clubs_run", takes=request_serializers.ClubKeyed)
def test(request: Request, club: str, place: int) -> Response:
    """Send a test to a place. Nothing is stored."""
    by = player(request)
    this_club = access.club_for(by, club, "news")
    row = place_of(this_club, place)
    read(request_serializers.ClubKeyed, request.data)
    return done_response(this_club, services.test(row, by))


# Other acts


@act("news", request_serializers.ChangePlace, find=place_of, example={"name": "Our chat", "kinds": ["standings"]})
def change(action: Action, form: Form) -> Act:
    """Change what goes to a place, and its name."""
    values = {"name": form["name"], "kinds": form["kinds"], "about": form.get("about")}
    return services.change(action.row.pk, action.by, **values, **action.how)


@act("news", request_serializers.PausePlace, find=place_of)
def pause(action: Action, form: Form) -> Act:
    """Pause a place, or resume it with news from then on."""
    return services.pause(action.row.pk, action.by, rests=form["is_paused"], **action.how)


@act("news", find=place_of)
def remove(action: Action, form: Form) -> Act:
    """Remove a place."""
    return services.remove(action.row.pk, action.by, **action.how)


@act("news", find=delivery_of)
def send_again(action: Action, form: Form) -> Act:
    """Send a message again that was sent or failed."""
    return services.send_again(action.row.pk, action.by, **action.how)
