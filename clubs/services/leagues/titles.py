"""Names of leagues, seasons, divisions and teams, and their addresses."""

from collections.abc import Collection, Sequence

from django.utils.translation import gettext

from accounts.display_names import folded
from clubs.models import League
from web.text import as_address

RESERVED = frozenset({"new", "edit", "match", "players", "teams"})
"""Words that addresses have in the place of a league or a season."""


def free_slug(name: str, used: Collection[str], longest: int, *, otherwise: str) -> str:
    """An address made from a name, different from those in `used`."""
    base = as_address(name)[: longest - 5].strip("-") or otherwise
    count = 1
    while (slug := base if count == 1 else f"{base}-{count}") in used or slug in RESERVED:
        count += 1
    return slug


def is_taken(name: str, names: Collection[str]) -> bool:
    """Whether a name is in `names`, ignoring case. Compared here, because databases differ in folding."""
    return folded(name) in {folded(other) for other in names}


def automatic(kind: str, players: Sequence[str]) -> str:
    """The automatic name of a team, made from the names of its players: `Okafor / Bell`."""
    if kind == League.Kind.TEAM:
        return gettext("Team %(name)s") % {"name": players[0]}
    return " / ".join(players)
