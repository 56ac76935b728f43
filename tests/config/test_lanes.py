"""Lanes: every task waits in one of three queues, and each queue is served whatever the others do."""

import os
import signal

import pytest
from django.conf import settings

from config import lanes
from config.celery import app
from tests.config.test_faults import BOTS, OVERDUE

LETTER = """
from gameplay.models import Invitation
from gameplay.services import invitations
from tests.makers import make_person, make_table
user = make_person("Olga")
table = make_table([user], begun=False)
invitations.invite(table.pk, user, "friend@example.net")
"""

WORK = {
    "clocks": (OVERDUE, "SELECT count(*) FROM gameplay_happening WHERE kind = 'missed'"),
    "bots": (BOTS, """SELECT count(*) FROM gameplay_move WHERE "by" = 'bot'"""),
    "letters": (LETTER, "SELECT count(*) FROM gameplay_invitation WHERE letter_due_at IS NULL"),
}
"""For each lane a piece of work, and how much of it is done."""


def test_every_task_has_one_lane_and_every_lane_has_its_tasks():
    app.loader.import_default_modules()
    tasks = [task for lane in settings.LANES.values() for task in lane]
    assert sorted(tasks) == sorted(name for name in app.tasks if not name.startswith("celery."))
    assert set(settings.LANES) == set(WORK)


@pytest.mark.parametrize("lane", WORK)
def test_tasks_are_sent_to_the_queue_of_their_lane(lane):
    queues = {app.amqp.router.route({}, task)["queue"].name for task in settings.LANES[lane]}
    assert queues == {lane}


def test_a_worker_that_is_told_no_lanes_serves_them_all_and_what_was_queued_before_there_were_any():
    assert set(app.amqp.queues.consume_from) == {*settings.LANES, "celery"}


@pytest.mark.parametrize(("served", "nice"), [(["bots"], [5]), (["clocks"], []), (["bots", "clocks"], [])])
def test_only_a_worker_of_bots_alone_gives_way_to_pages(monkeypatch, served, nice):
    calls = []
    monkeypatch.setattr(lanes.os, "nice", calls.append)
    monkeypatch.setattr(lanes, "served_here", lambda: served)
    lanes.give_way()
    assert calls == nice


@pytest.mark.parametrize("lane", WORK)
def test_a_lane_is_served_while_the_workers_of_the_others_are_stuck(served, wait_for, lane):
    for other in set(WORK) - {lane}:
        os.killpg(served.child(other), signal.SIGSTOP)
    for work, _ in WORK.values():
        served.run(work, 1)
    wait_for(lambda: served.number(WORK[lane][1]), lane, served)
    assert {other for other, (_, done) in WORK.items() if served.number(done)} == {lane}


def test_one_worker_can_serve_all_lanes(site, wait_for):
    for work, _ in WORK.values():
        site.run(work, 1)
    site.worker()
    for lane, (_, done) in WORK.items():
        wait_for(lambda done=done: site.number(done), lane, site)
