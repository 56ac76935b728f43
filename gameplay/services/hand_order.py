"""The order of a player's own hand."""

from django.utils.translation import gettext

from accounts.models import User
from engine.errors import BadInput
from engine.play.cards import parse_cards, write_cards
from gameplay.models import Seat
from web.errors import Refused


def keep_order(seat: Seat, user: User, *, by: str, cards: str = "") -> None:
    """Sort the hand by a name of `User.HandOrder`, for `own` in the order of `cards`.

    The order is a taste of the player's for every table; the places of the cards belong to this seat. Raises `Refused`.
    """
    if by not in User.HandOrder.values:
        raise Refused("bad_order", gettext("Sort your hand by rank, suit, books or in your own order."))
    if by == User.HandOrder.OWN:
        seat.hand_order = _distinct(cards)
        seat.save(update_fields=["hand_order"])
    if user.hand_order != by:
        user.hand_order = by
        user.save(update_fields=["hand_order"])


def _distinct(cards: str) -> str:
    try:
        return write_cards(dict.fromkeys(parse_cards(cards)))
    except BadInput as error:
        raise Refused("bad_cards", str(error)) from None
