"""A table that waits for its players: rights of the creator, notifications, the start of the match. At a locked table."""

from datetime import timedelta
from functools import partial

from django.db import transaction
from django.utils.translation import gettext, gettext_noop

from accounts.budgets import BOT_TIME, PRACTICE_TABLES, check
from accounts.models import User
from accounts.services import notices
from gameplay.event_tables import check_free
from gameplay.models import Happening, Table
from gameplay.queries import alone_at
from gameplay.services.match_play import begin_deal
from gameplay.services.sitting import Sitting, save, tell
from gameplay.signals import table_started
from web.errors import NotAllowed, Refused


def check_creator(sitting: Sitting, user: User) -> None:
    """Raise unless the match is still to begin and this person made the table."""
    check_free(sitting.table)
    if sitting.table.creator_id != user.pk:
        raise NotAllowed("not_creator", gettext("Only the table’s creator can do that."))
    check_gathering(sitting)
    if sitting.table.wish_id is not None:
        raise NotAllowed("quick_match", gettext("A quick match starts automatically. You can leave it."))


def check_gathering(sitting: Sitting) -> None:
    """Raise `Refused` unless the match is still to begin, or `NotAllowed` where an event decides."""
    check_free(sitting.table)
    if sitting.table.status != Table.Status.GATHERING:
        raise Refused("has_begun", gettext("The match has already started."))


def start_match(sitting: Sitting) -> None:
    """Begin the match of a locked table whose seats are all taken.

    Raises `TooMuch` if its bots have no time, or a person alone with bots has too many such matches.
    """
    table = sitting.table
    people = [seat.user for seat in sitting.seats if seat.user is not None]
    if len(people) == 1:
        _check_practice(people[0])
    if table.creator is not None and len(people) < len(sitting.seats):
        check(BOT_TIME, table.creator)
    table.status = Table.Status.PLAYING
    table.started_at, table.bots_join_at = sitting.now, None
    for seat in sitting.seats:
        seat.time_left = None if table.clock == Table.Clock.NONE else table.allowance
    tell(sitting, Happening.Kind.STARTED, gettext_noop("The match started."))
    begin_deal(sitting, None)
    transaction.on_commit(partial(_say_started, table.pk))


def _check_practice(user: User) -> None:
    # The row of the person, so that two matches started at once are both counted.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    check(PRACTICE_TABLES, user, already=alone_at(user).count())


def _say_started(table_id: int) -> None:
    table_started.send_robust(sender=Table, table_id=table_id)


def delete_table(sitting: Sitting) -> None:
    """Delete a table at which nothing was played; its pages find out by asking."""
    save(sitting)
    sitting.table.delete()


def notify(sitting: Sitting, user: User, kind: str, title: str, url: str = "") -> None:
    """Put news of the table into a person’s outbox, due after a minute."""
    table = sitting.table
    notices.add(
        user,
        kind=kind,
        key=f"{kind}:{table.pk}:{table.version}",
        subject=f"table:{table.pk}",
        title=title,
        url=url or table.get_absolute_url(),
        due_at=sitting.now + timedelta(minutes=1),
    )
