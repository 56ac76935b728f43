"""Invitation emails of entries."""

from datetime import timedelta

import pytest
from django.core import mail
from django.urls import reverse
from django.utils import timezone

from accounts.budgets import INVITATIONS
from accounts.models import User
from tournaments.models import Letter
from tournaments.services.entries import enrolment, entry_members, invitation_emails, partners

pytestmark = pytest.mark.django_db


@pytest.fixture
def letter(new_event, ann):
    cup = new_event(entries=0, kind="partnership", venue="Town hall")
    enrolment.enter(cup.pk, ann, partners=["Guest@Example.org"])
    return Letter.objects.get()


def test_a_letter_carries_the_link_and_goes_out_once(letter, settings):
    assert invitation_emails.send(letter.pk)
    assert not invitation_emails.send(letter.pk)
    invitation_emails.send_due()
    (sent,) = mail.outbox
    assert sent.to == ["guest@example.org"]
    assert sent.subject == "Ann invited you to play in Harbour Cup"
    member = letter.member
    link = reverse("tournaments:invitation", args=[member.tournament.slug, member.token])
    assert settings.SITE_URL + link in sent.body
    assert "Where: Town hall" in sent.body
    letter.refresh_from_db()
    assert letter.due_at is None


def test_a_letter_that_broke_off_is_sent_again(letter, no_mail_server):
    with no_mail_server():
        invitation_emails.send(letter.pk)
    assert not invitation_emails.send(letter.pk)
    Letter.objects.update(due_at=timezone.now() - timedelta(seconds=1))
    invitation_emails.send_due()
    assert len(mail.outbox) == 1


def test_no_letter_to_who_was_taken_out_or_came_meanwhile(letter, ann, person):
    entry_members.remove_member(letter.member.pk, ann)
    assert not invitation_emails.send(letter.pk)
    entry = letter.member.entry
    second = partners.invite(entry.pk, ann, person="other@example.org")
    partners.accept(second.pk, person("Ben"), token=second.token)
    invitation_emails.send_due()
    assert mail.outbox == []


def test_no_name_makes_a_second_header(new_event, ann):
    User.objects.filter(pk=ann.pk).update(display_name="Ann\r\nBcc: all@example.org")
    cup = new_event(entries=0, kind="partnership")
    enrolment.enter(cup.pk, User.objects.get(pk=ann.pk), partners=["guest@example.org"])
    invitation_emails.send_due()
    (sent,) = mail.outbox
    assert sent.subject == "Ann Bcc: all@example.org invited you to play in Harbour Cup"
    assert sent.recipients() == ["guest@example.org"]


def test_invitations_of_a_day_are_counted_even_when_taken_back(new_event, ann, refuses, limited, person):
    limited(INVITATIONS, person=3)
    person("Dee")
    cup = new_event(entries=0, kind="partnership")
    entry = enrolment.enter(cup.pk, ann)
    for invitee in ("guest1@example.org", "guest2@example.org", "Dee"):
        member = partners.invite(entry.pk, ann, person=invitee)
        entry_members.remove_member(member.pk, ann)
    with refuses("too_much"):
        partners.invite(entry.pk, ann, person="onemore@example.org")


def test_an_address_with_an_account_looks_like_any_other(new_event, ann, person):
    person("Eve")
    cup = new_event(entries=0, kind="partnership")
    entry = enrolment.enter(cup.pk, ann, partners=["eve@example.org"])
    member = entry.members.get(email="eve@example.org")
    assert (member.user, member.name, entry.name) == (None, "invited partner", "Ann / invited partner")
