"""What the front page shows of clubs. The app above adds it, because tables know of no clubs."""

from collections.abc import Callable, Mapping
from typing import Any

from accounts.models import User

EXAMPLE = (("Vermeer / Falk", 11), ("Whitlock / Brandt", 10), ("Castellano / Pardo", 9), ("Penrose / Marsh", 9))
"""Names and points of the standings that a site without a public league shows as an example."""
_HAND = ("9s", "9d", "9h", "Qc", "As", "Ad", "8h", "8c", "5d", "4s", "2w")
SCENE: dict[str, Any] = {
    "name": "Lighthouse Four",
    "others": "Tom / Priya",
    "partner": "Walter",
    "others_points": 1870,
    "points": 2145,
    "hand": [(card[0], card[1], number < 4) for number, card in enumerate(_HAND)],
}
"""The drawn table. Cards of the hand are rank, suit (`w` for a wild two), and whether they are selected."""
Context = Mapping[str, Any]
ForVisitors = Callable[[], Context]
ForMembers = Callable[[User], Context]
_sources: list[tuple[ForVisitors, ForMembers]] = []


def register(for_visitors: ForVisitors, for_members: ForMembers) -> None:
    """Add a source of what visitors see, and of what people with an account see of their own day."""
    _sources.append((for_visitors, for_members))


def for_visitors() -> dict[str, Any]:
    """The same for every visitor."""
    return {name: value for source, _ in _sources for name, value in source().items()}


def for_member(user: User) -> dict[str, Any]:
    """The person's own day."""
    return {name: value for _, source in _sources for name, value in source(user).items()}
