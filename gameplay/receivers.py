"""Receivers for tables: changes of people, and queueing of due work."""

import logging
from collections.abc import Collection
from contextlib import suppress
from typing import Any

from django.contrib.auth.signals import user_logged_in
from django.db import transaction
from django.db.models.functions import Lower
from django.http import HttpRequest
from django.utils import timezone

from accounts import privacy
from accounts.display_names import FORMER
from accounts.models import Notice, User
from accounts.notice_places.topics import MATCHES
from accounts.person_names import cleaner
from accounts.services import blocks, notices
from accounts.signals import account_deleted, free_time_changed, guest_adopted
from gameplay import personal_data
from gameplay.fair_play import services as page_views
from gameplay.models import ChatMessage, Happening, Invitation, Report, Reserve, Seat, Table
from gameplay.score_sheets import files, session
from gameplay.score_sheets import services as score_sheets
from gameplay.services import bot_queue, clocks, leaving, seating
from gameplay.signals import bot_due, deadline_near, invitation_due, review_due
from gameplay.tasks import play_bots, send_invitation, sweep_deadlines, work_on_reviews
from web.errors import Refused
from web.task_queue import queue

log = logging.getLogger(__name__)

_LATE = 60
"""Seconds after which a look at a deadline is given up: the sweeper has come long ago."""


def connect() -> None:
    """Listen to the people's app and to the tables. Called once, when the app is ready."""
    guest_adopted.connect(take_over, dispatch_uid="gameplay.take_over")
    account_deleted.connect(leave_waiting_rooms, dispatch_uid="gameplay.leave_waiting_rooms")
    account_deleted.connect(forget, dispatch_uid="gameplay.forget")
    account_deleted.connect(leave_matches, dispatch_uid="gameplay.leaving")
    account_deleted.connect(forget_sheets, dispatch_uid="gameplay.score_sheets")
    free_time_changed.connect(set_clocks, dispatch_uid="gameplay.clocks")
    user_logged_in.connect(keep_sheets, dispatch_uid="gameplay.score_sheets")
    bot_due.connect(wake_bots, dispatch_uid="gameplay.wake_bots")
    deadline_near.connect(wake_clocks, dispatch_uid="gameplay.wake_clocks")
    invitation_due.connect(wake_post, dispatch_uid="gameplay.wake_post")
    review_due.connect(wake_reviewer, dispatch_uid="gameplay.wake_reviewer")
    notices.register("invitation", MATCHES, is_invitation_open)
    privacy.register("tables", personal_data.tables_of)
    privacy.register("score_sheets", files.sheets_of)
    privacy.register("photos", personal_data.photos_of)


def take_over(*, guest: User, user: User, **kwargs: Any) -> None:
    """Hand the seats, with their notes, and the words of a guest to the person they turned out to be."""
    twice = Table.objects.filter(status=Table.Status.GATHERING, seats__user=guest).filter(seats__user=user)
    for table_id in list(twice.values_list("pk", flat=True)):
        _leave(table_id, guest)
    with transaction.atomic():
        seats = Seat.objects.filter(user=guest).exclude(table__seats__user=user)
        table_ids = list(seats.values_list("table_id", flat=True))
        Seat.objects.filter(user=guest, table__in=table_ids).update(user=user, name=str(user)[:60])
        Seat.objects.filter(former_user=guest).update(former_user=user)
        Table.objects.filter(creator=guest).update(creator=user)
        ChatMessage.objects.filter(user=guest).update(user=user, name=str(user)[:60])
        Reserve.objects.filter(user=guest).exclude(table__reserves__user=user).update(user=user)


def leave_waiting_rooms(*, user: User, **kwargs: Any) -> None:
    """Free the seats of a deleted account at tables before the start."""
    waiting = Table.objects.filter(status=Table.Status.GATHERING, seats__user__pk=user.pk)
    for table_id in list(waiting.values_list("pk", flat=True)):
        _leave(table_id, user)
    Invitation.objects.filter(user__pk=user.pk).delete()


def _leave(table_id: int, user: User) -> None:
    with suppress(Refused, Table.DoesNotExist):  # started or cancelled since then
        seating.leave(table_id, user)


def forget(*, user: User, name: str = "", addresses: Collection[str] = (), **kwargs: Any) -> None:
    """Remove the name of a deleted account from seats, chat, logs, notifications and the tables they created."""
    with transaction.atomic():
        page_views.forget(user.pk)
        seats = Seat.objects.filter(user__pk=user.pk)
        former = Seat.objects.filter(former_user__pk=user.pk)
        lines = ChatMessage.objects.filter(user__pk=user.pk)
        names = {*seats.values_list("name", flat=True), *lines.values_list("name", flat=True), name} - {"", FORMER}
        table_ids = {pk for rows in (seats, former, lines) for pk in rows.values_list("table_id", flat=True)}
        table_ids |= set(Table.objects.filter(creator__pk=user.pk).values_list("pk", flat=True))
        letters = Invitation.objects.annotate(address=Lower("email")).filter(address__in=addresses)
        letters.filter(answered_at=None, revoked_at=None).update(revoked_at=timezone.now(), letter_due_at=None)
        sent = Notice.objects.filter(kind="invitation", title__startswith=f"{name} invites ") if name else ()
        subjects = [f"table:{pk}" for pk in table_ids] + [notice.subject for notice in sent]
        letters.update(email="")
        seats.update(name=FORMER, note="")
        lines.update(name=FORMER)
        for name in names:
            clean = cleaner([name])
            for line in Happening.objects.filter(table__in=table_ids, sentence__contains=name):
                line.sentence = clean(line.sentence)[:300]
                line.save(update_fields=["sentence"])
            for message in ChatMessage.objects.filter(table__in=table_ids, text__contains=name):
                ChatMessage.objects.filter(pk=message.pk).update(text=clean(message.text)[:300])
            for report in Report.objects.filter(table__in=table_ids, reason__contains=name):
                Report.objects.filter(pk=report.pk).update(reason=clean(report.reason)[:500])
            privacy.replace_in_notices(subjects, clean)
            for table in Table.objects.filter(creator__pk=user.pk, name__contains=name):
                Table.objects.filter(pk=table.pk).update(name=clean(table.name)[:60])


def leave_matches(*, user: User, **kwargs: Any) -> None:
    """Hand the seats of a deleted account to others."""
    leaving.leave_all(user.pk)


def set_clocks(*, user: User, **kwargs: Any) -> None:
    """Set the running clocks of a person again."""
    clocks.recompute(user.pk)


def keep_sheets(*, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Hand a person the score sheets that were begun in this browser."""
    if keys := session.own_keys(request):
        score_sheets.keep_all(keys, user)


def forget_sheets(*, user: User, **kwargs: Any) -> None:
    """Remove a deleted account from its score sheets."""
    score_sheets.forget(user.pk)


def is_invitation_open(notice: Notice) -> bool:
    """Whether the invitation waits for an answer, at a table that waits, and is of nobody whom the reader has blocked."""
    number = notice.key.partition(":")[2]
    sent = (
        Invitation.objects.filter(pk=int(number) if number.isdecimal() else 0)
        .select_related("table", "invited_by")
        .first()
    )
    waits = sent is not None and sent.is_open and sent.table.status == Table.Status.GATHERING
    return sent is not None and waits and not blocks.has_blocked(notice.user, sent.invited_by)


def wake_bots(*, table_id: int, **kwargs: Any) -> None:
    """Queue the bots' task, unless this is the bots' task."""
    if not bot_queue.is_at_work():
        queue(log, "the wake-up call for table %s", table_id, play_bots)


def wake_clocks(*, seconds: float, **kwargs: Any) -> None:
    """Queue a look at the deadlines for just after one passes; if the broker is down, the sweeper comes anyway."""
    try:
        sweep_deadlines.apply_async(countdown=seconds + 0.2, expires=seconds + _LATE)
    except Exception:
        log.warning("The broker did not take the look at a deadline; the sweeper comes.")


def wake_post(*, invitation_id: int, **kwargs: Any) -> None:
    """Queue the email of an invitation."""
    queue(log, "the letter of invitation %s", invitation_id, send_invitation)


def wake_reviewer(*, review_id: int, **kwargs: Any) -> None:
    """Queue the work on a review."""
    queue(log, "review %s", review_id, work_on_reviews)
