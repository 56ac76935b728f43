"""Roles of a club and their rights: shown on pages, and checked by the code."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from clubs.models import Membership

Role = Membership.Role

ACTS: dict[str, Promise] = {
    "look": gettext_lazy("read pages that are for members only"),
    "directory": gettext_lazy("read the directory of members listed with their consent"),
    "play": gettext_lazy("be in teams, enter the club’s own events and play at its tables"),
    "results": gettext_lazy("enter and confirm results of any match of the club’s leagues"),
    "news": gettext_lazy("write news and add meetings"),
    "letters": gettext_lazy("write the newsletter and send it"),
    "rules": gettext_lazy("create house rules and new versions of them"),
    "leagues": gettext_lazy(
        "create leagues, seasons and teams, draw and close seasons, reschedule matches and adjust points"
    ),
    "rosters": gettext_lazy(
        "act for the club’s teams in leagues of other clubs, and change their rosters during a season"
    ),
    "members": gettext_lazy("accept, invite, add, rename and remove members, and give roles up to scorer"),
    "settings": gettext_lazy("change the club’s page, colours and joining rules"),
    "history": gettext_lazy("read the club’s history"),
    "undo": gettext_lazy("undo other people’s changes"),
    "fair_play": gettext_lazy(
        "see patterns at the club’s tables that could be against fair play, and add notes on them"
    ),
    "data": gettext_lazy("import past seasons and export the whole club"),
    "roles": gettext_lazy("add and remove owners and organisers"),
    "archive": gettext_lazy("archive and restore the club"),
}
"""Rights in a club, and in words."""

_GUEST = frozenset({"look", "play"})
_MEMBER = _GUEST | {"directory"}
_SCORER = _MEMBER | {"results"}
_OWNER = frozenset(ACTS)

ROLES: dict[str, frozenset[str]] = {
    Role.OWNER: _OWNER,
    Role.ORGANISER: _OWNER - {"data", "roles", "archive"},
    Role.SCORER: _SCORER,
    Role.MEMBER: _MEMBER,
    Role.GUEST: _GUEST,
}
"""Rights by role."""

RANKS: tuple[str, ...] = tuple(ROLES)
"""The roles, the highest first."""


def given_by(role: str) -> tuple[str, ...]:
    """The roles that a person of this role may give and take."""
    if "roles" in ROLES.get(role, ()):
        return RANKS
    return (Role.SCORER, Role.MEMBER, Role.GUEST) if "members" in ROLES.get(role, ()) else ()
