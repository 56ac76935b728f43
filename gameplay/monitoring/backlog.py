"""The state of all tables for the operator: overdue and waiting work. A query each."""

from django.db.models import QuerySet
from django.db.models.functions import Now

from gameplay.models import Heartbeat, Table
from web.monitoring.backlog import Waiting, waiting


def overdue_tables() -> QuerySet[Table]:
    """Tables whose deadline has passed, and on which nobody has acted yet."""
    return Table.objects.running().filter(deadline_at__lt=Now())


def overdue() -> Waiting:
    """The number of passed deadlines, and the first of them."""
    return waiting(overdue_tables(), "deadline_at")


def bots_to_move() -> Waiting:
    """Tables that wait for a bot or a standing order."""
    return waiting(Table.objects.running().filter(bot_due_at__lte=Now()), "bot_due_at")


def reminders_to_send() -> Waiting:
    """Tables whose player is to be reminded of a deadline."""
    return waiting(Table.objects.running().filter(remind_at__lte=Now()), "remind_at")


def heartbeats() -> list[Heartbeat]:
    """The last run of each periodic task that keeps a heartbeat."""
    return list(Heartbeat.objects.order_by("name"))
