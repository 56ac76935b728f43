"""One email a day, at eight by the own clock."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.core import mail as outbox

from accounts.notice_places.topics import TURNS
from accounts.services import digests, mail, notices
from tests.accounts.conftest import NOON

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kinds")]


@pytest.fixture
def reader(person):
    return person(notice_digest=True, time_zone="Asia/Kolkata")


def eight(day, minutes=0):
    """Eight in the morning in Kolkata."""
    return datetime(2026, 5, day, 2, 30, tzinfo=UTC) + timedelta(minutes=minutes)


def test_who_wants_a_digest_gets_nothing_else(reader, tell):
    tell(reader)
    assert notices.send_due(NOON) == 0
    assert outbox.outbox == []


def test_the_digest_comes_at_eight_once_a_day(reader, tell):
    tell(reader, due_at=eight(6))
    assert digests.send_digests(eight(6, -1)) == 0
    assert digests.send_digests(eight(6)) == 1
    assert digests.send_digests(eight(6, 10)) == 0
    tell(reader, 2, due_at=eight(6, 20))
    assert digests.send_digests(eight(6, 600)) == 0
    assert digests.send_digests(eight(7)) == 1
    assert [message.subject for message in outbox.outbox] == ["Your day on Foothold: 1 thing to do"] * 2


def test_what_still_waits_is_listed_again_and_what_does_not_is_not(reader, tell):
    waiting = {"table:1", "table:2"}
    notices.register("turn", TURNS, lambda notice: notice.subject in waiting)
    tell(reader, 1, due_at=eight(6))
    tell(reader, 2, due_at=eight(6))
    digests.send_digests(eight(6))
    waiting.remove("table:1")
    digests.send_digests(eight(7))
    waiting.clear()
    assert digests.send_digests(eight(8)) == 0
    first, second = outbox.outbox
    assert "Table 1" in first.body
    assert "Table 2" in first.body
    assert "Table 1" not in second.body
    assert "Table 2" in second.body


def test_one_line_a_table(reader, tell):
    tell(reader, 1, due_at=eight(6))
    tell(reader, 1, due_at=eight(6), kind="reminder", title="Table 1: two hours left")
    digests.send_digests(eight(6))
    assert "Table 1: your turn" not in outbox.outbox[0].body
    assert "Table 1: two hours left" in outbox.outbox[0].body


def test_nothing_waits_nothing_is_sent(reader):
    assert digests.send_digests(eight(6)) == 0
    assert outbox.outbox == []


def test_it_waits_for_the_end_of_quiet_hours(person, tell):
    ann = person(notice_digest=True, quiet_from=time(22), quiet_until=time(9))
    tell(ann, due_at=datetime(2026, 5, 6, 7, tzinfo=UTC))
    assert digests.send_digests(datetime(2026, 5, 6, 8, 59, tzinfo=UTC)) == 0
    assert digests.send_digests(datetime(2026, 5, 6, 9, tzinfo=UTC)) == 1


@pytest.mark.parametrize(
    ("zone", "before", "after"),
    [
        ("Europe/Berlin", datetime(2026, 3, 28, 7, tzinfo=UTC), datetime(2026, 3, 29, 6, tzinfo=UTC)),
        ("Europe/Berlin", datetime(2026, 10, 24, 6, tzinfo=UTC), datetime(2026, 10, 25, 7, tzinfo=UTC)),
        ("Australia/Lord_Howe", datetime(2026, 10, 2, 21, 30, tzinfo=UTC), datetime(2026, 10, 3, 21, tzinfo=UTC)),
    ],
)
def test_eight_is_eight_on_both_sides_of_a_change_of_clocks(person, tell, zone, before, after):
    ann = person(notice_digest=True, time_zone=zone)
    for number, moment in ((1, before), (2, after)):
        tell(ann, number, due_at=moment - timedelta(hours=1))
        assert digests.send_digests(moment - timedelta(seconds=1)) == 0
        assert digests.send_digests(moment) == 1


def test_a_refusing_mail_server_is_asked_again(reader, tell, monkeypatch):
    tell(reader, due_at=eight(6))
    with monkeypatch.context() as patch:
        patch.setattr(mail, "_deliver", lambda message, where, user: mail.Trouble.LATER)
        assert digests.send_digests(eight(6)) == 0
        assert reader.notices.get().trouble == "later"
    assert digests.send_digests(eight(6, 10)) == 1
    assert reader.notices.get().trouble == ""


def test_a_question_that_fails_takes_no_day(reader, tell, monkeypatch):
    def ask(notice):
        raise LookupError

    notices.register("turn", TURNS, ask)
    tell(reader, due_at=eight(6))
    assert digests.send_digests(eight(6)) == 0
    notices.register("turn", TURNS, lambda notice: True)
    assert digests.send_digests(eight(6, 10)) == 1
