"""API views of a deal's review, with what its page shows to the same reader."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from gameplay.access import open_table, own_seat
from gameplay.api.base import Input, Output, ReadAndAdd, described, player, read, read_query
from gameplay.api.tables import answer
from gameplay.models import Deal, Seat, Table
from gameplay.reviews import services
from gameplay.reviews.display import CostlyAct, Hand, ReviewPage, build_review, open_deals


class WhichDeal(Input):
    """The deal; by default the last one that is over."""

    deal = serializers.IntegerField(min_value=1, max_value=9999, required=False)


class ReviewedDeal(Input):
    """The deal."""

    deal = serializers.IntegerField(min_value=1, max_value=9999)


class HandShape(Output):
    """The cards of a player at the start and at the end, by `hand`, `knee` and `foot`."""

    seat = serializers.IntegerField()
    dealt = serializers.DictField(child=serializers.CharField())
    left = serializers.DictField(child=serializers.CharField())


class TurnShape(Output):
    """The lead to be expected after a turn."""

    move = serializers.IntegerField(help_text="Its last move; 0 for the start of the deal.")
    seat = serializers.IntegerField(help_text="-1 for the start of the deal.")
    lead = serializers.IntegerField()


class TurningPointShape(Output):
    """A turn that changed the lead most."""

    move = serializers.IntegerField(help_text="Its first move.")
    seat = serializers.IntegerField()
    swing = serializers.IntegerField()


class CostlyActShape(Output):
    """An act with one that was better, as far as the player could know."""

    move = serializers.IntegerField()
    seat = serializers.IntegerField()
    act = serializers.CharField()
    better = serializers.CharField()
    points = serializers.IntegerField()
    reason = serializers.CharField()


class ReviewShape(Output):
    """The review of a deal. Until it is `done` it has only the hands."""

    deal = serializers.IntegerField()
    deals = serializers.ListField(child=serializers.IntegerField(), help_text="Deals that can be reviewed.")
    status = serializers.ChoiceField(["none", "working", "done", "failed"])
    team = serializers.IntegerField(help_text="The side whose leads are given: yours, for watchers the first.")
    hands = HandShape(many=True)
    turns = TurnShape(many=True)
    turning_points = TurningPointShape(many=True)
    costs = CostlyActShape(many=True, help_text="Of your seat, for watchers of all.")
    plays = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField()),
        help_text="The same cards played by bots: points of each side, `team` first.",
    )
    average = serializers.ListField(child=serializers.IntegerField())
    scores = serializers.ListField(child=serializers.IntegerField(), help_text="At this table.")
    luck = serializers.CharField()


class Review(ReadAndAdd):
    """The review of a deal that is over."""

    scope = "play"

    @described(ReviewShape, asks=WhichDeal, name="tables_review")
    def get(self, request: Request, slug: str) -> Response:
        """Turning points, costly acts, all hands and the luck of the cards of a deal that is over."""
        table, seat = open_table(player(request), slug)
        return _answer(request, table, seat, read_query(WhichDeal, request).get("deal"))

    @described(ReviewShape, takes=ReviewedDeal, name="tables_review_ask")
    def post(self, request: Request, slug: str) -> Response:
        """Have the review worked out, as a player of the table. Twice does no harm."""
        table, seat = own_seat(player(request), slug)
        number = read(ReviewedDeal, request.data)["deal"]
        services.ask_review(table.pk, player(request), deal=number)
        return _answer(request, table, seat, number)


def _answer(request: Request, table: Table, seat: Seat | None, number: int | None) -> Response:
    deals = open_deals(table)
    deal = next((deal for deal in reversed(deals) if number in (None, deal.number)), None)
    if deal is None:
        raise Http404(gettext("No finished deals yet"))
    seats = list(table.seats.all())
    page = build_review(table, seats, None if seat is None else seat.number, deal)
    return answer(request, ReviewShape, _review(page, deal, [each.number for each in deals]))


def _review(page: ReviewPage, deal: Deal, deals: list[int]) -> dict[str, Any]:
    points = [
        {"move": point.line.first, "seat": point.line.seat, "swing": point.points} for point in page.turning_points
    ]
    return {
        "deal": deal.number,
        "deals": deals,
        "hands": [_hand(seat, hand) for seat, hand in enumerate(page.hands)],
        "turns": [{"move": move, "seat": seat, "lead": lead} for move, seat, lead in page.leads],
        "turning_points": points,
        "costs": [_cost(cost) for cost in page.costs],
        **{name: getattr(page, name) for name in ("status", "team", "plays", "average", "scores", "luck")},
    }


def _hand(seat: int, hand: Hand) -> dict[str, Any]:
    return {"seat": seat, "dealt": dict(hand.dealt), "left": dict(hand.left)}


def _cost(cost: CostlyAct) -> dict[str, Any]:
    return {
        "move": cost.number,
        "seat": cost.seat,
        "act": cost.act.move,
        "better": cost.act.better,
        "points": cost.points,
        "reason": cost.act.reason,
    }
