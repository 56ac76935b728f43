"""Organisers of a club are also organisers of the tournaments behind its leagues."""

from collections import defaultdict

from django.db.models import Q

from accounts.models import User
from clubs.models import Club, Membership
from clubs.services.records import Record
from tournaments.models import Organiser, Tournament
from tournaments.services.events import organisers

ROLES: dict[str, str] = {
    Membership.Role.OWNER: Organiser.Role.OWNER,
    Membership.Role.ORGANISER: Organiser.Role.DIRECTOR,
    Membership.Role.SCORER: Organiser.Role.SCORER,
}
"""Roles in the tournaments by role in the club."""

_FIELDS = {"role", "user_id", "left_at"}


def sync(club: Club, by: User | None = None, *, within: Record | None = None) -> int:
    """Make the club's owners, organisers and scorers with accounts the organisers of its leagues' tournaments; the
    number of tournaments changed. Needs a transaction with the club's lock, and the club's act if there is one. Twice
    is harmless."""
    expected = expected_roles(club)
    if not expected:
        return 0
    is_own = Q(division__season__league__club=club) | Q(season_event__season__league__club=club)
    current: dict[int, dict[int, str]] = {
        pk: {} for pk in Tournament.objects.filter(is_own).values_list("pk", flat=True)
    }
    rows = Organiser.objects.filter(tournament__in=list(current)).values_list("tournament_id", "user_id", "role")
    for tournament_id, user_id, role in rows:
        current[tournament_id][user_id] = role
    changed = [pk for pk, roles in sorted(current.items()) if roles != expected]
    for pk in changed:
        organisers.assign(pk, by, roles=expected, within=within)
    return len(changed)


def expected_roles(club: Club) -> dict[int, str]:
    """The expected roles in the tournaments, by id of the account; empty if the club has no owner."""
    by_role: dict[str, list[int]] = defaultdict(list)
    here = Membership.objects.filter(club=club, left_at=None, user__is_active=True, role__in=list(ROLES))
    for user_id, role in here.order_by("user_id").values_list("user_id", "role"):
        by_role[role].append(user_id or 0)
    if Membership.Role.OWNER not in by_role:
        return {}
    return {user_id: ROLES[role] for role, users in by_role.items() for user_id in users}


def follow(record: Record) -> None:
    """After an act that changed roles in a club: update the tournaments."""
    changed = [change for change in record.changes if change["model"] == "membership"]
    if any({*(change["was"] or {}), *(change["is"] or {})} & _FIELDS for change in changed):
        sync(record.club, record.by, within=record)
