"""The table of who may do what in a club: what pages show and what the code checks."""

from __future__ import annotations

from clubs.models import Membership

Role = Membership.Role

ACTS: dict[str, str] = {
    "look": "read what the club tells its members only",
    "directory": "read the directory of members who agreed to be in it",
    "play": "be in teams, and enter the club's own events and tables",
    "results": "enter and confirm results of any match of the club's leagues",
    "news": "write news, and set dates of the club",
    "letters": "write the newsletter and send it",
    "rules": "make house rules and new versions of them",
    "leagues": "make leagues, seasons and teams, draw, rearrange, adjust and close",
    "rosters": "act for the club's teams in leagues of other clubs, and change their rosters during a season",
    "members": "let people in, invite, add, rename and remove members, and give roles up to scorer",
    "settings": "change the club's page, its colours and how one joins",
    "history": "read the history of what was done",
    "undo": "undo what others did",
    "fair_play": "see patterns at the club's tables that may be against fair play, and say what is in them",
    "data": "bring past seasons in, and take the whole club away as a file",
    "roles": "make owners and organisers",
    "archive": "archive the club, and bring it back",
}
"""What somebody of a club may be allowed to do, and in words."""

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
"""Who may do what."""

RANKS: tuple[str, ...] = tuple(ROLES)
"""The roles, the highest first."""


def given_by(role: str) -> tuple[str, ...]:
    """The roles that somebody of this role may give and take."""
    if "roles" in ROLES.get(role, ()):
        return RANKS
    return (Role.SCORER, Role.MEMBER, Role.GUEST) if "members" in ROLES.get(role, ()) else ()
