"""Cards in templates: their faces, their suits, and how they are spoken."""

from django.template import Context, Library

from accounts.colours import colours_of
from accounts.models import User
from engine.play.cards import parse_card
from gameplay.page import markup

register = Library()
register.filter("face", markup.face)
register.filter("fan", markup.fan)
register.filter("suit", markup.suit_class)
register.filter("sentence", markup.sentence)
register.filter("spoken", lambda card: markup.SPOKEN[card])


@register.inclusion_tag("gameplay/threes.html", takes_context=True)
def threes(context: Context) -> dict[str, object]:
    """Which threes are called red and black, for a reader whose deck of four colours draws two of them otherwise."""
    has_four_colours = colours_of(context["request"])["deck"] == User.Deck.FOUR
    suits = ("hearts", "diamonds", "spades", "clubs")
    return {"has_four_colours": has_four_colours, **{suit: markup.CHIP[parse_card(f"3{suit[0]}")] for suit in suits}}
