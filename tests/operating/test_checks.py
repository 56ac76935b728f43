"""The first lines of the operator’s page, its findings, and their cost."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notice, PushSubscription, User
from clubs.models import Invitation
from gameplay.models import Heartbeat, Process, Table
from gameplay.services import bot_queue, clocks, repair
from operating import checks, health
from tests.makers import make_event
from tests.operating import troubles
from tests.pages import squeezed
from tournaments.models import Pairing, Result, Stage
from tournaments.plan import standard

pytestmark = pytest.mark.django_db


def section_named(name):
    return next(section for section in checks.sections(timezone.now()) if section.name == name)


def test_where_nothing_waits_the_page_says_that_all_is_well(desk, heard, seated):
    seated()
    page = desk.get("/operator/")
    assert page.status_code == 200
    assert "<b>All is well.</b>" in page.text
    assert all(section.count == 0 for section in checks.sections(timezone.now()))
    assert "No table is stuck." in page.text


@pytest.mark.parametrize("make", troubles.ALL)
def test_what_stands_still_is_found_and_said_first(desk, heard, seated, make):
    name, act, subject = make(seated)
    section = section_named(name)
    assert section.count == 1
    (item,) = section.items
    assert item.subject == str(subject)
    assert act in item.acts
    page = squeezed(desk.get("/operator/"))
    assert f"<b>Not all is well:</b>{section.trouble}" in page
    assert f'<input type="hidden" name="act" value="{act}">' in page
    assert [section.name for section in checks.sections(timezone.now()) if section.count] == [name]


def test_a_clock_that_cannot_be_seen_to_is_found_although_it_is_put_off(seated, monkeypatch):
    table = seated(allows_absences=False)
    Table.objects.filter(pk=table.pk).update(
        deadline_at=troubles.ago(minutes=1), clock_started_at=troubles.ago(hours=49)
    )
    Heartbeat.objects.create(name=clocks.HEARTBEAT, at=troubles.ago(seconds=20))

    def stumble(*thought, **time):
        raise LookupError

    with monkeypatch.context() as patch:
        patch.setattr(clocks.bots, "think", stumble)
        clocks.sweep()
    table.refresh_from_db()
    assert table.failed_at is not None
    assert table.deadline_at > timezone.now()
    (item,) = section_named("tables").items
    assert item.words == "The site could not process it."
    assert item.acts == ("deadline", "check")


def test_a_bot_that_fails_is_found_at_once(seated, monkeypatch):
    _, _, pk = troubles.a_bot_that_does_not_move(seated)

    def stumble(table_id, **time):
        raise LookupError

    with monkeypatch.context() as patch:
        patch.setattr(repair.bots, "act", stumble)
        assert bot_queue.play_next() == 1
    (item,) = section_named("tables").items
    assert (item.subject, item.acts) == (str(pk), ("bot", "check"))


def test_a_match_that_was_called_and_has_no_table_is_found(olga):
    event = make_event(olga, standard("round_robin"), entries=2, started=True)
    Pairing.objects.update(is_online=True, status="ready", opened_at=troubles.ago(minutes=5))
    (item,) = section_named("events").items
    assert (item.subject, item.words) == (str(event.pk), "A match was called but has no table.")


def test_an_event_whose_organisers_were_told_of_trouble_is_found(olga):
    make_event(olga, standard("round_robin"), entries=2, started=True)
    Stage.objects.update(trouble="Nobody can be paired.")
    (item,) = section_named("events").items
    assert item.words == "Its organisers were told: “Nobody can be paired.”."


def test_work_that_nobody_took_is_counted(olga, desk, heard):
    event = make_event(olga, standard("round_robin"), entries=2, started=True)
    for key in ("a", "b"):
        Notice.objects.create(user=olga, kind="news", key=key, title="!", url="/", due_at=troubles.ago(minutes=20))
    overdue = {"status": Result.Status.REPORTED, "confirms_at": troubles.ago(minutes=20), "at": troubles.ago(days=1)}
    Result.objects.create(pairing=Pairing.objects.get(round__stage__tournament=event), origin="player", **overdue)
    section = section_named("work")
    assert [item.title for item in section.items] == [
        "2 notifications were not sent",
        "1 result without objection is not final yet",
    ]
    assert "work waits for the worker" in desk.get("/operator/").text


def test_what_waits_for_its_time_is_no_trouble(seated, person):
    seated()
    troubles.a_letter_to_a_club(seated)
    Invitation.objects.update(created_at=troubles.ago(minutes=5))
    ida = person("Ida")
    Notice.objects.create(user=ida, kind="news", key="a", title="!", url="/", due_at=troubles.ago(minutes=5))
    User.objects.filter(pk=ida.pk).update(notice_digest=True)
    Notice.objects.create(user=ida, kind="news", key="b", title="!", url="/", due_at=troubles.ago(hours=5))
    assert [section.name for section in checks.sections(timezone.now()) if section.count] == []


def test_who_gets_no_mail_and_which_devices_fail_is_told_and_is_no_alarm(desk, heard, person):
    ida = person("Ida", mail_stopped_at=timezone.now(), mail_stopped_for="bounced")
    PushSubscription.objects.create(user=ida, endpoint="https://push.example/secret", p256dh="k", auth="a", failures=4)
    page = desk.get("/operator/").text
    assert "<b>All is well.</b>" in page
    assert f"Ida (account {ida.pk})" in page
    assert "An email bounced." in page
    assert "4 messages in a row failed." in page
    assert "push.example" not in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda patch: Heartbeat.objects.all().delete(), "the worker was never active"),
        (
            lambda patch: Heartbeat.objects.update(at=timezone.now() - timedelta(minutes=12)),
            "the worker has not been active for 12 min",
        ),
        (
            lambda patch: patch.setattr(
                health.shutil, "disk_usage", lambda path: SimpleNamespace(free=1 << 20, total=1 << 34)
            ),
            "the disk is nearly full",
        ),
        (
            lambda patch: patch.setattr("web.monitoring.health.current_app", SimpleNamespace()),
            "the broker does not answer",
        ),
        (lambda patch: Process.objects.update(lanes="clocks"), "no worker for bots and letters"),
    ],
)
def test_what_does_not_answer_is_said_first(desk, heard, monkeypatch, change, words):
    change(monkeypatch)
    assert f"<b>Not all is well:</b>{words}." in squeezed(desk.get("/operator/"))


def test_more_than_fit_are_counted(desk, heard, person, monkeypatch):
    monkeypatch.setattr(checks, "SHOWN", 2)
    ida = person("Ida")
    for _ in range(3):
        troubles.failed_notice(ida)
    section = section_named("notices")
    assert (len(section.items), section.count) == (2, 3)
    assert "These are the first 2 of 3." in desk.get("/operator/").text


def test_the_page_takes_the_same_number_of_queries_whatever_waits(desk, heard, seated):
    def queries():
        with CaptureQueriesContext(connection) as queries:
            assert desk.get("/operator/").status_code == 200
        return len(queries)

    quick = [make for make in troubles.ALL if make is not troubles.a_deal_that_nobody_begins]
    for make in quick:
        make(seated)
    before = queries()
    for make in quick * 2:
        make(seated)
    assert queries() == before
    assert (section_named("tables").count, section_named("letters").count, section_named("notices").count) == (6, 12, 6)
