"""The outbox: messages go out once, in time, by the chosen channels."""

import smtplib
from datetime import UTC, datetime, time, timedelta
from functools import partial

import pytest
from django.core import mail as outbox
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Notice, User
from accounts.notice_places.topics import TURNS
from accounts.services import mail, notices, push
from tests.accounts.conftest import NOON
from tests.at_once import at_once
from web.channels import email

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kinds")]


class Unreachable(EmailBackend):
    def open(self):
        raise ConnectionRefusedError


class Refusing(EmailBackend):
    def send_messages(self, messages):
        raise smtplib.SMTPDataError(451, b"later")


class Silent(EmailBackend):
    def send_messages(self, messages):
        raise TimeoutError


@pytest.fixture
def mail_server(monkeypatch):
    """Put another mail server in place."""

    def put(backend):
        monkeypatch.setattr(email, "get_connection", backend)

    return put


def test_a_due_notice_is_sent_once(ann, tell):
    tell(ann)
    assert notices.send_due(NOON) == 1
    assert notices.send_due(NOON) == 0
    assert [message.subject for message in outbox.outbox] == ["Table 1: your turn"]
    notice = ann.notices.get()
    assert (notice.settled_at, notice.was_sent) == (NOON, True)


def test_what_is_not_due_waits(ann, tell):
    tell(ann, due_at=NOON + timedelta(seconds=1))
    assert notices.send_due(NOON) == 0
    assert outbox.outbox == []


def test_the_same_key_is_kept_once(ann, tell):
    tell(ann)
    tell(ann, title="Again")
    assert ann.notices.get().title == "Table 1: your turn"


def test_what_is_no_longer_wanted_is_dropped(ann, tell):
    notices.register("turn", TURNS, lambda notice: notice.subject == "table:2")
    tell(ann, 1)
    tell(ann, 2)
    notices.send_due(NOON)
    assert [message.subject for message in outbox.outbox] == ["Table 2: your turn"]
    assert list(ann.notices.order_by("key").values_list("was_sent", flat=True)) == [False, True]
    assert [notice.subject for notice in notices.listed_notices(ann, NOON)] == ["table:2"]


def test_many_tables_are_one_message(ann, tell):
    for number in (1, 2, 3):
        tell(ann, number)
    notices.send_due(NOON)
    (message,) = outbox.outbox
    assert message.subject == "3 things wait for you"
    for number in (1, 2, 3):
        assert f"http://localhost:8000/tables/t{number}/" in message.body


def test_each_person_gets_their_own(person, tell):
    for name in ("Ann", "Ben"):
        tell(person(name))
    assert notices.send_due(NOON) == 2
    assert sorted(message.to for message in outbox.outbox) == [["ann@example.org"], ["ben@example.org"]]


def test_a_question_that_fails_keeps_its_notice_and_stops_no_other(person, tell):
    ann, ben = person("Ann"), person("Ben")

    def ask(notice):
        raise LookupError

    notices.register("broken", TURNS, ask)
    tell(ann, kind="broken")
    tell(ben)
    assert notices.send_due(NOON) == 1
    assert [message.to for message in outbox.outbox] == [["ben@example.org"]]
    notice = ann.notices.get()
    assert (notice.settled_at, notice.due_at) == (None, NOON + notices.PAUSE)


@pytest.mark.parametrize(
    ("zone", "moment", "end"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 22, tzinfo=UTC), datetime(2026, 3, 29, 5, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 10, 24, 22, tzinfo=UTC), datetime(2026, 10, 25, 6, tzinfo=UTC)),
        ("Asia/Kolkata", datetime(2026, 5, 6, 18, tzinfo=UTC), datetime(2026, 5, 7, 1, 30, tzinfo=UTC)),
        ("America/St_Johns", datetime(2026, 3, 8, 3, tzinfo=UTC), datetime(2026, 3, 8, 9, 30, tzinfo=UTC)),
        ("America/St_Johns", datetime(2026, 11, 1, 3, tzinfo=UTC), datetime(2026, 11, 1, 10, 30, tzinfo=UTC)),
        ("Australia/Lord_Howe", datetime(2026, 4, 4, 13, tzinfo=UTC), datetime(2026, 4, 4, 20, 30, tzinfo=UTC)),
        ("Australia/Lord_Howe", datetime(2026, 10, 3, 13, tzinfo=UTC), datetime(2026, 10, 3, 20, tzinfo=UTC)),
    ],
)
def test_quiet_hours_are_waited_out(person, tell, zone, moment, end):
    ann = person(time_zone=zone, quiet_from=time(22), quiet_until=time(7))
    tell(ann, due_at=moment)
    assert notices.send_due(moment) == 0
    assert ann.notices.get().due_at == end
    assert notices.send_due(end - timedelta(seconds=1)) == 0
    assert notices.send_due(end) == 1


def test_what_was_done_in_the_night_is_not_told_in_the_morning(person, tell):
    ann = person(quiet_from=time(22), quiet_until=time(7))
    tell(ann, due_at=datetime(2026, 5, 6, 23, tzinfo=UTC))
    notices.send_due(datetime(2026, 5, 6, 23, tzinfo=UTC))
    notices.register("turn", TURNS, lambda notice: False)
    assert notices.send_due(datetime(2026, 5, 7, 7, tzinfo=UTC)) == 0
    assert outbox.outbox == []


def test_without_channels_it_is_only_listed(person, tell):
    ann = person(notice_email=False, notice_push=False)
    tell(ann)
    assert notices.send_due(NOON) == 1
    assert outbox.outbox == []
    assert notices.unread_count(ann) == 1


def test_an_address_that_was_not_confirmed_gets_nothing(ann, tell):
    ann.emailaddress_set.update(verified=False)
    tell(ann)
    notices.send_due(NOON)
    assert outbox.outbox == []


@pytest.mark.parametrize("backend", [Unreachable, Refusing])
def test_a_message_that_was_surely_not_taken_is_tried_again_but_not_for_ever(ann, tell, mail_server, backend):
    mail_server(backend)
    tell(ann)
    moment = NOON
    for attempt in (1, 2):
        assert notices.send_due(moment) == 1
        notice = ann.notices.get()
        assert (notice.settled_at, notice.attempts) == (None, attempt)
        assert notices.send_due(moment) == 0
        moment = notice.due_at
    notices.send_due(moment)
    assert ann.notices.get().settled_at == moment
    assert notices.send_due(moment + timedelta(days=1)) == 0


def test_a_second_attempt_sends_what_the_first_could_not(ann, tell, mail_server):
    mail_server(Refusing)
    tell(ann)
    notices.send_due(NOON)
    mail_server(EmailBackend)
    notices.send_due(NOON + notices.PAUSE)
    assert len(outbox.outbox) == 1


def test_a_message_that_may_have_been_taken_is_not_sent_again(ann, tell, mail_server):
    mail_server(Silent)
    tell(ann)
    notices.send_due(NOON)
    mail_server(EmailBackend)
    assert notices.send_due(NOON + timedelta(days=1)) == 0
    assert outbox.outbox == []


class RefusingForGood(EmailBackend):
    def send_messages(self, messages):
        raise smtplib.SMTPRecipientsRefused({"ann@example.org": (550, b"5.1.1 unknown")})


@pytest.mark.parametrize(
    ("backend", "trouble"),
    [(Unreachable, "away"), (Refusing, "later"), (RefusingForGood, "refused"), (Silent, "unsure")],
)
def test_what_became_of_a_message_is_kept_until_one_is_taken(ann, tell, mail_server, backend, trouble):
    mail_server(backend)
    tell(ann)
    notices.send_due(NOON)
    assert ann.notices.get().trouble == trouble
    mail_server(EmailBackend)
    if trouble == "unsure":
        notices.send_again(ann.notices.get().pk, NOON)
    notices.send_due(NOON + notices.PAUSE)
    assert (ann.notices.get().trouble, len(outbox.outbox)) == ("", 1)


def test_what_was_dropped_is_not_sent_again(ann, tell, refuses):
    tell(ann)
    ann.notices.update(settled_at=NOON, was_sent=False, trouble="later")
    with refuses("not_failed"):
        notices.send_again(ann.notices.get().pk, NOON)


def test_dying_before_the_mail_server_answers_sends_nothing_twice(ann, tell, monkeypatch):
    def die(*args):
        raise SystemExit

    tell(ann)
    with monkeypatch.context() as patch:
        patch.setattr(mail, "send_notices", die)
        with pytest.raises(SystemExit):
            notices.send_due(NOON)
    assert notices.send_due(NOON) == 0
    assert notices.unread_count(ann) == 1


def test_push_is_told_once_though_the_mail_is_tried_again(ann, tell, mail_server, monkeypatch):
    batches = []
    monkeypatch.setattr(push, "send", lambda user, batch: batches.append([notice.title for notice in batch]))
    mail_server(Refusing)
    tell(ann)
    notices.send_due(NOON)
    mail_server(EmailBackend)
    notices.send_due(NOON + notices.PAUSE)
    assert batches == [["Table 1: your turn"]]


def test_the_message(ann, tell):
    tell(ann, body="Ben played.")
    notices.send_due(NOON)
    (message,) = outbox.outbox
    stop = message.extra_headers["List-Unsubscribe"].strip("<>")
    assert message.to == ["ann@example.org"]
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert stop.startswith("http://localhost:8000/you/stop/")
    assert message.body.startswith(
        "Hello Ann,\n\nYou have something to do on Foothold:\n\nTable 1: your turn\nBen played.\n"
    )
    assert "http://localhost:8000/tables/t1/\n" in message.body
    assert stop in message.body


def test_words_of_people_cannot_add_a_header(ann, tell):
    tell(ann, title="Harbour\r\nBcc: all@example.org: your turn")
    notices.send_due(NOON)
    (message,) = outbox.outbox
    assert message.subject == "Harbour Bcc: all@example.org: your turn"
    assert message.recipients() == ["ann@example.org"]
    assert "Bcc" not in message.message()


def test_words_of_people_are_not_escaped_in_a_plain_text(person, tell):
    ann = person("Ann", first_name="")
    User.objects.filter(pk=ann.pk).update(display_name="Ann & <Bob>")
    tell(ann, title="O'Neill & Co: your turn")
    notices.send_due(NOON)
    assert "Hello Ann & <Bob>," in outbox.outbox[0].body
    assert "O'Neill & Co: your turn" in outbox.outbox[0].body


def test_reading_a_table_reads_its_notices(ann, tell):
    tell(ann, 1)
    tell(ann, 2)
    notices.mark_read(ann, subject="table:1")
    assert notices.unread_count(ann) == 1
    notices.mark_read(ann)
    assert notices.unread_count(ann) == 0


@pytest.mark.django_db(transaction=True)
def test_sweeps_at_once_tell_each_person_once(person, tell):
    for name in ("Ann", "Ben", "Cem", "Dee"):
        tell(person(name))
    assert sum(at_once(*[partial(notices.send_due, NOON)] * 6)) == 4
    assert sorted(message.to[0] for message in outbox.outbox) == [
        f"{name}@example.org" for name in ("ann", "ben", "cem", "dee")
    ]
    assert Notice.objects.filter(settled_at=NOON, was_sent=True).count() == 4


def test_a_sweep_asks_no_more_for_more_notices(ann, tell):
    counts = []
    for number in (1, 3):
        for each in range(number):
            tell(ann, each, key=f"{number}:{each}")
        with CaptureQueriesContext(connection) as queries:
            notices.send_due(NOON)
        counts.append(len([q for q in queries if "SAVEPOINT" not in q["sql"]]))
    assert counts[0] == counts[1]
