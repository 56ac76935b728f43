"""Queries about tables: turns, waiting players, and tables to watch.

Each returns whole lists in a number of queries that does not grow with them. A seat comes with its table, and the
table with all its seats; `totals` are the teams' points after the last finished deal, or `None`.
"""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import (
    Count,
    Exists,
    F,
    JSONField,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
    Window,
    prefetch_related_objects,
)

from accounts.models import Absence, User
from accounts.services import blocks
from gameplay.models import Deal, Invitation, Move, Seat, Table
from web.database.compiled_queries import Prepared

WAITS_FOR_SEAT = (
    Q(table__is_between_deals=False, table__seat_to_act=F("number"))
    | Q(table__is_between_deals=True, is_ready=False)
    | Q(is_lifting=True)
)
"""Of a running table that is not paused: the seat is to act or to lift, or has still to ask for the next deal."""

MOST_BESIDE = 30
"""Other tables of a player that a page watches."""

_LEAST_TIME_FIRST = (F("table__deadline_at").asc(nulls_last=True), "table__pk")


def is_turn_of(table: Table, seat: Seat) -> bool:
    """Whether the seat is to act or to lift at a table that plays a deal, as in `WAITS_FOR_SEAT`."""
    return seat.is_lifting or table.seat_to_act == seat.number


def turns_of(user: User) -> list[Seat]:
    """The person's seats that they are waited for at, practice aside, the least time left first; with positions."""
    return list(_with_tables(_to_act(user)))


def turn_count(player: User | AnonymousUser) -> int:
    """The number of tables that wait for this player; none for nobody."""
    return 0 if player.pk is None else _to_act(player).count()


def next_turn(user: User, but: Table) -> tuple[str, str, datetime | None, int] | None:
    """Other tables that wait for the person: slug, name and deadline of the most urgent, and their number."""
    for seat in _next_turn(user.pk, but.pk):
        return seat.table.slug, seat.table.name, seat.table.deadline_at, vars(seat)["tables_waiting"]
    return None


def running_beside(player: User | AnonymousUser, but: Table) -> list[tuple[str, int]]:
    """Slug and version of the player's other running matches, practice aside; none for nobody."""
    if player.pk is None:
        return []
    tables = Table.objects.running().filter(seats__user__pk=player.pk, is_practice=False).exclude(pk=but.pk)
    return list(tables.order_by("-pk").values_list("slug", "version")[:MOST_BESIDE])


def last_mover(table: Table) -> int | None:
    """The seat that made the last move of the log."""
    return Move.objects.filter(table=table).order_by("-number").values_list("seat", flat=True).first()


def seats_of(table: Table) -> list[Seat]:
    """The seats of a table in order, with their players and the players' absences.

    Few players are ever away, so absences are fetched only if there are any.
    """
    seats: list[Any] = _seats_of(table.pk)
    prefetch_related_objects([seat.user for seat in seats if seat.user and seat.may_be_away], "absences")
    for seat in seats:
        if seat.user and not seat.may_be_away:
            seat.user.known_absences = []
    return seats


def waiting_of(user: User) -> list[Seat]:
    """The person's other seats at unfinished matches that wait for others."""
    seats = Seat.objects.filter(
        user=user, table__status__in=(Table.Status.PLAYING, Table.Status.GATHERING), table__is_practice=False
    ).exclude(pk__in=_to_act(user).values("pk"))
    return list(_with_tables(seats).defer("table__snapshot").order_by("-table__status", *_LEAST_TIME_FIRST))


def practice_of(player: User | AnonymousUser) -> list[Seat]:
    """The player's practice matches that are not over, the latest first; none for nobody."""
    if player.pk is None:
        return []
    seats = Seat.objects.filter(user__pk=player.pk, table__status=Table.Status.PLAYING, table__is_practice=True)
    return list(_with_tables(seats).defer("table__snapshot").order_by("-table__pk"))


def is_newcomer(player: User | AnonymousUser) -> bool:
    """Whether the player has never played a match here."""
    return player.pk is None or not Seat.objects.filter(user__pk=player.pk, table__started_at__isnull=False).exists()


def alone_at(user: User) -> QuerySet[Table]:
    """Tables under way where the user is the only person."""
    others = Seat.objects.filter(table=OuterRef("pk"), user__isnull=False).exclude(user=user)
    return Table.objects.filter(seats__user=user, status=Table.Status.PLAYING).exclude(Exists(others))


def most_alone(most: int) -> list[tuple[int, bool, int]]:
    """People alone at most tables under way, each with whether they are a guest, and the number of tables."""
    others = Seat.objects.filter(table=OuterRef("table"), user__isnull=False).exclude(user=OuterRef("user"))
    seats = Seat.objects.filter(table__status=Table.Status.PLAYING, user__isnull=False).exclude(Exists(others))
    by_person = seats.values_list("user", "user__is_guest").annotate(count=Count("pk"))
    return list(by_person.order_by("-count", "user")[:most])


def finished_of(user: User, most: int = 5) -> list[Seat]:
    """The person's seats at the matches that ended last, practice among them."""
    seats = Seat.objects.filter(user=user, table__status__in=(Table.Status.OVER, Table.Status.ABANDONED))
    return list(_with_tables(seats).defer("table__snapshot").order_by("-table__ended_at", "-table__pk")[:most])


def last_created(user: User) -> Table | None:
    """The table that the person created last for others, not for an event, practice, a quick match or a rematch."""
    tables = Table.objects.filter(creator=user, is_arranged=False, wish=None, rematch_of=None).defer("snapshot")
    return tables.exclude(is_practice=True, watching=Table.Watching.NOBODY).order_by("-pk").first()


def public_tables(most: int = 5) -> list[Table]:
    """Running matches that anyone can watch, the one started last first."""
    tables = Table.objects.running().filter(watching=Table.Watching.ANYBODY, is_practice=False, is_sealed=False)
    rows = tables.annotate(totals=_totals(OuterRef("pk"))).prefetch_related("seats").defer("snapshot")
    return list(rows.order_by("-started_at", "-pk")[:most])


def invitations_of(user: User) -> list[Invitation]:
    """Invitations the person can still answer: to matches that wait for players."""
    rows = Invitation.objects.filter(user=user, answered_at=None, revoked_at=None, table__status=Table.Status.GATHERING)
    rows = blocks.without_blocked(rows, user, "invited_by")
    return list(rows.select_related("table", "invited_by").defer("table__snapshot").order_by("-pk"))


def sent_from(table: Table) -> list[Invitation]:
    """Invitations to the table that were neither accepted nor cancelled, oldest first."""
    sent = table.invitations.filter(revoked_at=None, is_accepted=False).select_related("user")
    return list(sent.order_by("pk"))


def _to_act(user: User) -> QuerySet[Seat]:
    return _waited_for(user.pk)


def _waited_for(user_id: int) -> QuerySet[Seat]:
    return Seat.objects.filter(
        WAITS_FOR_SEAT,
        user__pk=user_id,
        table__status=Table.Status.PLAYING,
        table__is_practice=False,
        table__paused_at=None,
    ).order_by(*_LEAST_TIME_FIRST)


def _with_tables(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """The seats with their tables, all seats there, and absences."""
    all_seats = Seat.objects.select_related("user").prefetch_related("user__absences")
    return (
        seats.select_related("table")
        .annotate(totals=_totals(OuterRef("table")))
        .prefetch_related(Prefetch("table__seats", all_seats))
    )


def _totals(table: Any) -> Subquery:
    over = Deal.objects.filter(table=table, ended_at__isnull=False).order_by("-number")
    return Subquery(over.values("result__totals")[:1], output_field=JSONField())


# Asked in every turn, and so compiled once

_NOT_OF_PLAY = ("password", "email", "last_login", "date_joined", "first_name", "last_name", "digest_on")
"""Fields of players that a table does not need."""

_seats_of = Prepared(
    lambda table_id: (
        Seat.objects.filter(table__pk=table_id)
        .select_related("user")
        .defer(*[f"user__{name}" for name in _NOT_OF_PLAY])
        .annotate(may_be_away=Exists(Absence.objects.filter(user=OuterRef("user"))))
    ),
    int,
)
_next_turn = Prepared(
    lambda user_id, but: (
        _waited_for(user_id)
        .exclude(table__pk=but)
        .annotate(tables_waiting=Window(Count("pk")))
        .select_related("table")
        .only("number", "table__slug", "table__name", "table__deadline_at")[:1]
    ),
    int,
    int,
)
