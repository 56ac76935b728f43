"""Background work of clubs. Each task takes ids, calls one service, and may run twice."""

from celery import shared_task
from django.utils import timezone

from clubs.coming import asking, letters, repeating
from clubs.news_places import changes, following, sending
from clubs.services.members import member_invitations
from clubs.services.publications import matchday_drafts, newsletter_sending


@shared_task
def send_invitation(letter_id: int) -> None:
    """Send one invitation email."""
    member_invitations.send(letter_id)


@shared_task
def sweep_invitations() -> None:
    """Send the invitation emails that are overdue."""
    member_invitations.send_due()


@shared_task
def send_newsletter(newsletter_id: int) -> None:
    """Send the copies of a newsletter that are due."""
    newsletter_sending.send_copies(newsletter_id)


@shared_task
def sweep_newsletters() -> None:
    """Send the copies of newsletters that are overdue."""
    newsletter_sending.send_due()


@shared_task
def sweep_matchday_drafts() -> None:
    """Write the newsletters about matchdays that are complete."""
    matchday_drafts.write_due(timezone.now())


@shared_task
def send_reply_letters(question_id: int) -> None:
    """Send the letters of a question that are due."""
    letters.send_of(question_id)


@shared_task
def sweep_reply_letters() -> None:
    """Send the letters about who comes that are overdue."""
    letters.send_due()


@shared_task
def sweep_meetings() -> None:
    """Add the next repeating meetings, ask who comes, remind, and ask reserves."""
    repeating.add_due()
    asking.ask_due()


@shared_task
def follow_event(event_id: int) -> None:
    """Write the news of an event that has changed."""
    changes.follow(event_id)


@shared_task
def send_news(place_id: int) -> None:
    """Send the news that is due for one place."""
    sending.OUTBOX.send_of(place_id)


@shared_task
def sweep_news() -> None:
    """Write the news about meetings and of events that are overdue, and send all that is."""
    changes.follow_due()
    following.add_evenings(timezone.now())
    sending.OUTBOX.send_due()
