"""Emails are queued after the commit; if the broker refuses, the act stays done."""

import pytest

from clubs import tasks
from clubs.models import Copy, Invitation, Newsletter
from clubs.services import history
from clubs.services.members import member_invitations
from clubs.services.publications import newsletter_sending, newsletters

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft(club, owner, in_club):
    in_club(club, "Ida", wants_letters=True)
    newsletter = history.added_row(newsletters.draft(club.pk, owner), Newsletter)
    newsletters.edit(newsletter.pk, owner, subject="Week 12", body="Dear all.", version=0)
    return Newsletter.objects.get(pk=newsletter.pk)


def write(club, owner, draft):
    """Invite someone into the club by email, and send a newsletter."""
    member_invitations.invite(club.pk, owner, addresses="guest@example.org")
    newsletter_sending.send(draft.pk, owner, version=draft.version)


@pytest.mark.parametrize("is_committed", [True, False])
def test_emails_are_queued_after_the_commit(
    is_committed, club, owner, draft, monkeypatch, django_capture_on_commit_callbacks
):
    invitations, copies = [], []
    monkeypatch.setattr(tasks.send_invitation, "delay", invitations.append)
    monkeypatch.setattr(tasks.send_newsletter, "delay", copies.append)
    with django_capture_on_commit_callbacks(execute=is_committed):
        write(club, owner, draft)
    assert invitations == ([Invitation.objects.get().pk] if is_committed else [])
    assert copies == ([draft.pk] if is_committed else [])


def test_with_the_broker_away_the_sweeper_finds_all(
    club, owner, draft, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    monkeypatch.setattr(tasks.send_invitation, "delay", lambda _: 1 / 0)
    monkeypatch.setattr(tasks.send_newsletter, "delay", lambda _: 1 / 0)
    with django_capture_on_commit_callbacks(execute=True):
        write(club, owner, draft)
    letter = Invitation.objects.get()
    assert letter.due_at is not None
    assert Copy.objects.get().due_at is not None
    messages = [record.getMessage() for record in caplog.records if record.name == "clubs.receivers"]
    assert messages == [
        f"The broker did not take invitation {letter.pk}; the sweeper will.",
        f"The broker did not take newsletter {draft.pk}; the sweeper will.",
    ]
