"""Background work of clubs. Each task takes ids, calls one service, and may run twice."""

from celery import shared_task

from clubs.coming import asking, letters, repeating
from clubs.services.members import member_invitations
from clubs.services.publications import newsletter_sending


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
