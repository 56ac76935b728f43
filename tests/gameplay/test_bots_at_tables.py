"""Bots at tables: played by a task that may run twice, at once, late, or not at all."""

from datetime import timedelta
from functools import partial
from types import SimpleNamespace

import pytest
from django.utils import timezone

from engine.play.moves import parse_move
from engine.play.rules import Rules
from engine.play.view import View
from gameplay import tasks
from gameplay.log.story import read_events
from gameplay.models import Move, Table
from gameplay.services import bots, leaving, pauses, tables
from gameplay.snapshot import state_of
from tests.at_once import at_once
from tests.turns import play_bots, play_turn


@pytest.fixture
def practice(person):
    """A practice table at which a bot is to act."""

    def make(level="club"):
        table = tables.make_practice(person("Ann"), Rules.make("standard"), level=level)
        play_turn(table, table.seats.get(number=0).user)
        table.refresh_from_db()
        assert table.seat_to_act == 1
        return table

    return make


def test_bots_play_until_it_is_a_persons_turn(practice):
    table = practice()
    tasks.play_bots(table.pk)
    table.refresh_from_db()
    assert (table.seat_to_act, table.bot_due_at) == (0, None)
    assert set(table.moves.exclude(seat=0).values_list("by", flat=True)) == {Move.By.BOT}
    count = table.move_count
    tasks.play_bots(table.pk)
    table.refresh_from_db()
    assert table.move_count == count == table.moves.count()


@pytest.mark.parametrize("level", ["random", "novice", "club", "expert", "master"])
def test_every_level_plays(practice, level):
    table = practice(level)
    play_bots(table.pk)
    table.refresh_from_db()
    assert table.seat_to_act == 0


def test_a_task_for_a_table_that_is_gone_does_nothing(db):
    tasks.play_bots(12345)


def test_a_stale_task_does_nothing(seated):
    table = seated()
    tasks.play_bots(table.pk)
    assert table.moves.count() == 0


def test_moves_thought_out_for_another_position_are_thrown_away(practice, monkeypatch):
    table, think = practice(), bots.think

    def think_slowly(state, level, log, **time):
        moves = think(state, level, log, **time)
        monkeypatch.setattr(bots, "think", think)
        assert bots.play_turn(table.pk)
        return moves

    monkeypatch.setattr(bots, "think", think_slowly)
    assert not bots.play_turn(table.pk)
    assert set(table.moves.values_list("seat", flat=True)) == {0, 1}


def test_a_bot_sees_views_only(practice, monkeypatch):
    views, make_bot = [], bots.make_bot

    def watched(level, **time):
        bot = make_bot(level, **time)
        return SimpleNamespace(choose=lambda view: views.append(view) or bot.choose(view))

    table = practice()
    monkeypatch.setattr(bots, "make_bot", watched)
    bots.play_turn(table.pk)
    assert views
    assert {(type(view), view.seat) for view in views} == {(View, 1)}


def test_a_bot_sees_what_the_table_has_seen_and_no_hidden_card(practice, monkeypatch):
    views, make_bot = [], bots.make_bot

    def watched(level, **time):
        bot = make_bot(level, **time)
        return SimpleNamespace(choose=lambda view: views.append(view) or bot.choose(view))

    table = practice()
    shown = [event.seen_by(None) for row in table.moves.all() for event in read_events(row.events, None)]
    monkeypatch.setattr(bots, "make_bot", watched)
    bots.play_turn(table.pk)
    assert list(views[0].log.events) == shown
    assert [event.cards for event in views[-1].log.events if event.kind == "drew"] == [b"", b""]
    assert len(views[-1].log) > len(shown)


@pytest.mark.parametrize("fault", ["raises", "cheats"])
def test_a_bot_that_fails_does_not_hold_up_the_table(practice, monkeypatch, caplog, fault):
    def choose(view):
        if fault == "raises":
            raise RuntimeError("KH is hidden")
        return parse_move("answer yes")

    monkeypatch.setattr(bots, "make_bot", lambda level, **time: SimpleNamespace(choose=choose))
    table = practice()
    play_bots(table.pk)
    table.refresh_from_db()
    assert table.seat_to_act == 0
    assert "A bot of level club failed" in caplog.text
    assert "KH" not in caplog.text


def test_the_sweeper_finds_bots_that_nobody_woke(practice):
    table = practice()
    tasks.sweep_bots()
    table.refresh_from_db()
    assert table.seat_to_act == 0


def test_a_table_that_fails_stops_no_other(practice, person, caplog):
    table = practice()
    other = tables.make_practice(person("Ben"), Rules.make("standard"))
    play_turn(other, other.creator)
    Table.objects.filter(pk=table.pk).update(snapshot={"secret": "KH"}, bot_due_at=timezone.now() - timedelta(hours=1))
    tasks.sweep_bots()
    other.refresh_from_db()
    assert other.seat_to_act == 0
    assert f"table {table.pk} failed" in caplog.text
    assert "KH" not in caplog.text
    table.refresh_from_db()
    assert table.bot_due_at > timezone.now()


def test_bots_rest_in_a_pause(practice):
    table = practice()
    user = table.seats.get(number=0).user
    pauses.propose_pause(table.pk, user)
    play_bots(table.pk)
    assert table.moves.count() == table.move_count
    pauses.resume(table.pk, user)
    play_bots(table.pk)
    assert table.moves.count() > table.move_count


def test_a_practice_table_left_by_its_player_is_over(practice):
    table = practice()
    leaving.resign(table.pk, table.seats.get(number=0).user)
    table.refresh_from_db()
    assert table.status == Table.Status.ABANDONED
    play_bots(table.pk)
    assert table.moves.count() == table.move_count


@pytest.mark.django_db(transaction=True)
def test_ten_tasks_at_once_do_what_one_does(practice):
    table = practice()
    assert at_once(*[partial(tasks.play_bots, table.pk)] * 10) == [None] * 10
    table.refresh_from_db()
    assert table.seat_to_act == 0
    assert list(table.moves.values_list("number", flat=True)) == list(range(1, table.move_count + 1))
    seats = list(table.moves.values_list("seat", flat=True))
    assert seats == sorted(seats)
    assert state_of(table).turn == 0
