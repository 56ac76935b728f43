"""Follow-up tasks are queued after the commit; if the broker refuses, the action stays done."""

import pytest

from gameplay.models import Table
from gameplay.signals import table_over
from tests.tournaments import driving
from tournaments import tasks
from tournaments.models import Letter, Tournament
from tournaments.plan import standard
from tournaments.services.entries import enrolment
from tournaments.services.matches import results

pytestmark = pytest.mark.django_db


@pytest.fixture
def committed(django_capture_on_commit_callbacks):
    """Runs an action; returns the tasks queued after its commit."""

    def do(act, *args, **how):
        with django_capture_on_commit_callbacks(execute=True):
            return act(*args, **how)

    return do


@pytest.fixture
def queued(monkeypatch):
    """The ids with which each task is called, by its name."""
    calls = {}
    for name in ("advance", "rate", "rate_tournament", "send_letter", "take_result"):
        monkeypatch.setattr(getattr(tasks, name), "delay", calls.setdefault(name, []).append)
    return calls


@pytest.fixture
def event_to_advance(make):
    return make(4, standard("single_elimination"))


def no_show(event):
    """The clock decides a match and leaves the follow-up to the worker."""
    pairing = driving.open_pairings(event)[0]
    results.walkover(pairing.pk, [pairing.places.first().entry_id], by=None)


def ask_by_letter(event, person):
    enrolment.enter(event(entries=0, kind="partnership").pk, person("Ann"), partners=["guest@example.org"])
    return Letter.objects.get()


def test_what_the_clock_decides_queues_the_advancing(event_to_advance, committed, queued):
    committed(no_show, event_to_advance)
    assert queued["advance"] == queued["rate_tournament"] == [event_to_advance.pk]


def test_a_partner_who_is_named_by_address_queues_the_letter(new_event, person, committed, queued):
    letter = committed(ask_by_letter, new_event, person)
    assert queued["send_letter"] == [letter.pk]


def test_a_table_that_is_over_queues_its_result_and_its_rating(queued):
    table_over.send(sender=Table, table_id=7)
    assert queued["take_result"] == queued["rate"] == [7]


def test_nothing_is_queued_before_the_commit(event_to_advance, new_event, person, queued):
    no_show(event_to_advance)
    ask_by_letter(new_event, person)
    assert [ids for ids in queued.values() if ids] == []


def test_with_the_broker_away_the_sweeper_finds_all(
    event_to_advance, new_event, person, committed, monkeypatch, caplog
):
    for task in (tasks.advance, tasks.rate_tournament, tasks.send_letter, tasks.take_result):
        monkeypatch.setattr(task, "delay", lambda _: 1 / 0)
    committed(no_show, event_to_advance)
    letter = committed(ask_by_letter, new_event, person)
    table_over.send(sender=Table, table_id=7)
    assert Tournament.objects.get(pk=event_to_advance.pk).look_at is not None
    assert letter.due_at is not None
    messages = [record.getMessage() for record in caplog.records if record.name == "tournaments.receivers"]
    assert messages == [
        f"The broker did not take the advancing of tournament {event_to_advance.pk}; the sweeper will.",
        f"The broker did not take the rating of tournament {event_to_advance.pk}; the sweeper will.",
        f"The broker did not take letter {letter.pk}; the sweeper will.",
        "The broker did not take the rating of table 7; the sweeper will.",
    ]
