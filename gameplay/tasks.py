"""Background work at tables. Each task takes ids, calls one service, and may run twice."""

from __future__ import annotations

from celery import shared_task

from gameplay.services import bots, cleanup, clocks, invitations


@shared_task
def play_bots(table_id: int) -> None:
    """Play the bots of one table until it is a person's turn."""
    bots.play_table(table_id)


@shared_task
def sweep_bots() -> None:
    """Play bots that should have moved some time ago."""
    bots.sweep()


@shared_task
def sweep_deadlines() -> None:
    """Act on passed deadlines; remind of near ones."""
    clocks.sweep()


@shared_task
def sweep_old() -> None:
    """Clear away what nobody needs any more."""
    cleanup.clear()


@shared_task
def send_invitation(invitation_id: int) -> None:
    """Send the email of one invitation."""
    invitations.send_letter(invitation_id)


@shared_task
def sweep_letters() -> None:
    """Send overdue emails with invitations."""
    invitations.send_due_letters()
