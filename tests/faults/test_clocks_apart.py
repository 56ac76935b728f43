"""The clocks of the web server and of the worker are two minutes off: the time of the database decides."""

from contextlib import contextmanager
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from engine.play.moves import DRAW
from gameplay.models import Heartbeat, Move, Table
from gameplay.services import clocks, play
from web.errors import Refused

FAST, SLOW = timedelta(seconds=120), timedelta(seconds=-120)
pytestmark = pytest.mark.django_db


@contextmanager
def clock_off_by(amount):
    """Python's clock, not the database's, is fast or slow by so much."""
    with time_machine.travel(timezone.now() + amount):
        yield


@pytest.fixture
def due_in(seated):
    """Makes a table whose deadline is so far ahead, by the database's time; the sweeper ran just now."""

    def make(wait, **terms):
        table, now = seated(**{"allows_absences": False, **terms}), timezone.now()
        Table.objects.filter(pk=table.pk).update(deadline_at=now + wait, clock_started_at=now + wait - table.allowance)
        Heartbeat.objects.create(name=clocks.HEARTBEAT, at=now)
        return Table.objects.get(pk=table.pk)

    return make


def to_act(table):
    return table.seats.select_related("user").get(number=table.seat_to_act).user


@pytest.mark.parametrize("off", [FAST, SLOW])
def test_nobody_runs_out_of_time_early(due_in, off):
    table = due_in(timedelta(seconds=60))
    with clock_off_by(off):
        clocks.sweep()
        assert table.moves.count() == table.happenings.filter(kind="missed").count() == 0
        play.play(table.pk, to_act(table), [DRAW], seen=0)
    assert table.moves.get().by == Move.By.PLAYER
    assert abs(table.moves.get().at - timezone.now()) < timedelta(seconds=60)


@pytest.mark.parametrize("off", [FAST, SLOW])
def test_a_deadline_that_passed_is_enforced(due_in, off):
    table = due_in(timedelta(seconds=-1))
    with clock_off_by(off):
        clocks.sweep()
    assert table.happenings.filter(kind="missed").count() == 1
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.STAND_IN}


@pytest.mark.parametrize("off", [FAST, SLOW])
def test_a_late_move_is_late(due_in, off):
    table = due_in(timedelta(seconds=-1))
    with clock_off_by(off), pytest.raises(Refused) as refused:
        play.play(table.pk, to_act(table), [DRAW], seen=0)
    assert refused.value.code == "too_late"
    assert set(table.moves.values_list("by", flat=True)) == {Move.By.STAND_IN}


def test_thinking_time_is_never_negative_though_the_clock_is_set_back(due_in):
    table = due_in(timedelta(hours=20), clock="bank", clock_hours=24)
    with clock_off_by(timedelta(hours=-1)):
        clocks.sweep()
        play.play(table.pk, to_act(table), [DRAW], seen=0)
    started = Table.objects.get(pk=table.pk).clock_started_at
    play_until_next(table, now=started - timedelta(hours=1))
    day = timedelta(hours=24)
    assert all(timedelta() <= seat.time_left <= day for seat in table.seats.all())
    assert table.happenings.filter(kind__in=("missed", "extended")).count() == 0


def play_until_next(table, now):
    """The seat to act ends its turn at a time before it began."""
    from tests.turns import play_turn

    table.refresh_from_db()
    play_turn(table, to_act(table), now=now)
