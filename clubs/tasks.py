"""Background work of clubs. Each task takes ids, calls one service, and may run twice."""

from celery import shared_task

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
