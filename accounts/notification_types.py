"""Types of notifications about friends and the account. Registered when the app is ready."""

from accounts.notice_places import sending
from accounts.notice_places.topics import ACCOUNT
from accounts.services import notices


def register() -> None:
    """Register each kind with its topic, and the check whether it is still wanted."""
    notices.register("friend", ACCOUNT)
    notices.register("second_step", ACCOUNT)
    notices.register(sending.NOTICE, ACCOUNT, sending.is_resting)
