"""Link people who were entered by name only to their account, and so to their results."""

from collections.abc import Iterable
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments import access
from tournaments.duplicate.services import check_has_not_seen
from tournaments.models import Member
from tournaments.services.history import declare, perform
from tournaments.services.records import BaseRequest, Record
from web.text import joined

CLAIM = declare("claim", needs="entries", undo=Rows())


def claim(member_ids: Iterable[int], user: User, *, by: User | None, **how: Unpack[BaseRequest]) -> int:
    """Link these members to an account, one action for each event. Returns the number linked.

    Members with an account are skipped, and events in which the account already takes part.
    """
    members = Member.objects.filter(pk__in=list(member_ids), user=None)
    return sum(_claim(event, ids, user, by, how) for event, ids in _by_event(members))


def release(member_ids: Iterable[int], user: User, *, by: User | None, **how: Unpack[BaseRequest]) -> int:
    """Unlink these members from an account. Returns the number unlinked."""
    members = Member.objects.filter(pk__in=list(member_ids), user=user)
    return sum(_release(event, ids, user, by, how) for event, ids in _by_event(members))


def _by_event(members: Iterable[Member]) -> list[tuple[int, list[int]]]:
    events: dict[int, list[int]] = {}
    for member in members:
        events.setdefault(member.tournament_id, []).append(member.pk)
    return sorted(events.items())


def _claim(event: int, member_ids: list[int], user: User, by: User | None, how: BaseRequest) -> int:
    if _is_in(event, user):
        return 0
    claimed: list[str] = []

    def do(record: Record) -> str:
        check_has_not_seen(record.tournament, users=[user.pk])
        for member in Member.objects.filter(pk__in=member_ids, user=None).order_by("-left_at", "pk"):
            # Of several rows of a person only one is in the event now; the others are history.
            is_in = member.left_at is None and member.answer == Member.Answer.ACCEPTED
            if not is_in or not access.accepted(record.tournament).filter(user=user).exists():
                record.change(member, user=user)
                claimed.append(member.name)
        names = joined([*dict.fromkeys(claimed)]) or gettext("Nobody")
        return gettext("%(names)s plays with the account %(account)s from now on.") % {"names": names, "account": user}

    perform(event, do, CLAIM, by=by, **how)
    return len(claimed)


def _release(event: int, member_ids: list[int], user: User, by: User | None, how: BaseRequest) -> int:
    released: list[str] = []

    def do(record: Record) -> str:
        for member in Member.objects.filter(pk__in=member_ids, user=user):
            record.change(member, user=None)
            released.append(member.name)
        names = joined([*dict.fromkeys(released)]) or gettext("Nobody")
        return gettext("%(names)s plays without an account again.") % {"names": names}

    perform(event, do, CLAIM, by=by, **how)
    return len(released)


def _is_in(event: int, user: User) -> bool:
    members = Member.objects.filter(tournament=event, user=user, left_at=None, answer=Member.Answer.ACCEPTED)
    return members.exists()
