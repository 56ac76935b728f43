"""Template tags for players on pages of events."""

from django.contrib.auth.models import AnonymousUser
from django.template import Library
from django.utils import timezone

from accounts.models import User
from tournaments.models import Pairing, Tournament
from tournaments.public import player_actions

register = Library()


@register.simple_tag
def at_match(pairing: Pairing, player: User | AnonymousUser | None) -> player_actions.AtMatch | None:
    """The reader's actions at a match; `None` for anyone else."""
    return player_actions.at_match(pairing, player) if player else None


@register.simple_tag
def at_stages(event: Tournament, player: User | AnonymousUser | None) -> list[player_actions.AtStage]:
    """The arenas and ladders under way with an action for the reader."""
    return player_actions.at_stages(event, player, timezone.now()) if player else []
