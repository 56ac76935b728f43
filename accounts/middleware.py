"""The player of a request, `request.player`, and the time zone and language of the answer.

`request.player` is the person signed in, else the guest of this session, else nobody.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.functional import SimpleLazyObject

from accounts import budgets, guests, heavy_addresses, senders, time_zones
from accounts.addresses import address_of
from accounts.models import User
from accounts.services import known_clients
from web import js_catalog
from web.clocks import read_in
from web.error_pages import refusal
from web.errors import TooMuch

REFUSED = frozenset({400, 403, 409, 422, 429})
"""The status of pages and answers that refuse."""
UNCOUNTED = frozenset({"/healthz", "/readyz", "/metrics"})
"""Addresses that monitors ask for; static files are answered before."""


def address(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Let budgets count what the request does for its network address, and say 429 if one had no room.

    A page that shows such a refusal need not know: only a part for htmx keeps its status, by which it is shown.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        with budgets.asked_from(address_of(request)), budgets.collect_refusals() as refusals:
            response = get_response(request)
            if refusals and response.status_code in REFUSED:
                response.headers["Retry-After"] = str(refusals[-1].retry_after)
                if "HX-Request" not in request.headers:
                    response.status_code = refusals[-1].status
            return response

    return middleware


def player(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Set `request.player`, count the request, and answer in that person's zone and language."""

    def middleware(request: HttpRequest) -> HttpResponse:
        request.player = SimpleLazyObject(lambda: guests.player_of(request))  # type: ignore[attr-defined]
        if request.path.startswith(js_catalog.ROOT):
            return get_response(request)
        person = _person(request)
        if person is not None:
            senders.remember(request, person)
        with read_in(time_zones.zone_of(request, person)), translation.override(_language(request, person)):
            response = _count(request, person) or get_response(request)
        known_clients.add_cookie(request, response)
        # Pages without sign-in follow the languages of the browser.
        patch_vary_headers(response, ["Accept-Language", "Cookie"])
        return response

    return middleware


class Heavy:
    """Counts requests whose answers take much work, once their address is resolved; refuses one too many."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *view: object) -> HttpResponse | None:
        """Count a page, or a request with a session; whoever has a token is counted with it, after sign-in."""
        if not heavy_addresses.is_heavy(request):
            return None
        return _refused(request, budgets.HEAVY, _person(request))


def _count(request: HttpRequest, person: User | None) -> HttpResponse | None:
    """Count a request; the refusal if it is one too many. Whoever has a token is counted with it, after sign-in."""
    return None if request.path in UNCOUNTED else _refused(request, budgets.REQUESTS, person)


def _refused(request: HttpRequest, budget: budgets.Budget, person: User | None) -> HttpResponse | None:
    try:
        budgets.spend(budget, person)
    except TooMuch as error:
        return refusal(request, error)
    return None


def _person(request: HttpRequest) -> User | None:
    """The player, without a query if no session could name one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return None
    player = request.player  # type: ignore[attr-defined]
    return player if player.pk is not None else None


def _language(request: HttpRequest, person: User | None) -> str:
    languages = dict(settings.LANGUAGES)
    if person is not None and not person.is_guest and person.language in languages:
        return person.language
    return translation.get_language_from_request(request)
