"""The count next to `Your turn` on every page."""

from django.template import Context, Library

from gameplay import queries

register = Library()


@register.simple_tag(takes_context=True)
def turn_count(context: Context) -> int:
    """The number of tables that wait for the player; 0 for visitors, and on a page without a request."""
    player = context.get("player")
    return queries.turn_count(player) if player else 0
