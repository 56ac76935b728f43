"""What is kept of tables, score sheets and guests, and how long (`accounts.retention`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import Count, DateTimeField, F, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.retention import SITE, Reason, Rule, keep, register
from accounts.signals import account_deleted
from gameplay.fair_play.models import Look
from gameplay.fair_play.services import LONGEST
from gameplay.models import (
    ChatMessage,
    Deal,
    DealReview,
    Happening,
    Heartbeat,
    Invitation,
    Move,
    Process,
    Report,
    Reserve,
    Seat,
    Table,
    Tally,
    Wish,
)
from gameplay.score_sheets.models import ScoreSheet, SheetPhoto
from gameplay.services import guest_seats, tables

PRACTICE = timedelta(days=30)
"""Time after the last turn until a practice match against bots is deleted."""
UNSTARTED = timedelta(days=30)
"""Time after the last player took a seat until a table is cancelled whose match did not start."""

MATCHES = Reason(
    _("Matches of people, with seats, moves, log and chat"), _("because they belong to everyone who played")
)
SHEETS = Reason(_("Score sheets and photos saved in an account"), _("until the person deletes them or the account"))


def connect() -> None:
    """Declare them. Called once, when the app is ready."""
    register(
        Rule(
            "guests",
            _("Guests"),
            _("%(days)s days after they last looked at a match"),
            _("because they have no account to return to"),
            _guests,
            "last_seen",
            timedelta(days=30),
            batch=50,
            remove=_remove_guests,
        ),
        Rule(
            "practice",
            _("Practice matches against bots"),
            _("%(days)s days after the last turn"),
            _("because no other player needs them"),
            _practice,
            "last_turn",
            PRACTICE,
            batch=10,
        ),
        Rule(
            "unstarted",
            _("Tables whose match did not start"),
            _("%(days)s days after the last player took a seat"),
            _("because the players have moved on"),
            _unstarted,
            "last_joined",
            UNSTARTED,
            batch=10,
            remove=_cancel,
        ),
        Rule(
            "table_invitations",
            _("Invitations to tables, with email addresses"),
            _("%(days)s days, or until the match starts if that takes longer"),
            _("so that they can be answered"),
            lambda: Invitation.objects.exclude(table__status=Table.Status.GATHERING),
            "created_at",
            timedelta(days=30),
        ),
        Rule(
            "page_views",
            _("Page views and devices at rated matches"),
            _("%(days)s days after the match"),
            _("so that organisers can check fair play"),
            Look.objects.all,
            "seat__table__ended_at",
            timedelta(days=60),
        ),
        Rule(
            "old_page_views",
            _("Page views and devices at matches that do not end"),
            _("%(days)s days"),
            _("because no check needs older ones"),
            Look.objects.all,
            "at",
            LONGEST,
        ),
        Rule(
            "score_sheets",
            _("Score sheets in nobody’s account, with photos"),
            _("%(days)s days after the last change"),
            _("so that you can save them in an account"),
            lambda: ScoreSheet.objects.filter(owner=None),
            "touched_at",
            timedelta(days=365),
            batch=50,
        ),
        Rule(
            "processes",
            _("Reports of the site’s processes"),
            _("for a day after they ended"),
            _("so that operators see which ones work"),
            Process.objects.all,
            "at",
            timedelta(days=1),
        ),
    )
    keep(MATCHES, Table, Seat, Deal, DealReview, Move, Happening, ChatMessage, Report, Reserve)
    keep(SHEETS, ScoreSheet, SheetPhoto)
    keep(SITE, Tally, Heartbeat, Wish)


def _guests() -> QuerySet[User]:
    looked = Seat.objects.filter(user=OuterRef("pk")).order_by().values("user").annotate(at=Max("looked_at"))
    seen = Coalesce(Subquery(looked.values("at")), F("date_joined"))
    return User.objects.filter(is_guest=True).annotate(last_seen=Greatest(seen, F("date_joined")))


def _remove_guests(keys: Sequence[int], now: datetime) -> None:
    """Delete guests; those with a name leave their seats, and their name goes from the tables, as after an account."""
    guests = User.objects.filter(pk__in=keys)
    for guest in guests:
        if guest_seats.is_named(guest):
            account_deleted.send(sender=User, user=guest, name=str(guest))
    guests.delete()


def _practice() -> QuerySet[Table]:
    """Practice matches of one person; those of several are kept, also if one of them left."""
    seats = Seat.objects.filter(Q(user__isnull=False) | Q(former_user__isnull=False), table=OuterRef("pk"))
    people = seats.order_by().values("table").annotate(count=Count("pk")).values("count")
    turns = Move.objects.filter(table=OuterRef("pk")).order_by("-number").values("at")[:1]
    last_turn = Coalesce(Subquery(turns), F("started_at"), F("created_at"), output_field=DateTimeField())
    return (
        Table.objects.filter(is_practice=True, is_arranged=False)
        .exclude(status=Table.Status.GATHERING)
        .annotate(people=Coalesce(Subquery(people), 0), last_turn=last_turn)
        .filter(people__lte=1)
    )


def _unstarted() -> QuerySet[Table]:
    joined = Seat.objects.filter(table=OuterRef("pk")).order_by().values("table").annotate(at=Max("joined_at"))
    last_joined = Coalesce(Subquery(joined.values("at")), F("created_at"))
    waiting = Table.objects.filter(status=Table.Status.GATHERING, is_arranged=False)
    return waiting.annotate(last_joined=last_joined)


def _cancel(table_ids: Sequence[int], now: datetime) -> None:
    for table_id in table_ids:
        tables.cancel_unstarted(table_id, now)
