"""Turns, players to wait for, and tables to watch."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from engine.play.rules import Rules
from gameplay import queries
from gameplay.models import Invitation, Seat, Table
from gameplay.services import play, tables


def to_act(table):
    return table.seats.get(number=table.seat_to_act).user


def test_a_running_match_waits_for_one_and_is_waited_for_by_the_others(seated, four):
    table = seated()
    actor = to_act(table)
    assert [seat.table for seat in queries.turns_of(actor)] == [table]
    assert queries.waiting_of(actor) == []
    for other in four:
        if other != actor:
            assert queries.turns_of(other) == []
            assert [seat.table for seat in queries.waiting_of(other)] == [table]


def test_least_time_left_comes_first(seated, four):
    first, second, third = seated(), seated(), seated()
    now = timezone.now()
    for table, hours in ((first, 30), (second, 2), (third, None)):
        table.deadline_at = None if hours is None else now + timezone.timedelta(hours=hours)
        table.save()
    actor = to_act(first)
    assert {to_act(table) for table in (second, third)} == {actor}
    assert [seat.table for seat in queries.turns_of(actor)] == [second, first, third]
    assert queries.next_turn(actor, second) == (first.slug, first.name, first.deadline_at, 2)
    assert queries.next_turn(actor, first) == (second.slug, second.name, second.deadline_at, 2)
    assert queries.turn_count(actor) == 3


def test_a_paused_match_waits_for_nobody(seated, four):
    table = seated()
    Table.objects.filter(pk=table.pk).update(paused_at=timezone.now())
    actor = to_act(table)
    assert queries.turns_of(actor) == []
    assert queries.turn_count(actor) == 0
    assert queries.next_turn(actor, seated(begun=False)) is None
    assert table in [seat.table for seat in queries.waiting_of(actor)]


def test_between_deals_everyone_is_waited_for_until_they_are_ready(seated, four, driver):
    table = driver.until(seated(), lambda table: table.is_between_deals)
    assert [queries.turn_count(user) for user in four] == [1, 1, 1, 1]
    play.ready_for_next_deal(table.pk, four[0], deal=1)
    assert [queries.turn_count(user) for user in four] == [0, 1, 1, 1]
    assert list(queries.waiting_of(four[0])[0].totals) == table.deals.get(number=1).result["totals"]


def test_a_match_that_has_not_begun_is_waited_for(seated, four):
    table = seated(begun=False)
    assert [seat.table for seat in queries.waiting_of(four[1])] == [table]


def test_practice_is_a_list_of_its_own_and_never_counted(four):
    table = tables.make_practice(four[0], Rules.preset("standard"))
    assert [seat.table for seat in queries.practice_of(four[0])] == [table]
    assert queries.practice_of(four[1]) == []
    assert queries.practice_of(AnonymousUser()) == []
    assert queries.turn_count(four[0]) == 0
    assert queries.turns_of(four[0]) == queries.waiting_of(four[0]) == []


def test_finished_matches_come_latest_first(seated, four, driver):
    tables_over = [seated(), seated()]
    for table, day in zip(tables_over, (1, 2), strict=True):
        ended = timezone.now() + timezone.timedelta(days=day)
        Table.objects.filter(pk=table.pk).update(status=Table.Status.OVER, ended_at=ended)
    assert [seat.table for seat in queries.finished_of(four[0])] == tables_over[::-1]
    assert [seat.table for seat in queries.finished_of(four[0], most=1)] == tables_over[1:]


@pytest.mark.parametrize(("watching", "is_shown"), [("anybody", True), ("link", False), ("nobody", False)])
def test_only_tables_that_anyone_may_watch_are_public(seated, watching, is_shown):
    table = seated(watching=watching)
    assert (table in queries.public_tables()) is is_shown


def test_public_are_running_matches(seated):
    seated(watching="anybody", begun=False)
    assert queries.public_tables() == []


def test_invitations_that_can_still_be_answered(seated, four, person):
    guest, table, running = person("Eve"), seated(begun=False), seated()
    invite = Invitation.objects.create
    open_one = invite(table=table, user=guest, token="a", invited_by=four[0])
    later = invite(table=seated(begun=False), user=guest, token="b")
    invite(table=running, user=guest, token="c")
    assert queries.invitations_of(guest) == [later, open_one]
    Invitation.objects.filter(pk=open_one.pk).update(answered_at=timezone.now())
    Invitation.objects.filter(pk=later.pk).update(revoked_at=timezone.now())
    assert queries.invitations_of(guest) == []


def test_lists_take_as_many_queries_for_three_tables_as_for_one(seated, four, django_assert_num_queries):
    actor = to_act(seated(watching="anybody"))
    other = next(user for user in four if user != actor)

    def everything():
        for seat in [*queries.turns_of(actor), *queries.waiting_of(other)]:
            assert [str(each.user) for each in seat.table.seats.all()]
        assert all(len(table.seats.all()) == 4 for table in queries.public_tables())

    with django_assert_num_queries(8):
        everything()
    seated(watching="anybody")
    seated(watching="anybody")
    assert Seat.objects.filter(user=actor).count() == 3
    with django_assert_num_queries(8):
        everything()
