"""The count beside `Your turn` that every page shows."""

from __future__ import annotations

from django.template import Context, Library

from gameplay import queries

register = Library()


@register.simple_tag(takes_context=True)
def turn_count(context: Context) -> int:
    """How many tables wait for the player; 0 for visitors, and on a page without a request."""
    player = context.get("player")
    return queries.turn_count(player) if player else 0
