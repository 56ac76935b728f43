"""The page of a deal's review, and asking for it to be worked out."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.queries import player_of
from gameplay.access import own_seat
from gameplay.reviews import services
from gameplay.reviews.display import build_review, open_deals
from gameplay.views.history import page
from gameplay.views.visits import Visit, visit
from web.errors import Refused


@require_safe
@never_cache
def review(request: HttpRequest, slug: str) -> HttpResponse:
    """The review of deal `deal`, by default the last one that is over."""
    return _page(request, visit(request, slug), request.GET.get("deal", ""))


@require_POST
@never_cache
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Have the review of deal `deal` worked out, and show its page."""
    text = request.POST.get("deal", "")
    try:
        table, _ = own_seat(player_of(request), slug)
        services.ask_review(table.pk, player_of(request), deal=_whole_number(text))  # type: ignore[arg-type]
    except Refused as refused:
        return _page(request, visit(request, slug), text, refused)
    return redirect(f"{reverse('gameplay:review', args=[slug])}?deal={_whole_number(text)}")


def _page(request: HttpRequest, visited: Visit, text: str, refused: Refused | None = None) -> HttpResponse:
    deals = open_deals(visited.table)
    number = _whole_number(text)
    deal = next((deal for deal in deals if deal.number == number), deals[-1] if deals else None)
    built = None if deal is None else build_review(visited.table, visited.seats, visited.number, deal)
    context = {"deals": deals, "deal": deal, "review": built, "refusal": refused.sentence if refused else ""}
    response = page(request, "review", visited, context, status=refused.status if refused else 200)
    for name, value in (refused.headers if refused else {}).items():
        response[name] = value
    return response


def _whole_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


urls = [
    path("tables/<slug:slug>/review/", review, name="review"),
    path("tables/<slug:slug>/review/ask/", ask, name="ask_review"),
]
