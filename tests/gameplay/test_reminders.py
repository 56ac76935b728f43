"""Reminders: each once, in order, to players who are not looking, and nothing for a turn that is over."""

from datetime import timedelta

import pytest
import time_machine

from accounts.models import Notice
from accounts.services import notices
from engine.play.moves import DRAW
from gameplay import notification_types
from gameplay.models import Heartbeat, Seat, Table
from gameplay.services import clocks, pauses, play
from tests.turns import play_bots, play_turn

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def table(seated):
    return seated(clock_hours=50, allows_absences=False)


def sweep(at):
    Heartbeat.objects.update_or_create(name=clocks.HEARTBEAT, defaults={"at": at - MINUTE})
    clocks.sweep(at)


def sent(table):
    return list(Notice.objects.filter(kind="reminder").order_by("pk").values_list("user", "title"))


def to_act(table):
    return table.seats.select_related("user").get(number=table.seat_to_act)


def is_wanted(notice):
    return notices._questions[notice.kind](notice)


def test_three_reminders_each_once_and_in_order(table):
    started, user = table.clock_started_at, to_act(table).user
    for hours in (24, 25, 25.1, 39, 40, 40.1, 47, 48, 48.1, 49):
        sweep(started + hours * HOUR)
        sweep(started + hours * HOUR)
    assert sent(table) == [
        (user.pk, "Harbour Four: half of your time is gone"),
        (user.pk, "Harbour Four: most of your time is gone"),
        (user.pk, "Harbour Four: two hours are left"),
    ]
    table.refresh_from_db()
    assert table.remind_at is None


def test_a_late_sweeper_sends_the_last_that_is_due_and_no_earlier_one(table):
    sweep(table.clock_started_at + 41 * HOUR)
    sweep(table.clock_started_at + 42 * HOUR)
    assert [title for _, title in sent(table)] == ["Harbour Four: most of your time is gone"]
    table.refresh_from_db()
    assert table.remind_at == table.clock_started_at + 48 * HOUR


def test_none_while_the_player_is_looking(table):
    now = table.clock_started_at + 25 * HOUR
    Seat.objects.filter(table=table).update(looked_at=now - MINUTE)
    sweep(now)
    sweep(now + HOUR)
    assert sent(table) == []
    sweep(table.clock_started_at + 40 * HOUR)
    assert len(sent(table)) == 1


def test_the_next_player_has_reminders_of_their_own(table):
    now = table.clock_started_at + 26 * HOUR
    sweep(now)
    first = to_act(table)
    play_turn(table, first.user, now=now)
    table.refresh_from_db()
    assert table.remind_at == now + 25 * HOUR
    sweep(now + 25 * HOUR)
    assert [user for user, _ in sent(table)] == [first.user_id, to_act(table).user_id]


def test_no_reminder_in_a_pause(table):
    users = [seat.user for seat in table.seats.select_related("user")]
    pauses.propose_pause(table.pk, users[0])
    for user in users[1:]:
        pauses.agree_pause(table.pk, user)
    sweep(table.clock_started_at + 26 * HOUR)
    assert sent(table) == []


def test_a_bot_is_reminded_of_nothing(table):
    seat = to_act(table)
    Seat.objects.filter(pk=seat.pk).update(user=None, bot="club")
    sweep(table.clock_started_at + 26 * HOUR)
    assert sent(table) == []


# Whether a notice is still wanted


def test_a_notice_of_a_turn_is_dropped_once_the_player_has_moved(table):
    seat, notice = to_act(table), Notice.objects.get(kind="turn")
    assert notice.user == seat.user
    assert is_wanted(notice)
    play.play(table.pk, seat.user, [DRAW], seen=0)
    assert not is_wanted(notice)


def test_a_notice_of_a_turn_outlives_a_standing_order(table):
    notice = Notice.objects.get(kind="turn")
    play.play(table.pk, to_act(table).user, [DRAW], seen=0)
    Seat.objects.filter(table=table).update(looked_at=None)
    assert not is_wanted(notice)
    table.moves.update(by="standing")
    assert is_wanted(notice)


def test_a_notice_of_a_turn_waits_for_nobody_who_looks(table):
    seat, notice = to_act(table), Notice.objects.get(kind="turn")
    with time_machine.travel(table.clock_started_at + HOUR, tick=False):
        Seat.objects.filter(pk=seat.pk).update(looked_at=table.clock_started_at + HOUR - MINUTE)
        assert not is_wanted(notice)
        Seat.objects.filter(pk=seat.pk).update(looked_at=table.clock_started_at + HOUR - 3 * MINUTE)
        assert is_wanted(notice)


@pytest.mark.parametrize("change", [{"paused_at": "2026-01-01T00:00Z"}, {"status": Table.Status.OVER}])
def test_a_notice_of_a_turn_is_dropped_when_nothing_is_played(table, change):
    notice = Notice.objects.get(kind="turn")
    Table.objects.filter(pk=table.pk).update(**change)
    assert not is_wanted(notice)


def test_notices_of_a_table_that_is_gone_are_dropped(table):
    notice = Notice.objects.get(kind="turn")
    table.delete()
    assert not is_wanted(notice)


def test_who_wants_the_next_deal_is_not_told_of_it(table, driver):
    driver.until(table, lambda table: table.is_between_deals)
    first, *others = Notice.objects.filter(kind="deal")
    assert len(others) == 3
    assert is_wanted(first)
    play.ready_for_next_deal(table.pk, first.user, deal=1)
    assert not is_wanted(first)
    assert is_wanted(others[0])
    for notice in others:
        play.ready_for_next_deal(table.pk, notice.user, deal=1)
    assert not is_wanted(others[0])


def test_the_end_is_told_to_who_has_not_seen_it(table):
    users = [seat.user for seat in table.seats.select_related("user")]
    pauses.offer_abandon(table.pk, users[0])
    proposal = Notice.objects.filter(kind="proposal").first()
    assert is_wanted(proposal)
    for user in users[1:]:
        pauses.agree_abandon(table.pk, user)
    assert not is_wanted(proposal)
    over = Notice.objects.filter(kind="over", user=users[0]).get()
    assert is_wanted(over)
    table.refresh_from_db()
    Seat.objects.filter(table=table).update(looked_at=table.ended_at)
    assert not is_wanted(over)


def test_every_kind_has_its_question():
    assert set(notification_types.KINDS) <= set(notices._questions)


def test_practice_tells_nobody(person):
    from engine.play.rules import Rules
    from gameplay.services import tables

    practice = tables.make_practice(person("Ann"), Rules.make("standard"))
    play_bots(practice.pk)
    assert not Notice.objects.exists()
