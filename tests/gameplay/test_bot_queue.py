"""Whose bot plays next: people before practice, then the person who has used least, one turn at a time."""

import re
import threading
from datetime import timedelta
from functools import partial

import pytest
from django.db import OperationalError
from django.utils import timezone

from accounts import budgets
from accounts.budgets import Subject
from engine.play.rules import Rules
from gameplay import tasks, worker_signals
from gameplay.clocks import BOT_CLAIM
from gameplay.models import Seat, Table
from gameplay.services import bot_queue, bots, tables
from gameplay.services.bot_queue import CREDIT, Shares, Waiting
from gameplay.snapshot import state_of
from tests.at_once import at_once
from tests.makers import make_table
from tests.pages import squeezed
from tests.turns import play_bots, play_turn
from web.recent_use import RecentUse


@pytest.fixture(autouse=True)
def shares(monkeypatch):
    """The shares of a process that has just begun."""
    monkeypatch.setattr(bot_queue, "_shares", Shares())
    recent = RecentUse(busy=bot_queue.BUSY, calm=bot_queue.CALM, spare=bot_queue.SPARE)
    monkeypatch.setattr(bot_queue, "_recent", recent)
    return bot_queue._shares


@pytest.fixture
def turns(monkeypatch):
    """The tables whose turn was played, in order; each turn costs a second of thinking."""
    played, act, seconds = [], bots.act, [0.0]

    def note(table_id, **thought):
        played.append(table_id)
        seconds[0] += 1
        return act(table_id, **thought)

    monkeypatch.setattr(bots, "act", note)
    monkeypatch.setattr(bot_queue.time, "thread_time", lambda: seconds[0])
    return played


def due(table, seconds=1):
    """Let the bot that is to act have been due for so long."""
    Table.objects.filter(pk=table.pk).update(bot_due_at=timezone.now() - timedelta(seconds=seconds))
    return table


def practice(user, seconds=1, seats=4):
    """A practice table of a person at which three bots are to play."""
    table = tables.make_practice(user, Rules.make("standard"), seat_count=seats)
    play_turn(table, user)
    table.refresh_from_db()
    return due(table, seconds)


def with_people(people, seconds=1):
    """A table of several people, with a bot whose turn it is."""
    table = make_table(people)
    Seat.objects.filter(table=table, number=table.seat_to_act).update(user=None, bot="club", name="Bot")
    return due(table, seconds)


def play_all():
    while bot_queue.play_next():
        pass


# The order


def test_tables_with_people_come_before_practice(person, four, turns):
    waiting = practice(person("Eve"), seconds=60)
    of_people = with_people(four)
    play_all()
    assert turns == [of_people.pk, *[waiting.pk] * 3]


def test_a_table_of_bots_alone_waits_with_practice(person, four, turns):
    nobody = make_table(four)
    Seat.objects.filter(table=nobody).update(user=None, bot="club")
    due(nobody, seconds=60)
    of_people = with_people([person(name) for name in ("Eve", "Flo", "Gus", "Hal")])
    bot_queue.play_next()
    bot_queue.play_next()
    assert turns == [of_people.pk, nobody.pk]


def test_sixty_tables_of_one_person_delay_anothers_turns_by_one_each(person, turns, limited):
    for budget in (budgets.TABLES, budgets.PRACTICE_TABLES):
        limited(budget, person=None)
    many, few = person("Ann"), person("Ben")
    tables_of_ann = {practice(many, seconds=100).pk for _ in range(60)}
    table = practice(few)
    for _ in range(6):
        bot_queue.play_next()
    assert [pk in tables_of_ann for pk in turns] == [True, False, True, False, True, False]
    assert turns.count(table.pk) == 3
    table.refresh_from_db()
    assert table.seat_to_act == 0


def test_of_two_people_the_one_whose_bots_have_thought_less_is_served(person, shares, turns):
    ann, ben = person("Ann"), person("Ben")
    of_ann, of_ben = practice(ann, seconds=60), practice(ben)
    shares.charge([ann.pk], 3500)
    play_all()
    assert turns == [*[of_ben.pk] * 3, *[of_ann.pk] * 3]


def test_the_tables_of_one_person_take_turns(person, turns):
    ann = person("Ann")
    first, second = practice(ann, seconds=3), practice(ann, seconds=2)
    play_all()
    assert turns[:4] == [first.pk, second.pk, first.pk, second.pk]


def test_everyone_at_a_table_pays_a_share_of_its_bot(four, shares, turns):
    table = with_people(four)
    people = list(Seat.objects.filter(table=table, user__isnull=False).values_list("user", flat=True))
    bot_queue.play_next()
    assert turns == [table.pk]
    assert [round(shares.used(pk), 3) for pk in people] == [round(1000 / 3, 3)] * 3


@pytest.fixture
def thoughts(turns, monkeypatch):
    """(table, seconds that its bot may think) of each turn that was played, in order."""
    noted, act = [], bots.act

    def note(table_id, *, seconds=None):
        noted.append((table_id, seconds))
        return act(table_id, seconds=seconds)

    monkeypatch.setattr(bots, "act", note)
    return noted


def test_who_had_bots_think_for_long_has_short_thoughts_while_others_want_bots(person, shares, thoughts):
    ann, ben = person("Ann"), person("Ben")
    bot_queue._recent.add(ann.pk, 2 * bot_queue.BUSY)
    of_ben, of_ann = practice(ben), practice(ann)
    shares.charge([ann.pk], 3500)
    play_all()
    assert thoughts == [*[(of_ben.pk, None)] * 3, *[(of_ann.pk, bot_queue.SHORT)] * 3]


def test_alone_nobody_has_short_thoughts(person, thoughts):
    ann = person("Ann")
    bot_queue._recent.add(ann.pk, 2 * bot_queue.BUSY)
    table = practice(ann)
    play_all()
    assert thoughts == [(table.pk, None)] * 3


def test_a_bot_of_a_table_with_other_people_thinks_as_long_as_ever(four, person, thoughts):
    bot_queue._recent.add(person("Eve").pk, 2 * bot_queue.SPARE)
    for user in four:
        bot_queue._recent.add(user.pk, 2 * bot_queue.BUSY)
    table = with_people(four)
    bot_queue.play_next()
    assert thoughts == [(table.pk, None)]


def test_an_expert_with_little_time_takes_little(person):
    state = state_of(practice(person("Ann")))
    assert bots.think(state, "expert", seconds=0.0) == bots.think(state, "expert", seconds=0.0)


def test_nobody_saves_up_a_right_of_way(shares):
    shares.charge([1], 5000)
    shares.charge([1], 5000)
    assert shares.used(1) == 10000
    assert shares.used(2) == 5000 - CREDIT
    shares.charge([2], CREDIT)
    since = timezone.now()
    assert shares.used(2) == 5000
    assert shares.choose([Waiting(1, False, True, since, 1), Waiting(2, False, True, since, 1)]).person == 2


def test_shares_forget_those_who_are_no_longer_ahead_of_a_newcomer(shares):
    for person in range(100):
        shares.charge([person], 1)
    shares.charge([1], 10_000)
    shares.charge([1], 1)
    assert set(shares._used) == {1}


def test_a_standing_order_goes_the_same_way(seated, turns):
    table = seated()
    seat = Seat.objects.get(table=table, number=table.seat_to_act)
    Seat.objects.filter(pk=seat.pk).update(standing={"draw": True})
    due(table)
    assert bot_queue.play_next() > 0
    table.refresh_from_db()
    assert (turns, table.move_count) == ([table.pk], 1)


# Thinking time that is used up


def test_practice_rests_while_its_persons_budget_is_used_up_and_its_page_says_so(client, person, turns):
    ann, ben = person("Ann"), person("Ben")
    table, other = practice(ann, seconds=60), practice(ben)
    budgets.charge(budgets.BOT_TIME, ann, budgets.BOT_TIME.person)
    play_all()
    assert turns == [other.pk] * 3
    version = table.version
    table.refresh_from_db()
    assert table.version == version + 1
    assert bot_queue.LEAST_REST - timedelta(minutes=1) < table.bot_due_at - timezone.now() <= timedelta(hours=2)
    client.force_login(ann)
    page = squeezed(client.get(table.get_absolute_url()))
    assert re.search(r"The bots have used up their thinking time. They play again in [\w ]+\.", page)
    client.force_login(ben)
    assert "thinking time" not in client.get(other.get_absolute_url()).text


def test_practice_goes_on_when_there_is_room_again(person, turns):
    ann = person("Ann")
    table = practice(ann)
    budgets.charge(budgets.BOT_TIME, ann, budgets.BOT_TIME.person)
    play_all()
    budgets.charge(budgets.BOT_TIME, ann, -budgets.BOT_TIME.person)
    due(table)
    play_all()
    assert turns == [table.pk] * 3


def test_a_table_with_other_people_never_rests(four, turns):
    table = with_people(four)
    for user in four:
        budgets.charge(budgets.BOT_TIME, user, 2 * budgets.BOT_TIME.person)
    bot_queue.play_next()
    assert turns == [table.pk]


def test_a_turn_is_charged_to_the_budgets_of_the_people_at_its_table(four, person, turns):
    ann = person("Eve")
    practice(ann)
    table = with_people(four)
    play_all()
    people = list(Seat.objects.filter(table=table, user__isnull=False).values_list("user", flat=True))
    used = [budgets.used(budgets.BOT_TIME, Subject("person", str(pk))) for pk in people]
    assert (used, budgets.used(budgets.BOT_TIME, Subject("person", str(ann.pk)))) == ([333] * 3, 3000)


# One turn, one worker


def test_each_call_plays_one_turn(person, turns):
    practice(person("Ann"))
    assert bot_queue.play_next() == 1
    assert len(turns) == 1


def test_a_turn_that_was_taken_is_due_again_when_its_worker_has_died(person):
    table = practice(person("Ann"))
    (waiting,) = bot_queue.people_waiting()
    assert bot_queue.claim(waiting) == table.pk
    assert bot_queue.people_waiting() == []
    assert bot_queue.claim(waiting) is None
    table.refresh_from_db()
    latest = timezone.now() + BOT_CLAIM
    assert latest - timedelta(minutes=5) < table.bot_due_at <= latest
    due(table)
    play_all()
    table.refresh_from_db()
    assert (table.seat_to_act, table.bot_due_at) == (0, None)


@pytest.mark.django_db(transaction=True)
def test_two_workers_take_different_turns_and_neither_is_idle(person, monkeypatch):
    """Each holds its turn until both have one: were both after the same, neither would ever have."""
    pks = {practice(person(name)).pk for name in ("Ann", "Ben")}
    held, act = [], bots.act

    def hold(table_id, **thought):
        held.append(table_id)
        barrier.wait()
        return act(table_id)

    barrier = threading.Barrier(2, timeout=300)
    monkeypatch.setattr(bots, "act", hold)
    assert [type(result) for result in at_once(bot_queue.play_next, bot_queue.play_next)] == [int, int]
    assert (len(held), set(held)) == (2, pks)


@pytest.mark.django_db(transaction=True)
def test_ten_workers_play_every_turn_once(person, turns):
    pks = [practice(person(name)).pk for name in ("Ann", "Ben", "Cleo")]
    assert at_once(*[play_all] * 10) == [None] * 10
    assert sorted(turns) == sorted(pks * 3)
    for table in Table.objects.filter(pk__in=pks):
        assert list(table.moves.values_list("number", flat=True)) == list(range(1, table.move_count + 1))


def test_a_database_that_is_away_is_no_fault_of_the_table(person, monkeypatch):
    table = practice(person("Ann"))

    def fail(table_id, **thought):
        raise OperationalError

    monkeypatch.setattr(bots, "act", fail)
    with pytest.raises(OperationalError):
        bot_queue.play_next()
    table.refresh_from_db()
    assert table.failed_at is None


# The task


def test_a_task_ends_after_so_many_turns_and_calls_another(person, turns, monkeypatch):
    practice(person("Ann"))
    monkeypatch.setattr(bot_queue, "MOST_TURNS", 2)
    calls = []
    bot_queue.play_due(partial(calls.append, "call"))
    assert (len(turns), calls) == (2, ["call"])
    bot_queue.play_due(partial(calls.append, "call"))
    assert (len(turns), calls) == (3, ["call"])


def test_a_worker_that_is_to_end_leaves_its_turns_to_another(person, turns, monkeypatch):
    practice(person("Ann"))
    monkeypatch.setattr(bot_queue, "_stopping", type(bot_queue._stopping)())
    tasks.stop_bots()
    calls = []
    bot_queue.play_due(partial(calls.append, "call"))
    assert (turns, calls) == ([], ["call"])


def test_one_thread_of_a_process_plays_and_hears_the_calls_of_the_others(person, turns, monkeypatch):
    first, act = practice(person("Ann")), bots.act
    late = []

    def called_meanwhile(table_id, **thought):
        if not late:
            late.append(practice(person("Ben")))
            bot_queue.play_due(lambda: None)
            assert turns == []
        return act(table_id)

    monkeypatch.setattr(bots, "act", called_meanwhile)
    bot_queue.play_due(lambda: None)
    assert sorted(turns) == sorted([first.pk] * 3 + [late[0].pk] * 3)


def test_bots_at_work_queue_no_calls_for_themselves(person, monkeypatch, django_capture_on_commit_callbacks):
    calls, table = [], practice(person("Ann"))
    monkeypatch.setattr(tasks.play_bots, "delay", calls.append)
    with django_capture_on_commit_callbacks(execute=True):
        worker_signals.after_commit(table.pk)
    assert calls == [table.pk]
    with monkeypatch.context() as patch, django_capture_on_commit_callbacks() as callbacks:
        patch.setattr(
            bots, "act", lambda table_id, **_: worker_signals.after_commit(table_id) or bots.put_off(table_id)
        )
        tasks.sweep_bots()
    assert len(callbacks) == 1
    with bot_queue._at_work():
        callbacks[0]()
    assert calls == [table.pk]


def test_the_cost_of_a_choice_does_not_grow_with_the_tables(person, django_assert_num_queries):
    ann = person("Ann")
    practice(ann)
    with django_assert_num_queries(1):
        bot_queue.people_waiting()
    practice(ann)
    practice(person("Ben"))
    with django_assert_num_queries(1):
        assert [each.tables for each in bot_queue.people_waiting()] == [2, 1]
    play_bots(Table.objects.first().pk)
