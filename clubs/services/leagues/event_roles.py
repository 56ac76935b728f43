"""Who runs a club also runs the tournaments behind its leagues."""

from __future__ import annotations

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
"""What somebody is in the tournaments, by their role in the club."""

_FIELDS = {"role", "user_id", "left_at"}


def sync(club: Club, by: User | None = None, *, within: Record | None = None) -> int:
    """Let the organisers of every tournament of the club's leagues be the club's owners, organisers and scorers with
    accounts; how many tournaments changed. Within a transaction that holds the club's lock, and the act of the club, where
    there is one. Twice changes nothing.
    """
    wanted = wanted_roles(club)
    if not wanted:
        return 0
    own = Q(division__season__league__club=club) | Q(season_event__season__league__club=club)
    have: dict[int, dict[int, str]] = {pk: {} for pk in Tournament.objects.filter(own).values_list("pk", flat=True)}
    rows = Organiser.objects.filter(tournament__in=list(have)).values_list("tournament_id", "user_id", "role")
    for tournament_id, user_id, role in rows:
        have[tournament_id][user_id] = role
    changed = [pk for pk, roles in sorted(have.items()) if roles != wanted]
    for pk in changed:
        organisers.assign(pk, by, roles=wanted, within=within)
    return len(changed)


def wanted_roles(club: Club) -> dict[int, str]:
    """Who is to run the tournaments, in which role, by id of the account; nobody where the club has no owner."""
    by_role: dict[str, list[int]] = defaultdict(list)
    here = Membership.objects.filter(club=club, left_at=None, user__is_active=True, role__in=list(ROLES))
    for user_id, role in here.order_by("user_id").values_list("user_id", "role"):
        by_role[role].append(user_id or 0)
    if Membership.Role.OWNER not in by_role:
        return {}
    return {user_id: ROLES[role] for role, users in by_role.items() for user_id in users}


def follow(record: Record) -> None:
    """After an act that changed who is who in a club: let the tournaments follow."""
    changed = [one for one in record.changes if one["model"] == "membership"]
    if any({*(one["was"] or {}), *(one["is"] or {})} & _FIELDS for one in changed):
        sync(record.club, record.by, within=record)
