"""People who were entered by name alone are given their account, and with it their results."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from django.utils.translation import gettext

from accounts.models import User
from acts.kinds import Rows
from tournaments import access
from tournaments.models import Member
from tournaments.services.history import declare, perform
from tournaments.services.records import Asked, Record
from web.text import joined

CLAIM = declare("claim", needs="entries", undo=Rows())


def claim(member_ids: Iterable[int], user: User, *, by: User | None, **how: Unpack[Asked]) -> int:
    """Give these people of entries to an account, one act for each event; how many were.

    Left out is who has an account already, and events in which the account takes part otherwise: nobody is in one
    event twice.
    """
    return sum(
        _claim(event, own, user, by, how)
        for event, own in _by_event(Member.objects.filter(pk__in=list(member_ids), user=None))
    )


def release(member_ids: Iterable[int], user: User, *, by: User | None, **how: Unpack[Asked]) -> int:
    """Take these people of entries from an account again; how many were its own."""
    own = Member.objects.filter(pk__in=list(member_ids), user=user)
    return sum(_release(event, mine, user, by, how) for event, mine in _by_event(own))


def _by_event(found: Iterable[Member]) -> list[tuple[int, list[int]]]:
    events: dict[int, list[int]] = {}
    for one in found:
        events.setdefault(one.tournament_id, []).append(one.pk)
    return sorted(events.items())


def _claim(event: int, own: list[int], user: User, by: User | None, how: Asked) -> int:
    if _is_in(event, user):
        return 0
    given: list[str] = []

    def do(record: Record) -> str:
        for one in Member.objects.filter(pk__in=own, user=None).order_by("-left_at", "pk"):
            # Of several rows of the same person only one is in the event now; the others are what was before.
            is_in = one.left_at is None and one.answer == Member.Answer.ACCEPTED
            if not is_in or not access.accepted(record.tournament).filter(user=user).exists():
                record.change(one, user=user)
                given.append(one.name)
        names = joined([*dict.fromkeys(given)]) or gettext("Nobody")
        return gettext("%(names)s plays with the account %(account)s from now on.") % {"names": names, "account": user}

    perform(event, do, CLAIM, by=by, **how)
    return len(given)


def _release(event: int, own: list[int], user: User, by: User | None, how: Asked) -> int:
    taken: list[str] = []

    def do(record: Record) -> str:
        for one in Member.objects.filter(pk__in=own, user=user):
            record.change(one, user=None)
            taken.append(one.name)
        names = joined([*dict.fromkeys(taken)]) or gettext("Nobody")
        return gettext("%(names)s plays without an account again.") % {"names": names}

    perform(event, do, CLAIM, by=by, **how)
    return len(taken)


def _is_in(event: int, user: User) -> bool:
    own = Member.objects.filter(tournament=event, user=user, left_at=None, answer=Member.Answer.ACCEPTED)
    return own.exists()
