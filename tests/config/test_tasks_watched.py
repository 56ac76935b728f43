"""Around every task: which request it follows from, its lines in the log, its counts."""

import json
import logging

import pytest
from celery.app.trace import build_tracer
from celery.signals import after_task_publish

from config.celery import app
from gameplay import worker_signals
from gameplay.tasks import play_bots, sweep_bots
from web.monitoring import counters
from web.monitoring.logs import Json
from web.monitoring.work_context import Work, current, doing

PLAY_DUE = "gameplay.services.bot_queue.play_due"


@pytest.fixture
def lines(monkeypatch):
    """The lines of the whole log, as JSON."""
    written, formatter = [], Json()
    keep = logging.Handler()
    keep.emit = lambda record: written.append(json.loads(formatter.format(record)))
    root = logging.getLogger()
    root.addHandler(keep)
    monkeypatch.setattr(logging.getLogger("config.tasks_watched"), "level", logging.INFO)
    root.manager._clear_cache()
    yield written
    root.removeHandler(keep)
    root.manager._clear_cache()


@pytest.fixture
def queued():
    """The headers of the messages that were queued, in order."""
    messages = []

    def note(headers, **kwargs):
        messages.append(headers)

    after_task_publish.connect(note)
    yield messages
    after_task_publish.disconnect(note)


def test_a_task_takes_along_the_id_of_the_request_that_queued_it(queued, django_capture_on_commit_callbacks, db):
    with doing(Work("abc123")), django_capture_on_commit_callbacks(execute=True):
        worker_signals.after_commit(12)
    sweep_bots.delay()
    first, second = queued
    assert (first["task"], first["request_id"]) == ("gameplay.tasks.play_bots", "abc123")
    assert "request_id" not in second


def test_lines_of_a_task_name_it_and_the_request_it_follows_from(lines, monkeypatch, queued):
    """Run from its message, as a worker does."""

    def say(call):
        logging.getLogger("gameplay").warning("Table %s is odd", 7)
        sweep_bots.delay()

    monkeypatch.setattr(PLAY_DUE, say)
    trace = build_tracer(play_bots.name, play_bots, app=app)
    trace("task-one", (7,), {}, {"id": "task-one", "request_id": "abc123", "delivery_info": {}})
    own_line, task_line = (line for line in lines if line["logger"] in ("gameplay", "config.tasks_watched"))
    for line in (own_line, task_line):
        assert (line["request_id"], line["task_id"], line["task"]) == ("abc123", "task-one", "gameplay.tasks.play_bots")
    assert (own_line["message"], task_line["message"]) == ("Table 7 is odd", "Task gameplay.tasks.play_bots: done")
    assert task_line["status"] == "done"
    assert task_line["ms"] >= 0
    # What a task queues follows from the same request.
    assert [headers["request_id"] for headers in queued] == ["abc123"]
    assert current() == Work()


def test_a_failure_is_told_by_kind_and_place_and_the_worker_adds_no_words(lines, monkeypatch):
    monkeypatch.setattr(PLAY_DUE, _fail)
    play_bots.apply((7,), task_id="task-two")
    failed, summary = lines
    assert (failed["level"], failed["message"]) == ("ERROR", "Task gameplay.tasks.play_bots failed.")
    assert failed["error"][0]["kind"] == "LookupError"
    assert failed["error"][0]["stack"][-1].endswith("in _fail")
    assert (summary["message"], summary["task_id"]) == ("Task gameplay.tasks.play_bots: failed", "task-two")
    assert not [word for word in ("olga", "Ks") if word in json.dumps(lines)]


def _fail(call):
    raise LookupError("Ks of olga@example.org")


def test_tasks_are_counted_by_outcome(monkeypatch):
    counters.take_counts()
    monkeypatch.setattr(PLAY_DUE, lambda call: None)
    play_bots.apply((7,))
    monkeypatch.setattr(PLAY_DUE, _fail)
    play_bots.apply((7,))
    counts = {(name, *labels): n for (name, labels, part), n in counters.take_counts().items() if part == ""}
    assert counts == {("tasks", play_bots.name, "done"): 1, ("tasks", play_bots.name, "failed"): 1}


def test_a_task_run_within_a_request_leaves_the_request_as_it_was(monkeypatch):
    contexts = []
    monkeypatch.setattr(PLAY_DUE, lambda call: contexts.append(current()))
    with doing(Work("abc123")):
        play_bots.apply((7,), task_id="task-three")
        assert current() == Work("abc123")
    assert (contexts[0].task, contexts[0].task_id) == ("gameplay.tasks.play_bots", "task-three")
