"""Quick matches: people who wait with the same wishes are seated together, and bots take the seats that stay free.

A quick match is a table whose players nobody chose. It starts once every seat is taken. The row of its wishes is locked
while a person is seated, so that two at the same instant come to one table.
"""

import logging
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext, gettext_lazy

from accounts.models import User
from engine.play.rules import Rules
from gameplay.access import without_strangers
from gameplay.models import Seat, Table, Wish
from gameplay.paces import PACES
from gameplay.services import bots, gathering, seating, tables
from gameplay.services.sitting import save, sit_down
from web.errors import Refused

log = logging.getLogger(__name__)

WAITS = {
    "60": gettext_lazy("After 1 minute"),
    "300": gettext_lazy("After 5 minutes"),
    "3600": gettext_lazy("After 1 hour"),
    "86400": gettext_lazy("After 1 day"),
    "": gettext_lazy("Never: people only"),
}
"""When bots take the seats that are still free: seconds as text, and in words."""
_CLOCKED = {name: pace for name, pace in PACES.items() if not pace.terms.get("is_practice")}
EVENINGS = {name: pace for name, pace in _CLOCKED.items() if pace.terms["clock"] == Table.Clock.LIVE}
"""Clocks of people who play now; the first is the usual one."""
QUICK_PACES = EVENINGS | {name: pace for name, pace in _CLOCKED.items() if name not in EVENINGS}
"""Clocks of quick matches: strangers need one."""
USUAL_WAIT = "60"
LEVEL = "club"
"""The level of the bots."""
RETRY = timedelta(minutes=10)
"""Bots that may not play yet, because of a budget, are asked again after this."""


def play_now(user: User, *, ruleset: str, pace: str, wait: timedelta | None, now: datetime | None = None) -> Table:
    """A seat at a table of people with the same wishes, at a new one if nobody waits. Twice does no harm.

    `wait` is the time until bots take free seats; without it only people play. Of several waits at a table the
    shortest counts. Raises `BadInput` for an unknown ruleset, `Refused` for an unknown pace or if the person waits with
    other wishes, and `TooMuch`. Guests need a name: see `gameplay.services.guest_seats.play_now`.
    """
    rules = Rules.preset(ruleset)
    if pace not in QUICK_PACES:
        raise Refused("no_such_pace", gettext("Choose one of the clocks."))
    with transaction.atomic():
        # Of one person on two devices, the second finds the seat of the first.
        User.objects.select_for_update(no_key=True).get(pk=user.pk)
        waiting = _waiting().filter(seats__user=user).select_related("wish").first()
        if waiting is not None and waiting.wish is not None:
            if (waiting.wish.ruleset, waiting.wish.pace, waiting.wish.with_bots) != (ruleset, pace, wait is not None):
                raise Refused(
                    "waits_already", gettext("You already wait for a quick match. Leave it to choose another.")
                )
            return waiting
        wish, _ = Wish.objects.get_or_create(ruleset=ruleset, pace=pace, with_bots=wait is not None)
        Wish.objects.select_for_update(no_key=True).get(pk=wish.pk)
        table = _join_first(wish, user, now) or _make(wish, rules, user, now)
        if wait is not None:
            _bring_forward(table.pk, wait, now)
        table.refresh_from_db()
        return table


def open_ones(player: User | AnonymousUser) -> list[Table]:
    """Quick matches that have a free seat for the player, those that start soonest first; with `taken`, the number of players."""
    count = Count("seats", filter=Q(seats__user__isnull=False))
    return list(_with_room(player).annotate(taken=count).defer("snapshot").order_by("bots_join_at", "pk")[:20])


def last_wish(player: User | AnonymousUser) -> Wish | None:
    """The wishes of the player’s last quick match; none of nobody."""
    return Wish.objects.filter(tables__seats__user__pk=player.pk or 0).order_by("-tables__pk").first()


def sweep(now: datetime | None = None) -> None:
    """Start the matches whose wait is over, with bots. Safe to run twice and at once; one that fails stops no other."""
    due = _waiting().filter(bots_join_at__lte=now or Now()).order_by("bots_join_at")
    for table_id in list(due.values_list("pk", flat=True)):
        try:
            fill(table_id, now)
        except Exception as error:
            log.error("Quick match %s could not be started: %s", table_id, bots.where(error))


def fill(table_id: int, now: datetime | None = None) -> None:
    """Put bots into the free seats and start, if the wait is over. If bots may not play, they are asked again later."""
    try:
        with transaction.atomic():
            sitting = sit_down(table_id, now)
            if _is_due(sitting.table, sitting.now):
                seating.take_bots(sitting, LEVEL)
                gathering.start_match(sitting)
    except Refused:
        with transaction.atomic():
            sitting = sit_down(table_id, now)
            if _is_due(sitting.table, sitting.now):
                sitting.table.bots_join_at = sitting.now + RETRY
                save(sitting)


def _is_due(table: Table, now: datetime) -> bool:
    is_waiting = table.status == Table.Status.GATHERING and table.bots_join_at is not None
    return is_waiting and table.bots_join_at is not None and table.bots_join_at <= now


def _waiting() -> QuerySet[Table]:
    return Table.objects.filter(wish__isnull=False, status=Table.Status.GATHERING)


def _with_room(player: User | AnonymousUser) -> QuerySet[Table]:
    has_room = Exists(Seat.objects.filter(table=OuterRef("pk"), user=None, bot=""))
    return without_strangers(_waiting().filter(has_room), player)


def _join_first(wish: Wish, user: User, now: datetime | None) -> Table | None:
    """Seat the person at the fullest table of these wishes, if there is one; a guest not next to a guest of the same name."""
    count = Count("seats", filter=Q(seats__user__isnull=False))
    tables_with_room = _with_room(user).filter(wish=wish)
    if user.is_guest:
        namesakes = Seat.objects.filter(table=OuterRef("pk"), name__iexact=str(user))
        tables_with_room = tables_with_room.exclude(Exists(namesakes))
    for table in tables_with_room.annotate(taken=count).order_by("-taken", "pk"):
        try:
            return seating.join(table.pk, user, now=now).table
        except (Refused, Table.DoesNotExist):
            continue  # full, started or left since then
    return None


def _make(wish: Wish, rules: Rules, user: User, now: datetime | None) -> Table:
    size = rules.shape()
    terms = {**PACES[wish.pace].terms, "joining": Table.Joining.OPEN, "wish": wish}
    name = gettext("Quick match")
    return tables.make_table(
        user, rules, name=name, seat_count=size.seats, team_size=size.team_size, terms=terms, now=now
    )


def _bring_forward(table_id: int, wait: timedelta, now: datetime | None) -> None:
    sitting = sit_down(table_id, now)
    table, joins_at = sitting.table, sitting.now + wait
    if table.status == Table.Status.GATHERING and (table.bots_join_at is None or joins_at < table.bots_join_at):
        table.bots_join_at = joins_at
        save(sitting)
