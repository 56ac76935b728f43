"""/metrics: access, content and cost."""

from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import Notice
from accounts.services import clearing, notices
from config import metrics, telling
from gameplay.models import Heartbeat, Process, Table, Tally
from gameplay.monitoring import heartbeats
from tests.faults import test_tasks
from web.monitoring import counters

pytestmark = pytest.mark.django_db
TOKEN = "a-token-for-reading-metrics"


@pytest.fixture(autouse=True)
def _with_a_token(settings):
    settings.METRICS_TOKEN = TOKEN
    counters.take_counts()


def ask(token=TOKEN, client=None):
    return (client or Client()).get("/metrics", headers={"Authorization": f"Bearer {token}"})


def read():
    """Every sample, by its name and the values of its labels, in the order of the labels' names."""
    answer = ask()
    assert answer.status_code == 200, answer.content
    families = text_string_to_metric_families(answer.content.decode())
    return {
        (s.name, *(value for _, value in sorted(s.labels.items()))): s.value
        for family in families
        for s in family.samples
    }


@pytest.fixture
def teller():
    """A process of a role that is asked to tell now."""
    return lambda role="web": telling.Teller(role)


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch):
    """A process that told closes its connections; here it would be that of the test."""
    monkeypatch.setattr(telling.connections, "close_all", lambda: None)


# Who may read


def test_without_a_token_in_the_settings_there_is_no_such_page(settings):
    settings.METRICS_TOKEN = ""
    assert ask("").status_code == ask().status_code == 404


@pytest.mark.parametrize(
    "authorization", [None, "", "Bearer ", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x"]
)
def test_who_does_not_carry_it_finds_no_such_page(authorization):
    headers = {} if authorization is None else {"Authorization": authorization}
    assert Client().get("/metrics", headers=headers).status_code == 404


def test_somebody_signed_in_is_nobody_here(client, person):
    client.force_login(person("Ann"))
    assert client.get("/metrics").status_code == 404


def test_it_is_read_and_kept_nowhere():
    answer = ask()
    assert answer.headers["Content-Type"].startswith("text/plain; version=")
    assert "no-store" in answer.headers["Cache-Control"]
    assert Client().post("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 405


def test_it_is_not_redirected_to_https(settings):
    settings.SECURE_SSL_REDIRECT = True
    assert ask().status_code == 200


# What was counted


def test_counts_of_all_processes_are_one_sum(teller):
    for role in ("web", "web", "worker"):
        counters.count(counters.MOVES, "player", times=2)
        counters.took(counters.TASK_SECONDS, 0.03, "gameplay.tasks.sweep_bots")
        teller(role).tell()
    metrics = read()
    assert metrics["foothold_moves_total", "player"] == 6
    task = "gameplay.tasks.sweep_bots"
    assert metrics["foothold_task_seconds_bucket", "0.025", task] == 0
    assert metrics["foothold_task_seconds_bucket", "0.05", task] == 3
    assert metrics["foothold_task_seconds_bucket", "+Inf", task] == 3
    assert metrics["foothold_task_seconds_count", task] == 3
    assert metrics["foothold_task_seconds_sum", task] == pytest.approx(0.09)
    assert metrics["foothold_turns_total",] == 0


@pytest.mark.parametrize(
    ("seconds", "bound"), [(0, "0.01"), (0.01, "0.01"), (0.02, "0.025"), (10, "10.0"), (11, "+Inf")]
)
def test_a_duration_is_counted_by_the_first_bound_that_holds_it(seconds, bound):
    assert counters.bound_of(seconds) == bound


def test_what_could_not_be_told_is_told_the_next_time(teller, monkeypatch, caplog):
    web = teller()
    counters.count(counters.TURNS)
    with monkeypatch.context() as patch:
        patch.setattr(heartbeats, "_add", raise_database_error)
        web.tell()
    assert "DatabaseError" in caplog.text
    assert "secret" not in caplog.text
    assert not Process.objects.exists()
    counters.count(counters.TURNS)
    web.tell()
    assert Tally.objects.get().value == 2


def raise_database_error(counts):
    raise DatabaseError("postgres://secret")


def test_where_nobody_reads_nothing_is_counted_in_the_database(teller, settings):
    settings.METRICS_TOKEN = ""
    counters.count(counters.TURNS)
    teller("worker").tell()
    assert not Tally.objects.exists()
    assert Process.objects.get().role == "worker"


def test_a_game_counts_its_moves_turns_and_deals(seated, driver, teller, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        table = driver.until(seated("family"), lambda table: table.is_between_deals or table.status == "over")
    teller().tell()
    metrics = read()
    assert metrics["foothold_moves_total", "player"] == table.move_count
    assert 0 < metrics["foothold_turns_total",] < table.move_count
    assert metrics["foothold_deals_finished_total",] == 1


def test_requests_are_counted_by_route_and_class_of_status(client, teller):
    for path in ("/healthz", "/healthz", "/no/such/page", "/static/none.css", "/tables/no-such-table/"):
        client.get(path)
    client.generic("BREW", "/healthz")
    teller().tell()
    counts = {tuple(labels): n for (name, *labels), n in read().items() if name == "foothold_requests_total"}
    assert counts == {
        ("GET", "healthz", "2xx"): 2,
        ("GET", "none", "4xx"): 1,
        ("GET", "static", "4xx"): 1,
        ("GET", "gameplay:table", "4xx"): 1,
        ("OTHER", "healthz", "4xx"): 1,
    }
    assert read()["foothold_request_seconds_count", "healthz"] == 3


def test_letters_are_counted_by_what_became_of_them(person, teller, no_mail_server, monkeypatch):
    ann, later = person("Ann"), timezone.now()
    notices.add(ann, kind="x", key="1", subject="", title="One", url="/", due_at=later)
    notices.send_due(later)
    notices.add(ann, kind="x", key="2", subject="", title="Two", url="/", due_at=later)
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.open", fail_to_connect)
    for attempt in range(notices.ATTEMPTS):
        notices.send_due(later + attempt * timedelta(hours=1))
    teller().tell()
    counts = {tuple(labels): n for (name, *labels), n in read().items() if name == "foothold_notices_total"}
    assert counts == {("email", "sent"): 1, ("email", "failed"): 3, ("email", "given_up"): 1}


def fail_to_connect(self):
    raise ConnectionRefusedError


# How things stand


def test_a_site_at_rest():
    metrics = read()
    assert {value for (name, *_), value in metrics.items() if name != "foothold_broker_messages"} == {0}
    assert {name for name, *_ in metrics} >= {f"foothold_{name}" for name in ("overdue_tables", "live_connections")}


def test_what_waits_and_what_is_overdue_is_told(seated, person):
    moment = timezone.now()
    table = seated()
    Table.objects.filter(pk=table.pk).update(
        deadline_at=moment - timedelta(minutes=5), bot_due_at=moment - timedelta(seconds=40)
    )
    Notice.objects.all().delete()
    for user in ("Eve", "Flo"):
        digest = user == "Flo"
        recipient = person(user, notice_digest=digest, notice_email=True)
        Notice.objects.create(user=recipient, kind="x", key="n", title="n", url="/", due_at=moment - timedelta(hours=1))
    Notice.objects.filter(user__username="eve").update(attempts=1)
    metrics = read()
    assert metrics["foothold_overdue_tables",] == 1
    assert 300 <= metrics["foothold_overdue_seconds",] < 600
    assert metrics["foothold_queue_length", "notices"] == 1
    assert 3600 <= metrics["foothold_queue_age_seconds", "notices"] < 4000
    assert 40 <= metrics["foothold_queue_age_seconds", "bots"] < 300
    assert metrics["foothold_notices_failed",] == 1


def a_reminder_to_send(seated):
    Table.objects.filter(pk=seated().pk).update(remind_at=timezone.now() - timedelta(minutes=1))
    Notice.objects.all().delete()


WAITING = {
    "notices": test_tasks.notices_to_send,
    "own_places": test_tasks.a_message_for_a_place,
    "bots": test_tasks.practice_at_which_a_bot_is_to_act,
    "reminders": a_reminder_to_send,
    "table_invitations": test_tasks.a_letter_to_send,
    "event_invitations": test_tasks.a_partner_to_ask,
    "club_invitations": test_tasks.somebody_to_ask_into_a_club,
    "newsletters": test_tasks.a_newsletter_to_send,
    "questions": test_tasks.a_question_to_send,
    "news_changes": test_tasks.news_to_write,
    "news": test_tasks.news_to_send,
}


def test_every_queue_is_in_these_tests():
    assert set(WAITING) == set(metrics.QUEUES)


@pytest.mark.parametrize("queue", WAITING)
def test_what_waits_is_told_by_its_queue(queue, seated):
    WAITING[queue](seated)
    metrics = read()
    assert metrics["foothold_queue_length", queue] == 1
    assert metrics["foothold_queue_age_seconds", queue] > 0


def test_processes_and_heartbeats_are_told(teller):
    for _ in range(2):
        teller("web").tell()
    counters.stream_opened()
    try:
        live = teller("web")
        live.tell()
        live.tell()
    finally:
        counters.stream_closed()
    teller("clock").tell()
    Process.objects.create(key="gone", role="worker", streams=7, at=timezone.now() - timedelta(minutes=10))
    Heartbeat.objects.create(name="deadlines", at=timezone.now() - timedelta(minutes=3))
    Process.objects.create(key="old", role="worker", lanes="bots", at=timezone.now() - timedelta(minutes=10))
    telling.Teller("worker", ["clocks", "letters"]).tell()
    telling.Teller("worker", ["letters"]).tell()
    metrics = read()
    assert [metrics["foothold_lane_workers", lane] for lane in ("clocks", "bots", "letters")] == [1, 0, 2]
    assert [metrics["foothold_processes", role] for role in ("web", "worker", "clock")] == [3, 2, 1]
    assert metrics["foothold_live_connections",] == 1
    assert 0 <= metrics["foothold_heartbeat_age_seconds", "clock"] < 60
    assert 0 <= metrics["foothold_heartbeat_age_seconds", "worker"] < 60
    assert 180 <= metrics["foothold_heartbeat_age_seconds", "deadlines"] < 280


def test_messages_in_the_broker_are_counted_and_a_broker_that_is_away_has_no_value(monkeypatch, caplog):
    lanes = {lane for name, *labels in read() if name == "foothold_broker_messages" for lane in labels}
    assert lanes == {"clocks", "bots", "letters"}

    def refuse(**kwargs):
        raise ConnectionRefusedError("redis://secret@host")

    monkeypatch.setattr(metrics.app, "connection_for_read", refuse)
    assert "foothold_broker_messages" not in {name for name, *_ in read()}
    assert "secret" not in caplog.text


def test_reading_costs_the_same_few_queries_however_much_there_is(seated, teller, django_assert_num_queries):
    def cost():
        with django_assert_num_queries(len(metrics.QUEUES) + 7):
            read()

    cost()
    seated()
    Table.objects.update(deadline_at=timezone.now() - timedelta(minutes=1))
    for number in range(30):
        counters.count(counters.REQUESTS, f"route{number}", "GET", "2xx")
        teller().tell()
    cost()


def test_no_label_names_a_person_a_table_or_an_address(seated, driver, client, teller):
    table = driver.act(seated())
    client.force_login(table.creator)
    client.get(f"/tables/{table.slug}/")
    client.get(f"/tables/{table.slug}/invitation/SOME-TOKEN-OF-A-LETTER/")
    teller().tell()
    text = ask().content.decode()
    secrets = [table.slug, table.name, "SOME-TOKEN", *(user.username for user in type(table.creator).objects.all())]
    assert not [secret for secret in secrets if f'"{secret}' in text or f"/{secret}" in text]
    assert 'route="gameplay:table"' in text


# Who tells


def test_rows_of_processes_that_are_long_gone_are_cleared_away(teller):
    Process.objects.create(key="gone", role="worker", at=timezone.now() - timedelta(days=2))
    teller().tell()
    clearing.clear()
    assert list(Process.objects.values_list("role", flat=True)) == ["web"]


def test_the_clock_tells_when_it_has_queued_a_task_and_not_each_time(monkeypatch):
    from celery import signals

    monkeypatch.setattr(signals.after_task_publish, "receivers", [])
    telling._begin_clock()
    assert not Process.objects.exists()
    signals.after_task_publish.send(sender="x")
    (process,) = Process.objects.all()
    with_time_gone_by = timezone.now() - timedelta(hours=1)
    Process.objects.update(at=with_time_gone_by)
    signals.after_task_publish.send(sender="x")
    (same,) = Process.objects.all()
    assert (same.key, same.role, same.at) == (process.key, "clock", with_time_gone_by)


def test_a_web_process_tells_from_its_first_request_on_where_metrics_are_read(monkeypatch, settings):
    begun = []
    monkeypatch.setattr(telling, "begin", begun.append)
    settings.METRICS_TOKEN = ""
    for _ in range(2):
        telling.connect_web()
        Client().get("/healthz")
        Client().get("/healthz")
        settings.METRICS_TOKEN = TOKEN
    assert begun == ["web"]


def test_a_process_begins_to_tell_once(monkeypatch):
    calls = []
    monkeypatch.setattr(telling, "_begun", [])
    monkeypatch.setattr(telling.Teller, "tell_on", lambda self: calls.append(self.role))
    from celery import signals

    signals.worker_ready.send(sender=None)
    signals.worker_process_init.send(sender=None)
    assert calls == ["worker"]
