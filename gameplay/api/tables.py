"""API views for tables: list, create, join and start."""

import json
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from engine.play.rules import Rules
from gameplay.access import invitations_of, may_join, open_table, without_strangers
from gameplay.api import serializers
from gameplay.api.base import ReadAndAdd, described, digest, endpoint, engine_words, player, read, read_query
from gameplay.models import Table
from gameplay.queries import turns_of
from gameplay.services import invitations, quick_matches, seating, tables
from web.errors import NotAllowed


class Tables(ReadAndAdd):
    """The list of tables, and their creation."""

    @described(serializers.TablePage, asks=serializers.Which, name="tables_list")
    def get(self, request: Request) -> Response:
        """Your tables, or those that anyone can join, newest first."""
        query = read_query(serializers.Which, request)
        limit, rows = query["limit"], _tables_of(player(request), query["which"])
        if "before" in query:
            rows = rows.filter(pk__lt=Table.objects.filter(slug=query["before"]).values("pk"))
        page = list(rows[: limit + 1])
        return answer(request, serializers.TablePage, {"tables": page[:limit], "more": len(page) > limit})

    @described(serializers.WholeTable, takes=serializers.NewTable, refusals=(422,), status=201, name="tables_create")
    def post(self, request: Request) -> Response:
        """Create a table and take its first seat."""
        terms = read(serializers.NewTable, request.data)
        key = terms.pop("key", "")
        name, seat_count, team_size = terms.pop("name"), terms.pop("seat_count"), terms.pop("team_size")
        with engine_words():
            rules = Rules.make(terms.pop("ruleset"), terms.pop("options"))
            table = tables.make_table(
                player(request),
                rules,
                name=name,
                seat_count=seat_count,
                team_size=team_size,
                terms=terms,
                request_key=digest(f"{player(request).pk}:{key}") if key else None,
                request_content=digest(json.dumps(request.data, sort_keys=True)),
            )
        return table_answer(request, table.pk, status=201)


@endpoint("POST", "tables", serializers.WholeTable, takes=serializers.QuickMatch, refusals=(422,))
def play_now(request: Request) -> Response:
    """Take a seat at a table of people with the same wishes, or wait at a new one. Twice does no harm."""
    form = read(serializers.QuickMatch, request.data)
    wait = None if form["bots_after"] is None else timedelta(seconds=form["bots_after"])
    table = quick_matches.play_now(player(request), ruleset=form["ruleset"], pace=form["pace"], wait=wait)
    return table_answer(request, table.pk)


@endpoint("GET", "read", serializers.WholeTable)
def table(request: Request, slug: str) -> Response:
    """A table, its seats and how far the match is."""
    opened, _ = open_table(player(request), slug)
    return table_answer(request, opened.pk)


@endpoint("POST", "tables", serializers.WholeTable, takes=serializers.Join, refusals=(422,))
def join(request: Request, slug: str) -> Response:
    """Take a free seat and agree to the rules. Joining twice does no harm."""
    table, seat = open_table(player(request), slug)
    form = read(serializers.Join, request.data)
    if seat is None and not may_join(player(request), table):
        raise NotAllowed("may_not_join", gettext("You can watch this table but not join it."))
    invitation = invitations_of(player(request)).filter(table=table).first()
    if invitation is None:
        seating.join(table.pk, player(request), seat=form.get("seat"))
    else:
        invitations.accept(invitation, player(request), seat=form.get("seat"))
    return table_answer(request, table.pk)


@endpoint("POST", "tables", None, takes=serializers.Nothing, refusals=(422,), status=204)
def leave(request: Request, slug: str) -> Response:
    """Leave the table before the match starts. Leaving twice does no harm."""
    table, _ = open_table(player(request), slug)
    read(serializers.Nothing, request.data)
    seating.leave(table.pk, player(request))
    return Response(status=204)


@endpoint("POST", "tables", serializers.WholeTable, takes=serializers.SeatBot, refusals=(422,))
def bot(request: Request, slug: str) -> Response:
    """Add a bot to a free seat, or to all without `seat`, or remove one. For the creator."""
    table, _ = open_table(player(request), slug)
    form = read(serializers.SeatBot, request.data)
    if "seat" in form:
        seating.seat_bot(table.pk, player(request), seat=form["seat"], level=form["level"])
    else:
        seating.seat_bots(table.pk, player(request), level=form["level"])
    return table_answer(request, table.pk)


@endpoint("POST", "tables", serializers.WholeTable, takes=serializers.Nothing, refusals=(422,))
def start(request: Request, slug: str) -> Response:
    """Start the match. For the creator. Starting twice does no harm."""
    table, _ = open_table(player(request), slug)
    read(serializers.Nothing, request.data)
    tables.start(table.pk, player(request))
    return table_answer(request, table.pk)


@endpoint("GET", "read", serializers.Turns)
def turns(request: Request) -> Response:
    """Tables that wait for your move or your request for the next deal, least time left first."""
    return answer(request, serializers.Turns, {"tables": [seat.table for seat in turns_of(player(request))]})


def _tables_of(user: User, which: str) -> QuerySet[Table]:
    if which == "open":
        open_tables = Table.objects.filter(status=Table.Status.GATHERING, joining=Table.Joining.OPEN)
        rows = without_strangers(open_tables, user)
    else:
        rows = Table.objects.filter(seats__user=user)
    return _with_seats(rows).order_by("-pk")


def _with_seats(rows: QuerySet[Table]) -> QuerySet[Table]:
    """With the seats; without the position, which is large and nobody's to see."""
    return rows.defer("snapshot").prefetch_related("seats")


def table_answer(request: Request, table_id: int, *, status: int = 200) -> Response:
    """The table as it is now."""
    return answer(request, serializers.WholeTable, _with_seats(Table.objects.all()).get(pk=table_id), status=status)


def answer(request: Request, shape: Any, data: Any, *, status: int = 200, **context: Any) -> Response:
    """The data in this shape."""
    return Response(shape(data, context={"request": request, **context}).data, status=status)
