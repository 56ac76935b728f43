import threading
from datetime import timedelta

import pytest
from django.db import connection, connections, transaction
from django.db.models import Count
from django.db.transaction import TransactionManagementError

from accounts.models import User
from gameplay.models import Seat, Table
from web.database.compiled_queries import Prepared

by_table = Prepared(
    lambda table_id, user_id: (
        Seat.objects.filter(table__pk=table_id)
        .exclude(user__pk=user_id)
        .select_related("user")
        .annotate(tables=Count("user__seats"))
        .order_by("-number")
    ),
    int,
    int,
)


def test_it_finds_what_the_query_finds(seated, django_assert_num_queries):
    table = seated()
    dee = table.seats.get(number=3).user_id
    by_table(table.pk, dee)
    with django_assert_num_queries(1):
        seats = by_table(table.pk, dee)
        assert [(seat.number, seat.user.display_name, seat.tables) for seat in seats] == [
            (2, "Cem", 1),
            (1, "Ben", 1),
            (0, "Ann", 1),
        ]
    assert seats[0].joined_at == Seat.objects.get(table=table, number=2).joined_at
    assert isinstance(seats[0].user, User)


def test_other_values_find_other_rows(seated):
    table = seated()
    ann, ben = table.creator_id, table.seats.get(number=1).user_id
    assert [[seat.number for seat in by_table(table.pk, user)] for user in (ann, ben, 0)] == [
        [3, 2, 1],
        [3, 2, 0],
        [3, 2, 1, 0],
    ]
    assert by_table(table.pk + 1, 0) == []


def test_a_value_that_the_compiler_leaves_out_is_refused(db):
    with pytest.raises(ValueError, match="Each value must stand in the query"):
        Prepared(lambda pk: Seat.objects.all(), int)(5)


def test_words_may_be_values_too(seated):
    table = seated()
    by_slug = Prepared(lambda slug, user_id: Seat.objects.filter(table__slug=slug, user__pk=user_id), str, int)
    assert [seat.number for seat in by_slug(table.slug, table.creator_id)] == [0]
    assert by_slug("' OR 1=1", table.creator_id) == []


def test_columns_that_are_put_off_are_fetched_when_they_are_needed(seated, django_assert_num_queries):
    table = seated()
    names = Prepared(
        lambda pk: Seat.objects.filter(table__pk=pk).select_related("user").defer("note", "user__email"), int
    )
    email = table.creator.email
    names(table.pk)
    with django_assert_num_queries(2):
        first, *_ = names(table.pk)
        assert (first.user.display_name, first.user.email) == ("Ann", email)


def test_json_and_empty_columns_come_as_they_were_written(seated):
    table = seated()
    Seat.objects.filter(table=table, number=0).update(standing={"draw": True}, time_left=timedelta(hours=3))
    seats = Prepared(lambda pk: Seat.objects.filter(table__pk=pk), int)(table.pk)
    assert [(seat.standing, seat.time_left, seat.former_user) for seat in seats[:2]] == [
        ({"draw": True}, timedelta(hours=3), None),
        ({}, table.seats.get(number=1).time_left, None),
    ]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's alone")
def test_postgresql_plans_it_once(transactional_db, seated):
    table = seated()
    for _ in range(3):
        by_table(table.pk, 0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        # Other statements that the connection ran twice are prepared as well.
        assert sum('AS "tables"' in statement for (statement,) in cursor.fetchall()) == 1


def test_it_can_be_asked_again_after_a_transaction_that_was_undone(transactional_db, seated):
    table = seated()
    with transaction.atomic():
        by_table(table.pk, 0)
        transaction.set_rollback(True)
    assert len(by_table(table.pk, 0)) == 4


def test_each_thread_asks_over_its_own_connection(transactional_db, seated):
    table, counts = seated(), []

    def ask():
        counts.append(len(by_table(table.pk, 0)))
        connections.close_all()

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [4] * 4


def test_a_table_is_locked_inside_a_transaction_only(transactional_db, seated):
    table = seated()
    with pytest.raises(TransactionManagementError):
        Table.objects.locked(table.pk)
