"""The daily clearing: deletes what is past its age by the rules of `accounts.retention`, and records it.

Rows go in small batches, each in a transaction of its own with its count, so that nobody waits long for SQLite’s one
write lock. A run that is cut off or too long is continued by the next, and several at once take turns.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts import retention
from accounts.models import Clearing
from accounts.retention import Rule
from web.database import free_space

log = logging.getLogger(__name__)

LONGEST = timedelta(minutes=5)
"""Time of one run: the next, an hour later, continues."""
LATE = timedelta(days=2)
"""Rows that are past their age for so long show that the clearing does not work."""
PAUSE = 0.1
"""Seconds between two batches, in which others write."""
FOUND_AT_ONCE = 10_000


def clear_once_a_day(now: datetime | None = None) -> None:
    """Clear, unless that is done for today (UTC). Safe to repeat and at once."""
    now = now or timezone.now()
    if not Clearing.objects.filter(day=now.date(), ended_at__isnull=False).exists():
        clear(now)


def clear(now: datetime | None = None) -> Clearing:
    """Delete all that is past its age, and give its space back; returns the record of the day."""
    now = now or timezone.now()
    today, _ = Clearing.objects.get_or_create(day=now.date())
    ends = time.monotonic() + LONGEST.total_seconds()
    are_done = [_apply(rule, today.pk, now, ends) for rule in retention.rules()]
    if all(are_done):
        Clearing.objects.filter(pk=today.pk).update(ended_at=timezone.now())
    free_space.give_back()
    today.refresh_from_db()
    log.info("%s: %s.", "Cleared today" if all(are_done) else "Cleared so far today", _words(today.counts))
    return today


def overdue(now: datetime | None = None) -> list[tuple[Rule, int]]:
    """Rules that should have deleted rows days ago, with the number of these rows."""
    late = (now or timezone.now()) - LATE
    counts = ((rule, rule.past(late).count()) for rule in retention.rules())
    return [(rule, count) for rule, count in counts if count]


def last() -> Clearing | None:
    """The record of the last day on which everything was cleared."""
    return Clearing.objects.filter(ended_at__isnull=False).order_by("-day").first()


def _apply(rule: Rule, today: int, now: datetime, ends: float) -> bool:
    """Delete by one rule until nothing is left; whether so. A batch that fails stops no other."""
    while keys := list(rule.past(now).values_list("pk", flat=True)[:FOUND_AT_ONCE]):
        count = 0
        for start in range(0, len(keys), rule.batch):
            if time.monotonic() > ends:
                return False
            if start:
                time.sleep(PAUSE)
            try:
                count += _delete(rule, keys[start : start + rule.batch], today, now)
            except Exception as error:
                # Its words could hold what the rows hold.
                log.error("Rows of “%s” could not be cleared: %s", rule.name, type(error).__name__)
        if not count:
            return False
    return True


def _delete(rule: Rule, keys: Sequence[Any], today: int, now: datetime) -> int:
    """Delete one batch and count it; the number of rows."""
    with transaction.atomic():
        record = Clearing.objects.select_for_update().get(pk=today)
        rows = rule.model._base_manager.filter(pk__in=keys)
        # Locked first and then asked again, so that nothing goes that was used since it was found.
        list(rows.select_for_update().order_by("pk").values_list("pk", flat=True))
        past = list(rule.past(now).filter(pk__in=keys).values_list("pk", flat=True))
        if rule.remove is None:
            rows.filter(pk__in=past).delete()
        else:
            rule.remove(past, now)
        record.counts[rule.name] = record.counts.get(rule.name, 0) + len(past)
        record.save(update_fields=["counts"])
        return len(past)


def _words(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing"
