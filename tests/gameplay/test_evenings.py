"""Clocks of an evening: seconds for a turn with a bank, from when all are at the table, and what happens to who is not."""

import re
from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse

from accounts.models import Notice
from config.celery import app
from gameplay.models import Heartbeat, Move
from gameplay.services import clocks, pauses
from gameplay.snapshot import state_of
from tests.turns import play_turn
from web.errors import Refused


class Time:
    """The time of a test, which passes when it says so; it starts with the match."""

    now = None

    def shift(self, length):
        Time.now += length


def now():
    return Time.now


@pytest.fixture
def evening(seated):
    """A table of an evening: 60 seconds a turn, a bank of 180; a function to let players look at it, and the time."""

    def make(**terms):
        table = seated(**{"clock": "live", "turn_seconds": 60, "bank_seconds": 180, **terms})
        Time.now = table.started_at
        return table, lambda *numbers: look(table, *numbers), Time()

    return make


def look(table, *numbers):
    """The players of these seats, or all, look at the table."""
    seats = table.seats.filter(number__in=numbers) if numbers else table.seats.all()
    seats.update(looked_at=now())
    clocks.come_to_table(table.pk, now())
    table.refresh_from_db()


def sweep(table):
    clocks.sweep(now())
    table.refresh_from_db()


def test_the_clocks_start_when_all_are_at_the_table(evening):
    table, look, time = evening()
    assert (table.clock_started_at, table.gathered_at) == (None, None)
    look(0, 1, 2)
    assert table.gathered_at is None
    time.shift(timedelta(seconds=30))
    look(3)
    assert table.gathered_at == now()
    assert table.deadline_at == now() + timedelta(seconds=240)
    assert table.remind_at is None


def test_the_clocks_start_after_ten_minutes_in_any_case(evening):
    table, _, time = evening()
    sweep(table)
    time.shift(timedelta(minutes=9))
    sweep(table)
    assert table.gathered_at is None
    time.shift(timedelta(minutes=1, seconds=1))
    sweep(table)
    assert table.gathered_at == now()
    assert not table.moves.exists()


def test_unused_seconds_fill_the_bank_and_no_more(evening):
    table, look, time = evening()
    look()
    seat = table.seat_to_act
    time.shift(timedelta(seconds=100))
    look()
    play_turn(table, table.seats.get(number=seat).user, now=now())
    assert table.seats.get(number=seat).time_left == timedelta(seconds=140)
    table.refresh_from_db()
    follower = table.seat_to_act
    time.shift(timedelta(seconds=10))
    play_turn(table, table.seats.get(number=follower).user, now=now())
    assert table.seats.get(number=follower).time_left == timedelta(seconds=180)


def test_who_is_not_there_has_the_turn_and_no_bank(evening):
    table, look, time = evening()
    look()
    sweep(table)
    first = table.seat_to_act
    follower = (first + 1) % 4
    time.shift(timedelta(seconds=120))
    look(*(number for number in range(4) if number != follower))
    play_turn(table, table.seats.get(number=first).user, now=now())
    table.refresh_from_db()
    assert table.deadline_at == now() + timedelta(seconds=60)
    look(follower)
    assert table.deadline_at == now() + timedelta(seconds=240)


def test_who_leaves_in_their_turn_loses_it_soon(evening):
    table, look, time = evening()
    look()
    sweep(table)
    seat = table.seat_to_act
    time.shift(timedelta(seconds=90))
    sweep(table)
    assert table.seat_to_act == seat
    time.shift(timedelta(seconds=15))
    sweep(table)
    assert table.seat_to_act != seat
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.STAND_IN}


def test_a_missed_turn_only_draws_and_discards_where_the_table_says_so(evening):
    table, look, time = evening(missed="skip")
    look()
    sweep(table)
    seat = table.seat_to_act
    time.shift(timedelta(seconds=241))
    sweep(table)
    assert [text.split()[0] for text in table.moves.values_list("text", flat=True)] == ["draw", "discard"]
    assert table.seats.get(number=seat).turns_missed == 1
    assert state_of(table).turn != seat


def test_a_move_after_the_last_second_is_too_late(evening, refuses):
    table, look, time = evening()
    look()
    sweep(table)
    user = table.seats.get(number=table.seat_to_act).user
    time.shift(timedelta(seconds=241))
    Heartbeat.objects.update(at=now())
    look()
    with refuses("too_late"):
        play_turn(table, user, now=now())


def test_a_deadline_is_looked_at_when_it_passes(evening, monkeypatch, django_capture_on_commit_callbacks):
    waits = []
    monkeypatch.setattr(
        "gameplay.tasks.sweep_deadlines.apply_async", lambda **options: waits.append(options["countdown"])
    )
    _, look, _ = evening()
    with django_capture_on_commit_callbacks(execute=True):
        look()
    assert waits == [240.2]
    assert "gameplay.tasks.sweep_deadlines" in app.tasks


def test_nobody_is_reminded_or_notified_of_a_turn(evening):
    table, look, time = evening()
    look()
    for seconds in (120, 100, 15):
        time.shift(timedelta(seconds=seconds))
        look()
        sweep(table)
    assert not Notice.objects.filter(kind__in=("turn", "reminder", "missed")).exists()
    assert mail.outbox == []


def test_weekends_nights_and_absences_stop_nothing(evening):
    table, look, _ = evening(free_weekends=True, free_nights=True, allows_absences=True)
    for seat in table.seats.select_related("user"):
        seat.user.time_zone, seat.user.weekend_days = "America/New_York", "0123456"
        seat.user.save(update_fields=["time_zone", "weekend_days"])
    look()
    assert table.deadline_at == now() + timedelta(seconds=240)


def test_a_pause_keeps_the_seconds(evening):
    table, look, time = evening()
    look()
    time.shift(timedelta(seconds=40))
    people = [seat.user for seat in table.seats.select_related("user")]
    pauses.propose_pause(table.pk, people[0], now())
    for user in people[1:]:
        pauses.agree_pause(table.pk, user, now())
    time.shift(timedelta(hours=2))
    table.seats.update(looked_at=now())
    pauses.resume(table.pk, people[0], now())
    table.refresh_from_db()
    assert table.deadline_at == now() + timedelta(seconds=215)
    line = table.happenings.last().sentence
    assert line == "Ann resumed the match. The clock starts again in 15 seconds."


@pytest.mark.parametrize(
    "terms",
    [
        {"clock": "live", "turn_seconds": 29},
        {"clock": "live", "turn_seconds": 601},
        {"clock": "live", "turn_seconds": 60, "bank_seconds": 1801},
        {"clock": "move", "missed": "skip"},
    ],
)
def test_clocks_without_sense_are_refused(seated, terms):
    with pytest.raises(Refused):
        seated(begun=False, **terms)


def test_the_page_counts_seconds_and_says_them_to_no_screen_reader(evening, client):
    table, look, _ = evening()
    client.force_login(table.seats.get(number=0).user)
    page = client.get(table.get_absolute_url()).content.decode()
    assert "The clocks start when all players are at the table." in page
    look()
    page = client.get(table.get_absolute_url()).content.decode()
    assert re.search(r'data-left="seconds" role="timer">[34]:\d\d</time>', page)
    assert "60 seconds per turn, plus a bank of 180 seconds." in page


def test_to_look_at_the_table_is_to_be_there(evening, client):
    table, look, _ = evening()
    look(1, 2, 3)
    client.force_login(table.seats.get(number=0).user)
    assert client.post(reverse("gameplay:looking", args=[table.slug])).status_code == 204
    table.refresh_from_db()
    assert table.gathered_at is not None
