"""What pages of events show to who plays in them."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.template import Library
from django.utils import timezone

from accounts.models import User
from tournaments.models import Pairing, Tournament
from tournaments.public import player_actions

register = Library()


@register.simple_tag
def at_match(pairing: Pairing, player: User | AnonymousUser | None) -> player_actions.AtMatch | None:
    """What the reader can do at a match; nothing for who does not play it."""
    return player_actions.at_match(pairing, player) if player else None


@register.simple_tag
def at_stages(event: Tournament, player: User | AnonymousUser | None) -> list[player_actions.AtStage]:
    """The arenas and ladders under way in which the reader can do something."""
    return player_actions.at_stages(event, player, timezone.now()) if player else []
