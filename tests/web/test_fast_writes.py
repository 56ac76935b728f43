"""Rows written with prepared statements: they are the rows that the ORM would have written."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import Notice
from gameplay.models import Move, Seat
from web.database.fast_writes import insert, update

AT = datetime(2026, 11, 20, 20, 15, tzinfo=UTC)


def move(table, number, **more):
    return Move(table=table, number=number, deal=1, seat=0, text="draw", at=AT, **more)


def test_rows_of_a_list_are_written_at_once(seated, django_assert_num_queries):
    table = seated()
    with django_assert_num_queries(1):
        insert([move(table, 1, events=[{"event": "drew"}]), move(table, 2, by=Move.By.BOT, request_key="k")])
    assert list(table.moves.values_list("number", "by", "at", "events", "request_key")) == [
        (1, "player", AT, [{"event": "drew"}], None),
        (2, "bot", AT, [], "k"),
    ]


def test_no_rows_need_no_statement(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        insert([])


def test_a_row_that_must_not_be_there_twice_is_refused(seated):
    table = seated()
    insert([move(table, 1)])
    with pytest.raises(IntegrityError), transaction.atomic():
        insert([move(table, 1)])
    assert table.moves.count() == 1


def test_or_left_out_where_that_is_asked_for(person):
    ann = person("Ann")
    for title in ("first", "second"):
        insert([Notice(user=ann, kind="turn", key="turn:1:1", title=title, url="/", due_at=AT)], skip_known=True)
    assert list(ann.notices.values_list("title", flat=True)) == ["first"]
    assert ann.notices.get().created_at is not None


def test_only_what_is_named_is_written(seated, django_assert_num_queries):
    table = seated()
    seat = table.seats.select_related("user").get(number=2)
    seat.time_left, seat.looked_at, seat.note = timedelta(hours=30), AT, "not this"
    seat.standing = {"yes_up_to": 50}
    with django_assert_num_queries(1):
        update((seat, ["time_left", "looked_at", "standing"]))
    stored = Seat.objects.get(pk=seat.pk)
    assert (stored.time_left, stored.looked_at, stored.standing, stored.note) == (
        timedelta(hours=30),
        AT,
        {"yes_up_to": 50},
        "",
    )
    assert {other.time_left for other in table.seats.exclude(pk=seat.pk)} != {timedelta(hours=30)}


def test_nothing_can_be_written_and_foreign_keys_can(seated):
    table = seated()
    seat = table.seats.get(number=1)
    former, seat.user_id, seat.bot = seat.user_id, None, "club"
    seat.former_user_id = former
    update((seat, ["user_id", "bot", "former_user_id"]))
    stored = Seat.objects.get(pk=seat.pk)
    assert (stored.user_id, stored.bot, stored.former_user_id) == (None, "club", former)


def test_rows_of_different_tables_are_written_in_one_statement_where_the_database_can(
    seated, django_assert_num_queries
):
    table = seated()
    first, second = table.seats.filter(number__lt=2)
    first.note, second.note, table.version = "first", "second", 41
    with django_assert_num_queries(1 if connection.vendor == "postgresql" else 4):
        update((first, ["note"]), (second, ["note"]), (table, ["version"]), new=[move(table, 1), move(table, 2)])
    table.refresh_from_db()
    assert [table.version, *table.seats.filter(number__lt=2).values_list("note", flat=True)] == [41, "first", "second"]
    assert list(table.moves.values_list("number", flat=True)) == [1, 2]


def test_what_is_returned_is_worked_out_from_the_new_row(seated):
    table = seated()
    table.version = 41
    with transaction.atomic():
        update((table, ["version"]), returning="version + 1")
    table.refresh_from_db()
    assert table.version == 41


@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's alone")
def test_postgresql_plans_each_statement_once(transactional_db, seated):
    seat = seated().seats.get(number=0)
    for _ in range(3):
        update((seat, ["note"]))
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'UPDATE%note%'")
        assert cursor.fetchone() == (1,)
