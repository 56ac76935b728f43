"""Bounced emails: their receivers, what is stopped, and that a forged report does nothing."""

import io
import sys
from types import SimpleNamespace

import pytest
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.core import mail as outbox
from django.core.management import call_command
from django.test import Client

from accounts.models import Notice, User
from accounts.services import bounces, mail, notices
from tests.accounts.conftest import NOON
from tests.pages import squeezed

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kinds")]

DOOR = "/mail/bounces/"
TOKEN = "a-long-secret-of-the-mail-service"


def report(message_id, status="5.1.1", action="failed", *, heads_only=False):
    """A report of failed delivery as mail servers write it (RFC 3464), about the email of this Message-ID."""
    head = f"From: no-reply@localhost\r\nTo: ann@example.org\r\nSubject: Your turn\r\nMessage-ID: {message_id}\r\n\r\n"
    kind, body = ("text/rfc822-headers", head) if heads_only else ("message/rfc822", f"{head}It is your turn.\r\n")
    return (
        "From: MAILER-DAEMON@mx.example.net\r\nTo: no-reply@localhost\r\nSubject: Undelivered Mail\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="zz"\r\n\r\n'
        "--zz\r\nContent-Type: text/plain\r\n\r\nI am sorry to have to inform you.\r\n"
        "--zz\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.net\r\n\r\n"
        f"Final-Recipient: rfc822; ann@example.org\r\nAction: {action}\r\nStatus: {status}\r\n\r\n"
        f"--zz\r\nContent-Type: {kind}\r\n\r\n{body}\r\n--zz--\r\n"
    ).encode()


@pytest.fixture
def letter(ann, tell):
    """A sent notification to Ann, and the Message-ID of its email."""
    notice = tell(ann)
    notices.send_due(NOON)
    return SimpleNamespace(notice=notice, id=outbox.outbox[-1].message()["Message-ID"])


def is_stopped(user):
    user.refresh_from_db()
    return user.mail_stopped_for == "bounced" and user.mail_stopped_at is not None and not mail.address_of(user)


@pytest.mark.parametrize("heads_only", [False, True])
def test_a_bounced_email_stops_the_mail_of_its_receiver(ann, person, tell, letter, heads_only):
    ben = person("Ben")
    answer = bounces.handle_report(report(letter.id, heads_only=heads_only))
    assert answer == f"No mail goes to account {ann.pk} until its address is confirmed again."
    assert is_stopped(ann)
    assert Notice.objects.get(pk=letter.notice.pk).trouble == "bounced"
    for user in (ann, ben):
        tell(user, 2)
    notices.send_due(NOON)
    assert [message.to for message in outbox.outbox[1:]] == [["ben@example.org"]]


def test_a_report_that_comes_twice_is_taken_once(ann, letter):
    bounces.handle_report(report(letter.id))
    first = User.objects.get(pk=ann.pk).mail_stopped_at
    assert bounces.handle_report(report(letter.id)) == f"Mail to account {ann.pk} is already stopped."
    assert User.objects.get(pk=ann.pk).mail_stopped_at == first


@pytest.mark.parametrize(
    ("status", "action"), [("5.2.2", "failed"), ("5.7.1", "failed"), ("4.4.1", "failed"), ("", "failed")]
)
def test_what_may_pass_is_noted_and_stops_nothing(ann, letter, status, action):
    assert "for a temporary reason" in bounces.handle_report(report(letter.id, status, action))
    assert not is_stopped(ann)
    assert Notice.objects.get(pk=letter.notice.pk).trouble == "refused"


@pytest.mark.parametrize("action", ["delayed", "delivered", "relayed", ""])
def test_what_did_not_fail_changes_nothing(ann, letter, action):
    answer = bounces.handle_report(report(letter.id, action=action))
    assert answer == "This is not a delivery report about an email from this site."
    assert Notice.objects.get(pk=letter.notice.pk).trouble == ""


def test_a_forged_report_stops_nobody(ann, person, letter):
    ben = person("Ben")
    forged = [
        letter.id.replace(f".{ann.pk}.", f".{ben.pk}."),
        letter.id.replace("notice-", "notice-9"),
        letter.id[:-30] + "A" * 5 + letter.id[-25:],
        f"<notice-1.{ben.pk}.{'A' * 43}@localhost>",
    ]
    for message_id in forged:
        bounces.handle_report(report(message_id))
    assert not is_stopped(ann)
    assert not is_stopped(ben)


def test_a_report_on_an_address_that_was_changed_since_stops_nothing(ann, letter):
    EmailAddress.objects.filter(user=ann).update(email="new@example.org")
    User.objects.filter(pk=ann.pk).update(email="new@example.org")
    assert bounces.handle_report(report(letter.id)) == "This email did not go to the current address of an account."
    assert not is_stopped(ann)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff" * 99,
        b"Subject: Hello\r\n\r\nHello.",
        b"Content-Type: multipart/report; boundary=\r\n\r\n--\r\n",
        b"Content-Type: message/delivery-status\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n",
        b"Content-Type: multipart/report; boundary=z\r\n\r\n--z\r\nContent-Type: message/rfc822\r\n\r\n--z--\r\n",
        b"Content-Type: text/rfc822-headers; charset=nonsense\r\nContent-Transfer-Encoding: base64\r\n\r\n\xff\xff",
        report("no id at all"),
        report("<notice-1.2.short@localhost>"),
        report(f"<notice-1.{'9' * 40}.{'A' * 43}@localhost>"),
    ],
)
def test_what_is_no_report_changes_nothing(ann, raw):
    assert bounces.handle_report(raw) == "This is not a delivery report about an email from this site."
    assert not is_stopped(ann)


def test_the_daily_email_counts_as_well(ann, tell):
    mail.send_digest(ann, [tell(ann)])
    bounces.handle_report(report(outbox.outbox[-1].message()["Message-ID"]))
    assert is_stopped(ann)


def test_who_confirms_the_address_again_gets_mail_again(rf, ann, tell, letter):
    bounces.handle_report(report(letter.id))
    address = EmailAddress.objects.get(user=ann)
    address.set_verified()
    email_confirmed.send(sender=EmailAddress, request=rf.get("/"), email_address=address)
    ann.refresh_from_db()
    assert (ann.mail_stopped_at, ann.mail_stopped_for, mail.address_of(ann)) == (None, "", "ann@example.org")
    tell(ann, 2)
    notices.send_due(NOON)
    assert len(outbox.outbox) == 2


def test_an_address_that_nobody_asked_to_confirm_can_be_stopped(ann):
    EmailAddress.objects.all().delete()
    assert bounces.stop(ann.pk)
    assert (mail.address_of(ann), EmailAddress.objects.get().verified) == ("", False)
    assert not bounces.stop(ann.pk)
    assert not bounces.stop(ann.pk + 99)


@pytest.mark.parametrize(
    ("why", "words"),
    [("bounced", "Our last email to you bounced."), ("operator", "Our emails do not seem to reach you.")],
)
def test_the_profile_says_so_calmly(signed_in, ann, why, words):
    assert words not in signed_in.get("/you/").text
    bounces.stop(ann.pk)
    User.objects.update(mail_stopped_for=why)
    page = squeezed(signed_in.get("/you/"))
    assert f"{words} We send no email until you confirm your address." in page


# The doors


@pytest.fixture
def post(settings):
    """Send a message to the door as a mail service does."""
    settings.BOUNCE_TOKEN = TOKEN

    def send(raw, token=TOKEN, method="post"):
        headers = {"Authorization": f"Bearer {token}"}
        client = Client(enforce_csrf_checks=True)
        return getattr(client, method)(DOOR, raw, content_type="message/rfc822", headers=headers)

    return send


def test_a_mail_service_hands_over_what_came_back(ann, letter, post):
    answer = post(report(letter.id))
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert "ann@example.org" not in answer.text
    assert is_stopped(ann)


@pytest.mark.parametrize("token", ["", "wrong", f"{TOKEN}x", "ü"])
def test_the_door_opens_for_its_token_only(ann, letter, post, token):
    assert post(report(letter.id), token).status_code == 403
    assert not is_stopped(ann)


def test_the_door_is_closed_where_no_token_is_set(ann, letter, client):
    for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": ""}):
        answer = client.post(DOOR, report(letter.id), content_type="message/rfc822", headers=headers)
        assert answer.status_code == 403
    assert not is_stopped(ann)


def test_the_door_takes_only_what_is_sent_to_it(post):
    assert post(b"", method="put").status_code == 405


def test_a_mail_server_pipes_what_came_back(ann, letter, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(report(letter.id))))
    call_command("bounced")
    assert capsys.readouterr().out == f"No mail goes to account {ann.pk} until its address is confirmed again.\n"
    assert is_stopped(ann)
