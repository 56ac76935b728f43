"""Background work at tables. Each task takes ids, calls one service, and may run twice."""

from __future__ import annotations

from celery import shared_task

from gameplay.services import bots, cleanup, clocks, invitations


@shared_task
def play_bots(table_id: int) -> None:
    """Let the bots of one table move until it is a person's turn."""
    bots.play_table(table_id)


@shared_task
def sweep_bots() -> None:
    """Find the tables whose bot should have moved some time ago, and let it."""
    bots.sweep()


@shared_task
def sweep_deadlines() -> None:
    """Act where a deadline has passed; remind where one comes near."""
    clocks.sweep()


@shared_task
def sweep_old() -> None:
    """Clear away what nobody needs any more."""
    cleanup.clear()


@shared_task
def send_invitation(invitation_id: int) -> None:
    """Send one letter of invitation."""
    invitations.send_letter(invitation_id)


@shared_task
def sweep_letters() -> None:
    """Send the letters of invitation that nobody sent."""
    invitations.send_due_letters()
